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

// A name as a term's is read as that name.
void expect_names_again(const trs::System& system) {
  for (const trs::Symbol& each : system.symbols) {
    trs::System made;
    syntax::Diagnostics diagnostics;
    const auto text = std::make_shared<const syntax::SourceFile>("name", trs::term_name(each.name));
    const auto term = trs::read_term(text, made, trs::TermSyntax::quoted, diagnostics);
    if (!term || made.symbols.size() != 1 || made.symbols.front().name != each.name) {
      throw std::logic_error("a name is read as another: " + each.name);
    }
  }
}

}  // namespace

void systems(std::string_view bytes) {
  const auto file = std::make_shared<const syntax::SourceFile>("fuzz.trs", std::string(bytes));
  syntax::Diagnostics diagnostics;
  trs::System system;
  const bool rec = trs::looks_like_rec(*file);
  if (rec) {
    if (auto problem = trs::read_rec(file, diagnostics)) system = std::move(problem->system);
  } else if (auto read = trs::read(file, diagnostics)) {
    system = std::move(*read);
    expect_the_same_again(system);
    expect_names_again(system);
  }
  (void)trs::read_term(file, system, rec ? trs::TermSyntax::rec : trs::TermSyntax::quoted,
                       diagnostics);
  for (const syntax::Diagnostic& each : diagnostics.all()) (void)syntax::render(each);
}

}  // namespace rhopsi::fuzz
