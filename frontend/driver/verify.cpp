#include "frontend/driver/verify.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

#include "backends/primitives/primitives.hpp"
#include "engine/term/operations.hpp"
#include "engine/term/sequence.hpp"
#include "engine/verify/agreement.hpp"
#include "engine/verify/knowledge.hpp"
#include "frontend/driver/claim_check.hpp"
#include "frontend/driver/definition_check.hpp"
#include "frontend/driver/expression_scope.hpp"
#include "frontend/driver/stages.hpp"

namespace rhopsi::driver {
namespace {

using Clock = std::chrono::steady_clock;
using Status = AxiomReport::Status;

constexpr const char* library_module = "Expressions";

std::chrono::milliseconds since(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
}

class Verification {
 public:
  Verification(Session& session, const VerifyRequest& request, syntax::Diagnostics& diagnostics)
      : session_(session),
        request_(request),
        diagnostics_(diagnostics),
        begin_(Clock::now()),
        real_(primitives::make_table(session.real(), primitives::Numbers::real)) {}

  std::optional<VerifyReport> run() {
    std::vector<std::string> packages;
    for (const std::string& file : request_.files) {
      const auto package = load(session_, file, diagnostics_);
      if (!package || diagnostics_.has_errors()) return std::nullopt;
      packages.push_back(*package);
    }
    bool found = request_.module.empty();
    for (const std::string& file : request_.files) files_.insert(canonical(file));
    for (const std::string& package : packages) find_satisfactions(package);
    for (const std::string& package : packages) found = take(package) || found;
    if (diagnostics_.has_errors()) return std::nullopt;
    if (!found) {
      session_.workspace().evaluate(packages.front(), request_.module, diagnostics_);
      return std::nullopt;
    }
    account_for_instances();
    return std::move(report_);
  }

 private:
  // What is to be shown, once, wherever it is met first.
  struct Pending {
    AxiomReport report;
    std::string about;
  };

  // The modules of the package; true if it has the one that was asked for.
  bool take(const std::string& package) {
    bool found = false;
    const term::Theory* library = library_of(package);
    for (const auto& [name, kind] : session_.workspace().modules(package)) {
      const bool chosen =
          request_.module.empty() ? kind == term::ModuleKind::concept_ : name == request_.module;
      if (!chosen) continue;
      found = true;
      const auto theory = session_.workspace().evaluate(package, name, diagnostics_);
      if (!theory) continue;
      theories_.push_back(theory);
      take_variadic(package, name);
      take(package + "." + name, *theory,
           verify::knowledge_of(session_.store(), *theory, library, session_.table()));
    }
    for (const auto& [sides, knowledge] : satisfactions_[package]) {
      if (!request_.module.empty() && sides->name != request_.module) continue;
      found = true;
      model_ = sides->name;
      take(package + "." + sides->name, sides->specification, knowledge);
      model_.clear();
    }
    return found;
  }

  void take_variadic(const std::string& package, const std::string& module) {
    for (const auto& each : session_.workspace().variadic_axioms(package, module, diagnostics_)) {
      const bool imported = !files_.contains(canonical(session_.store()[each.location].file));
      if (imported || !variadic_.insert(each.location).second) continue;
      AxiomReport report;
      report.status = Status::variadic;
      report.name = package + "." + module + "." + each.name;
      report.location = each.location;
      report_.axioms.push_back(std::move(report));
    }
  }

  static std::string canonical(const std::string& file) {
    std::error_code failure;
    return std::filesystem::weakly_canonical(file, failure).string();
  }

  // What a model says of all values of a type is true of it by itself.
  void find_satisfactions(const std::string& package) {
    for (auto& found : session_.workspace().satisfaction_sides(package, diagnostics_)) {
      auto sides = std::make_unique<elaborate::SatisfactionSides>(std::move(found));
      auto knowledge =
          verify::knowledge_of_model(session_.store(), sides->model, sides->specification,
                                     library_of(package), session_.table());
      for (const term::Axiom* axiom : knowledge.invariants) assumed_.insert(axiom->location);
      satisfactions_[package].push_back({std::move(sides), std::move(knowledge)});
    }
  }

  const term::Theory* library_of(const std::string& package) {
    return imported_library(session_, package, diagnostics_).get();  // the workspace keeps it
  }

  void take(const std::string& module, const term::Theory& theory,
            const verify::Knowledge& knowledge) {
    const auto report = [&](AxiomReport made, const term::Axiom& axiom) {
      if (request_.met) request_.met(made, {theory, knowledge, axiom});
      report_.axioms.push_back(std::move(made));
    };
    ClaimLibraries libraries(session_, knowledge.theory, *real_);
    std::optional<std::vector<verify::Agreement>> agreements;  // once one is asked for
    for (const term::Axiom* axiom : knowledge.definitions) {
      // What is imported is reported where it stands.
      const bool imported = !files_.contains(canonical(session_.store()[axiom->location].file));
      if (imported || !is_new(*axiom)) continue;
      AxiomReport definition = begin_report(module, *axiom);
      definition.status = Status::definition;
      check_definition(knowledge, libraries, *axiom, definition);
      check_agreement(knowledge, libraries, agreements, *axiom, definition);
      report(std::move(definition), *axiom);
    }
    for (const term::Axiom* axiom : knowledge.open) {
      if (is_new(*axiom)) report(judged(module, knowledge, libraries, *axiom), *axiom);
    }
  }

  // One about operations or types that are given elsewhere is looked at there.
  void check_definition(const verify::Knowledge& knowledge, ClaimLibraries& libraries,
                        const term::Axiom& axiom, AxiomReport& report) {
    const bool wanted = !request_.wanted || request_.wanted(report.name);
    if (request_.by_values || !wanted) return;
    if (!unknown_subject(knowledge, axiom, claims_of(axiom)).empty()) return;
    if (request_.progress) request_.progress(report.name);
    driver::check_definition(
        {session_, {session_.table(), *real_}, request_, begin_ + request_.time}, knowledge,
        libraries.promoting(), axiom, report);
  }

  // One of several definitions by cases has to say what an earlier one says where both speak.
  void check_agreement(const verify::Knowledge& knowledge, ClaimLibraries& libraries,
                       std::optional<std::vector<verify::Agreement>>& agreements,
                       const term::Axiom& axiom, AxiomReport& report) {
    const bool wanted = !request_.wanted || request_.wanted(report.name);
    if (!wanted || report.status == Status::refuted) return;
    if (!agreements) {
      agreements = verify::agreements(session_.store(), knowledge, session_.table());
    }
    for (const verify::Agreement& both : *agreements) {
      const bool is_this =
          both.second->name == axiom.name && both.second->location == axiom.location;
      if (!is_this || !unknown_subject(knowledge, *both.second, {both.claim}).empty()) continue;
      AxiomReport asked = report;
      if (agree({session_, *real_, request_, begin_, knowledge, libraries}, both, asked)) continue;
      const bool known = asked.status == Status::refuted;
      if (!known && report.status == Status::unknown) continue;
      report = std::move(asked);
      report.within = false;
      if (known) {
        report.situation.clear();
        return;
      }
    }
  }

  AxiomReport begin_report(const std::string& module, const term::Axiom& axiom) const {
    AxiomReport report;
    report.name = module + "." + axiom.name;
    report.location = axiom.location;
    report.of_model = !model_.empty();
    return report;
  }

  // The same axiom may come to many modules, and to one under many names. In a satisfaction it is
  // another one, since it is about the model's operations.
  bool is_new(const term::Axiom& axiom) {
    std::string text =
        model_ + ":" + axiom.name + ":" + std::to_string(static_cast<unsigned>(axiom.location));
    for (const term::Claim& claim : term::claims_of(session_.store(), axiom)) {
      for (const term::TermId part : term::terms_of(claim)) {
        text += " | " + term::to_string(session_.store(), part);
        for (term::SymbolId each : term::operations_in(session_.store(), part)) {
          text += " " + std::to_string(static_cast<unsigned>(each));
        }
      }
    }
    return known_.insert(text).second;
  }

  AxiomReport judged(const std::string& module, const verify::Knowledge& knowledge,
                     ClaimLibraries& libraries, const term::Axiom& axiom) {
    AxiomReport report = begin_report(module, axiom);
    const auto claims = claims_of(axiom);
    if (assumed_.contains(axiom.location)) {
      report.status = Status::assumed;
      return report;
    }
    if (const std::string about = unknown_subject(knowledge, axiom, claims); !about.empty()) {
      report.status = Status::instances;
      report.reason = about;
      report.undefined = undefined_in(knowledge, claims);
      return report;
    }
    ++seen_[axiom.location];
    if (!model_.empty()) of_models_.insert(axiom.location);
    if (request_.wanted && !request_.wanted(report.name)) {
      report.status = Status::open;
      return report;
    }
    if (request_.progress) request_.progress(report.name);
    const auto begin = Clock::now();
    report.status = request_.by_values ? Status::tested : Status::proved;
    verify::Theories theories = verify::Theories::all();
    for (const term::Claim& claim : claims) {
      check_claim({session_, *real_, request_, begin_, knowledge, libraries}, axiom, claim,
                  theories, report);
      if (report.status == Status::refuted || report.status == Status::unknown) break;
    }
    if (report.status == Status::proved) report.theory = verify::to_string(theories);
    report.time = since(begin);
    return report;
  }

  // Of statements, what they say of values.
  std::vector<term::Claim> claims_of(const term::Axiom& axiom) {
    std::vector<term::Claim> claims;
    for (term::Claim& claim : term::claims_of(session_.store(), axiom)) {
      std::ranges::move(term::claims_about_values(session_.store(), std::move(claim)),
                        std::back_inserter(claims));
    }
    return claims;
  }

  // Of several claims all; nothing where compiled programs alone compute one.
  std::vector<std::string> undefined_in(const verify::Knowledge& knowledge,
                                        const std::vector<term::Claim>& claims) {
    std::vector<std::string> names;
    for (const term::Claim& claim : claims) {
      for (term::SymbolId each :
           verify::undefined_operations(session_.store(), knowledge, session_.table(), claim)) {
        const term::Callable* callable = knowledge.theory.find(each);
        if (callable != nullptr && callable->external) return {};
        const std::string name = term::to_string(session_.store(), each);
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      }
    }
    return names;
  }

  // What the axiom is about and nothing is known of.
  std::string unknown_subject(const verify::Knowledge& knowledge, const term::Axiom& axiom,
                              const std::vector<term::Claim>& claims) {
    std::string about;
    for (const term::Claim& claim : claims) {
      for (term::SymbolId each :
           verify::undefined_operations(session_.store(), knowledge, session_.table(), claim)) {
        const std::string name = term::to_string(session_.store(), each);
        const term::Callable* callable = knowledge.theory.find(each);
        const bool external = callable != nullptr && callable->external;
        about += about.empty() ? "" : ", ";
        about += external ? "only compiled programs compute " + name : "nothing defines " + name;
      }
      if (!about.empty()) return about;
    }
    std::vector<term::SortId> sorts;
    for (const term::Claim& claim : claims) sorts.push_back(session_.store().sort(claim.left));
    for (term::SymbolId each : axiom.parameters) sorts.push_back(session_.store()[each].result);
    for (term::SortId sort : sorts) {
      if (sort == session_.store().predicate_sort()) continue;
      if (!onf::representation_of(session_.store(), knowledge.theory, sort, session_.table())) {
        return "nothing says what values the type " + session_.store().name(sort) + " has";
      }
    }
    return about;
  }

  // An axiom about operations that a renaming or a model gives is shown by what becomes of it
  // there.
  void account_for_instances() {
    for (AxiomReport& each : report_.axioms) {
      if (each.status == Status::variadic) each.reason = instances_of(each.location);
      const bool open = each.status == Status::unknown && !each.of_model;
      if (open && of_models_.contains(each.location)) each.status = Status::instances;
      if (each.status != Status::instances) continue;
      // What a model lacks is not given elsewhere.
      const bool proved = !each.of_model && seen_.contains(each.location);
      const bool defines = !each.of_model && is_definition_elsewhere(each.location);
      if (defines) each.status = Status::definition;
      if (!proved && !defines) each.status = Status::unknown;
      if (each.status == Status::unknown) continue;
      each.reason.clear();
      each.undefined.clear();
      each.situation.clear();
    }
  }

  std::string instances_of(term::LocationId location) const {
    const auto found = seen_.find(location);
    if (found == seen_.end()) return "no satisfaction has an instance of it";
    return "looked at in " + std::to_string(found->second) +
           (found->second == 1 ? " instance" : " instances");
  }

  // A generic concept says what an operation means only when its types are known, as they are in
  // the library.
  bool is_definition_elsewhere(term::LocationId location) {
    if (defined_.empty()) {
      defined_.insert(term::LocationId{});
      syntax::Diagnostics unused;
      const auto library = find_library(session_, unused);
      const auto package = library ? session_.workspace().load(*library, unused) : std::nullopt;
      const auto theory =
          package ? session_.workspace().evaluate(*package, library_module, unused) : nullptr;
      if (theory) {
        theories_.push_back(theory);
        const auto knowledge =
            verify::knowledge_of(session_.store(), *theory, nullptr, session_.table());
        for (const term::Axiom* axiom : knowledge.definitions) defined_.insert(axiom->location);
      }
    }
    return defined_.contains(location);
  }

  Session& session_;
  const VerifyRequest& request_;
  syntax::Diagnostics& diagnostics_;
  Clock::time_point begin_;
  std::unique_ptr<onf::PrimitiveTable> real_;  // in which numbers do not promote
  std::vector<std::shared_ptr<const term::Theory>> theories_;
  struct Satisfaction {
    std::unique_ptr<elaborate::SatisfactionSides> sides;
    verify::Knowledge knowledge;
  };
  std::map<std::string, std::vector<Satisfaction>> satisfactions_;  // of each package
  std::string model_;                     // the satisfaction that is looked at
  std::set<term::LocationId> of_models_;  // axioms that are asked of a model
  std::set<std::string> files_;
  std::set<term::LocationId> assumed_;
  std::set<term::LocationId> variadic_;
  std::set<std::string> known_;
  std::set<term::LocationId> defined_;  // definitions of the library; not empty once it was asked
  std::map<term::LocationId, std::size_t> seen_;  // where an axiom stands -> proofs of it
  VerifyReport report_;
};

}  // namespace

std::optional<VerifyReport> verify(Session& session, const VerifyRequest& request,
                                   syntax::Diagnostics& diagnostics) {
  return Verification(session, request, diagnostics).run();
}

}  // namespace rhopsi::driver
