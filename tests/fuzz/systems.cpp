#include <memory>
#include <stdexcept>

#include "frontend/trs/read.hpp"
#include "frontend/trs/rec.hpp"
#include "tests/fuzz/targets.hpp"

namespace rhopsi::fuzz {
namespace {

using File = std::shared_ptr<const syntax::SourceFile>;

void expect_the_same_again(const trs::System& system) {
  const std::string text = trs::print(system);
  syntax::Diagnostics diagnostics;
  const auto again =
      trs::read(std::make_shared<const syntax::SourceFile>("printed.ari", text), diagnostics);
  if (!again) {
    throw std::logic_error("a printed system cannot be read: " + diagnostics.all().front().message +
                           "\n" + text);
  }
  if (trs::print(*again) != text) throw std::logic_error("a printed system is another:\n" + text);
}

}  // namespace

void systems(std::string_view bytes) {
  const auto file = std::make_shared<const syntax::SourceFile>("fuzz.trs", std::string(bytes));
  syntax::Diagnostics diagnostics;
  trs::System system;
  if (trs::looks_like_rec(*file)) {
    if (auto problem = trs::read_rec(file, diagnostics)) system = std::move(problem->system);
  } else if (auto read = trs::read(file, diagnostics)) {
    system = std::move(*read);
    expect_the_same_again(system);
  }
  (void)trs::read_term(file, system, diagnostics);
  for (const syntax::Diagnostic& each : diagnostics.all()) (void)syntax::render(each);
}

}  // namespace rhopsi::fuzz
