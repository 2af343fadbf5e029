// A specification file on its way through the driver's stages, for tests.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/onf/form.hpp"
#include "engine/term/theory.hpp"
#include "frontend/driver/session.hpp"

namespace rhopsi::support {

class Specification {
 public:
  explicit Specification(std::string file, onf::Scalar real = onf::Scalar::float64,
                         bool numbers_promote = false, bool smt = true);

  driver::Session& session() { return session_; }
  const term::Store& store() { return session_.store(); }

  // What `check` has to say; empty if it accepts the file.
  std::string problems();

  // The theory of a module; a failure of the test and null after an error.
  std::shared_ptr<const term::Theory> module(const std::string& name);

  // What `rewrite` prints: the whole program as a package of that name, or the operations
  // of the name `callable`. Empty, and a failure of the test, after an error.
  std::string printed(const std::string& module, const std::string& package);
  std::string callable(const std::string& module, const std::string& callable);

  // The operational form, of one entry if it is named; a failure of the test after an error.
  std::optional<onf::Module> lowered(const std::string& module, int rank,
                                     const std::string& entry = {});

 private:
  std::string print(const std::string& module, const std::string& package,
                    const std::optional<std::string>& callable);

  std::string file_;
  driver::Session session_;
};

// What a module's printing gives back when it is read: an empty text if the printed
// package is accepted, has the same declarations, and is printed the same from then on
// (externals, which are printed first, may move declarations once). Otherwise what differs.
std::string reprinting_problem(Specification& specification, const std::string& module,
                               const std::string& folder);

// Every message, as the command shows it.
std::string text_of(const syntax::Diagnostics& diagnostics);

// All .mg files below a folder of the repository, sorted.
std::vector<std::string> sources(const std::string& folder);

}  // namespace rhopsi::support
