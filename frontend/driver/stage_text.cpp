#include "frontend/driver/stage_text.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <variant>

#include "engine/term/operations.hpp"
#include "frontend/driver/rewritten.hpp"
#include "frontend/driver/run.hpp"
#include "frontend/driver/stages.hpp"
#include "frontend/syntax/parse.hpp"
#include "frontend/syntax/print.hpp"
#include "frontend/syntax/read_file.hpp"

namespace rhopsi::driver {

std::optional<std::string> print_syntax(Session& session, const EmitRequest& request,
                                        syntax::Diagnostics& diagnostics) {
  // With what it imports: a name that is not there is told as by any other command.
  if (!load(session, request.file, diagnostics)) return std::nullopt;
  auto content = syntax::read_file(request.file);
  auto* const text = std::get_if<std::string>(&content);
  if (text == nullptr) throw std::runtime_error("a file that was read cannot be read again");
  syntax::Diagnostics known;
  const auto package = syntax::parse_package(
      std::make_shared<syntax::SourceFile>(request.file, std::move(*text)), known);
  return package ? std::optional(syntax::print(*package)) : std::nullopt;
}

std::string print_terms(Session& session, const term::Theory& program) {
  const term::Store& store = session.store();
  // Oldest first: what a callable was before the first of them is what it began as.
  std::map<term::SymbolId, term::TermId> first;
  for (const auto& derivation : term::derivations_of(program)) {
    if (!derivation->record) continue;
    for (const term::Callable& before : derivation->record->callables) {
      if (before.body) first.emplace(before.symbol, *before.body);
    }
  }
  std::string text;
  for (const term::Callable& callable : program.callables) {
    if (!callable.body) continue;
    const auto found = first.find(callable.symbol);
    const term::TermId body = found == first.end() ? *callable.body : found->second;
    text += term::to_string(store, callable.symbol) + " = " + term::to_string(store, body) + "\n";
  }
  return text;
}

std::optional<std::string> print_normal_form(Session& session, const term::Theory& program,
                                             syntax::Diagnostics& diagnostics) {
  return print_rewritten(session, program, {package_name(program.name), std::nullopt, false},
                         diagnostics);
}

std::optional<std::string> print_cxx(Session& session, const EmitRequest& request,
                                     syntax::Diagnostics& diagnostics) {
  const auto emitted = emit(session, request, diagnostics);
  if (!emitted) return std::nullopt;
  // The program's own header is the first of the files, behind none of the runtime's.
  const auto header = std::ranges::find_if(emitted->files, [](const TextFile& file) {
    return file.name.ends_with(".hpp") && file.text.starts_with("// The program ");
  });
  if (header == emitted->files.end()) throw std::logic_error("a program without functions");
  return header->text;
}

}  // namespace rhopsi::driver
