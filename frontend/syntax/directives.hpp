// The grammar's directives: they carry errors, limits, places, and the memory of
// forms that were given up. Included by the grammar only.
#pragma once

#include "frontend/syntax/terminals.hpp"

namespace rhopsi::syntax::grammar {

// The subject, or the end of this reading with a message.
template <typename Subject>
struct Expect : x3::unary_parser<Subject, Expect<Subject>> {
  static bool const is_pass_through_unary = true;
  Expect(const Subject& subject, const Expectation& what)
      : x3::unary_parser<Subject, Expect<Subject>>(subject), expectation(what) {}
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context,
             RuleContext& rule_context, Attribute& attribute) const {
    const Iterator previous = first;
    if (this->subject.parse(first, last, context, rule_context, attribute)) return true;
    const Iterator where = skip_blank(previous, last);
    state_of(context).fail(where, expectation);
    throw_failure(where);
  }
  const Expectation& expectation;
};

// The subject; where it is missing, the form that wanted it may still be read
// otherwise, and the message is kept for the case that it cannot.
template <typename Subject>
struct Want : x3::unary_parser<Subject, Want<Subject>> {
  static bool const is_pass_through_unary = true;
  Want(const Subject& subject, const Expectation& what)
      : x3::unary_parser<Subject, Want<Subject>>(subject), expectation(what) {}
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context,
             RuleContext& rule_context, Attribute& attribute) const {
    const Iterator previous = first;
    if (this->subject.parse(first, last, context, rule_context, attribute)) return true;
    state_of(context).missed(skip_blank(previous, last), expectation);
    return false;
  }
  const Expectation& expectation;
};

// What begins with a word and may turn out to be something else; failures behind the
// word are remembered.
template <typename Subject>
struct Form : x3::unary_parser<Subject, Form<Subject>> {
  static bool const is_pass_through_unary = true;
  Form(const Subject& subject, int id, std::string_view text)
      : x3::unary_parser<Subject, Form<Subject>>(subject), form(id), first_word(text) {}
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context,
             RuleContext& rule_context, Attribute& attribute) const {
    ParseState& state = state_of(context);
    if (!first_word.parse(first, last, context, x3::unused, x3::unused)) return false;
    const Iterator where = first;
    if (state.failed_before(where, form)) return false;
    if (this->subject.parse(first, last, context, rule_context, attribute)) return true;
    state.remember_failure(where, form);
    return false;
  }
  int form;
  WordParser first_word;
};

// One level of nesting more; too many end the reading before the stack does.
template <typename Subject>
struct Nested : x3::unary_parser<Subject, Nested<Subject>> {
  static bool const is_pass_through_unary = true;
  explicit Nested(const Subject& subject) : x3::unary_parser<Subject, Nested<Subject>>(subject) {}
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context,
             RuleContext& rule_context, Attribute& attribute) const {
    ParseState& state = state_of(context);
    struct Level {
      int& depth;
      ~Level() { --depth; }
    } level{++state.depth};
    // Every bracket opens at most two levels: of a block or a module, and its content.
    if (level.depth > 2 * deepest_nesting + 8 || stack_address() < state.stack_floor) {
      const Iterator where = skip_blank(first, last);
      state.fail(where, where, "E0104", "expressions are nested too deep here",
                 "name the inner parts, as functions or variables");
      throw_failure(where);
    }
    return this->subject.parse(first, last, context, rule_context, attribute);
  }
};

// The subject with other limits: which operators and whether assignments belong to
// the expressions directly in it.
template <typename Subject>
struct Limited : x3::unary_parser<Subject, Limited<Subject>> {
  static bool const is_pass_through_unary = true;
  Limited(const Subject& subject, int level, bool with_assignment)
      : x3::unary_parser<Subject, Limited<Subject>>(subject),
        limit(level),
        assignment(with_assignment) {}
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context,
             RuleContext& rule_context, Attribute& attribute) const {
    ParseState& state = state_of(context);
    struct Restore {
      ParseState& state;
      int limit;
      bool assignment;
      ~Restore() {
        state.level_limit = limit;
        state.assignment = assignment;
      }
    } restore{state, state.level_limit, state.assignment};
    state.level_limit = limit;
    state.assignment = assignment;
    return this->subject.parse(first, last, context, rule_context, attribute);
  }
  int limit;
  bool assignment;
};

// The span of what a rule has made.
template <typename Node>
void mark_place(Node& node, const ParseState& state, Iterator begin, Iterator end) {
  if constexpr (requires { node.span; }) {
    node.span = state.span(begin, end);
  } else {
    node->span = state.span(begin, end);
  }
}

// A part of a form that may be given up after it.
template <typename Subject>
struct Tentative : x3::unary_parser<Subject, Tentative<Subject>> {
  static bool const is_pass_through_unary = true;
  explicit Tentative(const Subject& subject)
      : x3::unary_parser<Subject, Tentative<Subject>>(subject) {}
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context,
             RuleContext& rule_context, Attribute& attribute) const {
    struct Around {
      int& count;
      ~Around() { --count; }
    } around{++state_of(context).tentative};
    return this->subject.parse(first, last, context, rule_context, attribute);
  }
};

// An expression behind a parenthesis, which the state keeps where it may be wanted again.
template <typename Subject>
struct Kept : x3::unary_parser<Subject, Kept<Subject>> {
  static bool const is_pass_through_unary = true;
  explicit Kept(const Subject& subject) : x3::unary_parser<Subject, Kept<Subject>>(subject) {}
  template <typename Context, typename RuleContext>
  bool parse(Iterator& first, const Iterator& last, const Context& context,
             RuleContext& rule_context, ExprPtr& expression) const {
    ParseState& state = state_of(context);
    x3::skip_over(first, last, context);
    const Iterator where = first;
    if (const auto known = state.readings.find(where); known != state.readings.end()) {
      expression = known->second.expression;
      first = known->second.end;
      return true;
    }
    if (!this->subject.parse(first, last, context, rule_context, expression)) return false;
    if (state.tentative > 0) state.readings[where] = {expression, first};
    return true;
  }
};

// Tells the rule's result where in the text it stands: `mark_place` is found by the
// type of the result. (X3's on_success sees no result in rules with actions.)
template <typename Subject>
struct Located : x3::unary_parser<Subject, Located<Subject>> {
  static bool const is_pass_through_unary = true;
  explicit Located(const Subject& subject) : x3::unary_parser<Subject, Located<Subject>>(subject) {}
  template <typename Context, typename Result, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, Result& result,
             Attribute& attribute) const {
    x3::skip_over(first, last, context);
    const Iterator begin = first;
    if (!this->subject.parse(first, last, context, result, attribute)) return false;
    mark_place(result, state_of(context), begin, first);
    return true;
  }
};

template <typename Parser>
auto expect(const Parser& parser, const Expectation& what) {
  return Expect<typename x3::extension::as_parser<Parser>::value_type>(x3::as_parser(parser), what);
}
template <typename Parser>
auto want(const Parser& parser, const Expectation& what) {
  return Want<typename x3::extension::as_parser<Parser>::value_type>(x3::as_parser(parser), what);
}
template <typename Parser>
auto form(int id, std::string_view first_word, const Parser& parser) {
  return Form<typename x3::extension::as_parser<Parser>::value_type>(x3::as_parser(parser), id,
                                                                     first_word);
}
template <typename Parser>
auto nested(const Parser& parser) {
  return Nested<typename x3::extension::as_parser<Parser>::value_type>(x3::as_parser(parser));
}
template <typename Parser>
auto located(const Parser& parser) {
  return Located<typename x3::extension::as_parser<Parser>::value_type>(x3::as_parser(parser));
}
template <typename Parser>
auto tentative(const Parser& parser) {
  return Tentative<typename x3::extension::as_parser<Parser>::value_type>(x3::as_parser(parser));
}
template <typename Parser>
auto kept(const Parser& parser) {
  return Kept<typename x3::extension::as_parser<Parser>::value_type>(x3::as_parser(parser));
}
// As inside brackets: everything is an expression again.
template <typename Parser>
auto unlimited(const Parser& parser) {
  return Limited<typename x3::extension::as_parser<Parser>::value_type>(x3::as_parser(parser),
                                                                        loosest_level, true);
}
template <typename Parser>
auto limited(const Parser& parser, int level) {
  return Limited<typename x3::extension::as_parser<Parser>::value_type>(x3::as_parser(parser),
                                                                        level, false);
}

}  // namespace rhopsi::syntax::grammar
