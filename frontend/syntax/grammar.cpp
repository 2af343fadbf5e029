// The only place where the grammar is compiled.
#include "frontend/syntax/module_grammar.hpp"

namespace rhopsi::syntax {

namespace x3 = boost::spirit::x3;

namespace {

// Runs `rule` at `*place` into `result`. False, with the error reported and the
// place of the error in `*place`, where it does not match.
template <typename Rule, typename Result>
bool run(ParseState& state, const char** place, const Rule& rule, Result& result) {
  state.reported = false;
  state.item_failed = false;
  const auto keep = [&](auto& context) { result = std::move(x3::_attr(context)); };
  const auto grammar = x3::with<grammar::StateTag>(std::ref(state))[rule[keep]];
  try {
    return x3::phrase_parse(*place, state.end, grammar, grammar::BlankParser{});
  } catch (const x3::expectation_failure<const char*>& thrown) {
    state.report();
    *place = thrown.where();
    return false;
  }
}

}  // namespace

bool read_head(ParseState& state, const char** place, Package& package) {
  return run(state, place, grammar::head, package);
}

bool read_top_declaration(ParseState& state, const char** place, std::vector<TopDecl>& into) {
  TopDecl declaration;
  const char* begin = *place;
  if (!run(state, place, grammar::top_declaration, declaration)) {
    *place = resume_top(begin, *place, state.end);
    return false;
  }
  into.push_back(std::move(declaration));
  return true;
}

bool read_whole_expression(ParseState& state, const char** place, ExprPtr& expression) {
  // An X3 rule of its own, so that its parts share one pass and one set of errors.
  const auto whole = grammar::expect(grammar::expression, grammar::expected::expression);
  if (!run(state, place, whole, expression)) return false;
  if (*place == state.end) return true;
  state.fail(*place, grammar::expected::expression_end);
  state.report();
  return false;
}

}  // namespace rhopsi::syntax
