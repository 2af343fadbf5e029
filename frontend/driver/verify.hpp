// The axioms of specifications: each proved from the definitions, refuted by values, tested by
// them, or none of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/verify/claim_proof.hpp"
#include "engine/verify/knowledge.hpp"
#include "frontend/driver/refutation.hpp"
#include "frontend/driver/session.hpp"

namespace rhopsi::driver {

struct AxiomReport;

// Where an axiom stands in the theories of a run; only as long as the run looks at it.
struct Stated {
  const term::Theory& theory;          // that has it
  const verify::Knowledge& knowledge;  // by which it is judged
  const term::Axiom& axiom;
};

struct VerifyRequest {
  std::vector<std::string> files;
  std::string module;      // empty: all concepts and satisfactions
  bool by_values = false;  // prove nothing, and test everything
  verify::ProofLimits limits;
  Search search;
  // Of the whole run; by values there is no limit. What is open then is unknown.
  std::chrono::milliseconds time{110'000};
  // Called before each axiom that is to be proved.
  std::function<void(const std::string& axiom)> progress;
  // Which axioms are looked at; the others stay `open`. Nothing here: all.
  std::function<bool(const std::string& axiom)> wanted;
  // Called with each axiom when its report is there, and with what it is stated in.
  std::function<void(const AxiomReport& report, const Stated& stated)> met;
};

struct AxiomReport {
  enum class Status : std::uint8_t {
    definition,  // says what an operation means; `within` tells whether more was shown
    proved,
    refuted,
    unknown,
    tested,     // held for all values that were tried: by_values, or where no proof can reach
    assumed,    // of a model of a satisfaction: true of all its values by itself
    instances,  // about operations that are given elsewhere: what it says there is proved there
    variadic,   // with any number of parameters: only instances, of satisfactions, are looked at
    open,       // nobody has asked for it
  };
  Status status = Status::unknown;
  std::string name;  // "moa.laws.Laws.takeTake"
  term::LocationId location{};
  bool of_model = false;  // an axiom of a satisfaction's right side
  std::string theory;     // proved: "any"
  // definition, of an array: wherever it has to have a value, what it calls may be called, and
  // what it reads is within its array
  bool within = false;
  // proved, or within: of arrays with up to so many axes, and vectors with as many components;
  // nothing where it is about neither
  std::optional<std::size_t> most_axes;
  std::chrono::milliseconds time{0};
  std::string reason;
  std::vector<std::string> undefined;  // unknown: operations that nothing there defines
  std::string situation;
  std::optional<Refutation> refutation;
  // proved, tested or unknown: integers beside 2^63 or 2^53 for which it does not hold, because
  // they wrap or are rounded. A law of numbers is not refuted by what is true of so large ones.
  std::optional<Refutation> wrapping;
  std::size_t cases = 0;   // proved
  std::size_t values = 0;  // tested
  // unknown: a limit on time was reached on the way, so that more of it might decide
  bool out_of_time = false;

  // Unknown, and at least in part because the time was over.
  void leave_open_for_time();

  bool was_asked() const {
    return within || status == Status::proved || status == Status::refuted ||
           status == Status::unknown || status == Status::tested;
  }
};
std::string to_string(AxiomReport::Status status);
// What AxiomReport::wrapping has, as a sentence; empty without it.
std::string about_large(const AxiomReport& report);

struct VerifyReport {
  std::vector<AxiomReport> axioms;
  std::size_t count(AxiomReport::Status status) const;
  // Nothing is refuted or unknown.
  bool complete() const;
};

// Nothing where a file could not be read.
std::optional<VerifyReport> verify(Session& session, const VerifyRequest& request,
                                   syntax::Diagnostics& diagnostics);

// "any, up to 4 axes"; of a definition "within its arrays, up to 4 axes". Empty for what is not
// proved.
std::string scope(const AxiomReport& report);
// One line: "proved   moa.laws.SameAxis.takeTake  any, up to 4 axes  0.02 s"; for what is not
// proved further ones, indented.
std::string to_string(const AxiomReport& report);
// "proved 140, definitions 120, ..."
std::string summary(const VerifyReport& report);
std::string to_json(Session& session, const VerifyReport& report);

}  // namespace rhopsi::driver
