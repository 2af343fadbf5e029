#include "frontend/syntax/parse.hpp"

#include <utility>

#include "frontend/syntax/lexer.hpp"
#include "frontend/syntax/parse_state.hpp"

namespace rhopsi::syntax {

namespace {

// Whether enough has been said about this text. The last word is that there is more.
bool too_many_errors(ParseState& state) {
  if (!state.is_exhausted()) return false;
  state.diagnostics.error("E0118", {state.file, 0, 0}, "too many errors; the rest is not looked at",
                          "correct the first ones and try again");
  return true;
}

std::optional<Package> read_package(ParseState& state) {
  const char* place = skip_blank(state.begin, state.end);
  Package package;
  const bool has_head = read_head(state, &place, package);
  // Without a head the declarations are read all the same, for their errors.
  if (!has_head && !begins_top_declaration(place, state.end)) {
    place = resume_top(place, place, state.end);
  }
  while (place != state.end && !too_many_errors(state)) {
    read_top_declaration(state, &place, package.declarations);
  }
  if (!has_head) return std::nullopt;
  return package;
}

ExprPtr read_expression(ParseState& state) {
  const char* place = skip_blank(state.begin, state.end);
  ExprPtr expression;
  if (!read_whole_expression(state, &place, expression)) return nullptr;
  return state.diagnostics.error_count() == state.errors_before ? expression : nullptr;
}

// Scans the text and then reads it by `read`; an empty result where it is unreadable.
template <typename Result>
Result parse(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics,
             Result (*read)(ParseState&)) {
  const std::size_t before = diagnostics.error_count();
  ScanResult scanned = scan(file, diagnostics);
  if (!scanned.readable) return Result{};
  ParseState state(std::move(file), diagnostics, std::move(scanned.damage), before);
  Result result{};
  run_on_deep_stack([&] {
    state.stack_floor = stack_floor();
    result = read(state);
  });
  return result;
}

}  // namespace

std::optional<Package> parse_package(std::shared_ptr<const SourceFile> file,
                                     Diagnostics& diagnostics) {
  return parse(std::move(file), diagnostics, &read_package);
}

ExprPtr parse_expression(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics) {
  return parse(std::move(file), diagnostics, &read_expression);
}

}  // namespace rhopsi::syntax
