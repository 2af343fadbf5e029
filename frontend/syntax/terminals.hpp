// The grammar's terminals, over the lexical layer. Included by the grammar only; they
// need the state under `StateTag` in the context.
#pragma once

#include <string_view>

#include <boost/spirit/home/x3.hpp>

#include "frontend/syntax/lexer.hpp"
#include "frontend/syntax/parse_state.hpp"

namespace rhopsi::syntax::grammar {

namespace x3 = boost::spirit::x3;

using Iterator = const char*;

struct StateTag;

template <typename Context>
ParseState& state_of(const Context& context) {
  return x3::get<StateTag>(context).get();
}

inline std::string_view text_between(Iterator from, Iterator to) {
  return {from, static_cast<std::size_t>(to - from)};
}

[[noreturn]] inline void throw_failure(Iterator where) {
  throw x3::expectation_failure<Iterator>(where, "syntax error");
}

// ------------------------------------------------------------------ terminals

struct BlankParser : x3::parser<BlankParser> {
  using attribute_type = x3::unused_type;
  static bool const has_attribute = false;
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context&, RuleContext&,
             Attribute&) const {
    const Iterator stop = skip_blank(first, last);
    if (stop == first) return false;
    first = stop;
    return true;
  }
};

// A word where it stands as a whole name.
struct WordParser : x3::parser<WordParser> {
  using attribute_type = x3::unused_type;
  static bool const has_attribute = false;
  explicit WordParser(std::string_view text) : word(text) {}
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RuleContext&&,
             Attribute&&) const {
    x3::skip_over(first, last, context);
    if (static_cast<std::size_t>(last - first) < word.size() ||
        text_between(first, first + word.size()) != word) {
      return false;
    }
    if (name_end(first, last) != first + word.size()) return false;
    first += word.size();
    return true;
  }
  std::string_view word;
};
inline WordParser word(std::string_view text) { return WordParser(text); }

// Punctuation made of symbol characters, such as `=`: not where it goes on to
// another operator (`==`, `=>`).
struct SymbolParser : x3::parser<SymbolParser> {
  using attribute_type = x3::unused_type;
  static bool const has_attribute = false;
  explicit SymbolParser(std::string_view text) : symbol(text) {}
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RuleContext&,
             Attribute&) const {
    x3::skip_over(first, last, context);
    if (static_cast<std::size_t>(last - first) < symbol.size() ||
        text_between(first, first + symbol.size()) != symbol) {
      return false;
    }
    const Iterator next = first + symbol.size();
    if (next != last && (*next == '=' || *next == '>' || *next == '.')) return false;
    first = next;
    return true;
  }
  std::string_view symbol;
};
inline SymbolParser symbol(std::string_view text) { return SymbolParser(text); }

// Whatever `end_of` recognises, as a Name.
template <const char* (*end_of)(const char*, const char*)>
struct TokenParser : x3::parser<TokenParser<end_of>> {
  using attribute_type = Name;
  static bool const has_attribute = true;
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RuleContext&,
             Attribute& attribute) const {
    x3::skip_over(first, last, context);
    const Iterator stop = end_of(first, last);
    if (stop == first) return false;
    if constexpr (std::is_same_v<Attribute, Name>) {
      attribute.text.assign(first, stop);
      attribute.span = state_of(context).span(first, stop);
    }
    first = stop;
    return true;
  }
};

inline const char* operation_name_end(const char* p, const char* end) {
  const char* stop = symbol_name_end(p, end);
  return stop != p ? stop : name_end(p, end);
}
inline const char* renamed_end(const char* p, const char* end) {
  const char* stop = symbol_name_end(p, end);
  return stop != p ? stop : module_path_end(p, end);
}
// What a strategy names: an operation, or an axiom with the number of its assertion, `ax#2`.
inline const char* strategy_word_end(const char* p, const char* end) {
  const char* stop = operation_name_end(p, end);
  if (stop == p || stop == end || *stop != '#') return stop;
  const char* number = stop + 1;
  while (number != end && *number >= '0' && *number <= '9') ++number;
  return number == stop + 1 ? stop : number;
}
inline const char* digits_only_end(const char* p, const char* end) {
  const char* stop = name_end(p, end);
  return is_all_digits(text_between(p, stop)) ? stop : p;
}
inline const char* backend_end(const char* p, const char* end) {
  const char* stop = name_end(p, end);
  const bool is_c = text_between(p, stop) == "C";
  return is_c && end - stop >= 2 && stop[0] == '+' && stop[1] == '+' ? stop + 2 : stop;
}

inline const char* less_end(const char* p, const char* end) {
  return p != end && *p == '<' && symbol_end(p, end) == p + 1 ? p + 1 : p;
}

inline const TokenParser<name_end> name;
inline const TokenParser<path_end> path;
inline const TokenParser<module_path_end> module_path;
inline const TokenParser<symbol_name_end> symbol_name;
inline const TokenParser<operation_name_end> operation_name;  // name or symbol name
inline const TokenParser<renamed_end> renamed;                // the same, or a path
inline const TokenParser<strategy_word_end> strategy_word;
inline const TokenParser<digits_only_end> digits;
inline const TokenParser<backend_end> backend;
inline const TokenParser<real_end> real;
inline const TokenParser<less_end> less;

// `2.`, `2.x`, `1.5x`: a number that goes wrong. Throws, never matches.
struct MalformedNumberParser : x3::parser<MalformedNumberParser> {
  using attribute_type = x3::unused_type;
  static bool const has_attribute = false;
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RuleContext&,
             Attribute&) const {
    x3::skip_over(first, last, context);
    const Iterator whole = digits_only_end(first, last);
    if (whole == first || whole == last || *whole != '.') return false;
    if (whole + 1 != last && whole[1] == '.') return false;
    Iterator stop = whole + 1;
    while (stop != last && (name_end(stop, last) != stop)) stop = name_end(stop, last);
    state_of(context).fail(first, stop, "E0108",
                           "'" + std::string(first, stop) + "' is not a number",
                           "decimals are written like 2.5, 1.5e-3 or 1e5");
    throw_failure(first);
  }
};

// A binary operator no looser than the level in force.
struct BinaryOperatorParser : x3::parser<BinaryOperatorParser> {
  using attribute_type = Name;
  static bool const has_attribute = true;
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RuleContext&,
             Attribute& attribute) const {
    x3::skip_over(first, last, context);
    const Iterator stop = symbol_end(first, last);
    if (stop == first) return false;
    ParseState& state = state_of(context);
    const std::string_view run = text_between(first, stop);
    const BinaryOperator* found = find_binary_operator(run);
    if (!found) {
      reject(state, first, stop, run);
      return false;
    }
    if (found->level > state.level_limit) return false;
    if constexpr (std::is_same_v<Attribute, Name>) {
      attribute.text = "_" + std::string(run) + "_";
      attribute.span = state.span(first, stop);
    }
    first = stop;
    return true;
  }

 private:
  // What other languages have.
  static std::string advice(std::string_view run, const std::string& before) {
    if (run == "**") return "a power is pow(x, y)";
    if (run.size() == 2 && run[1] == '=' && std::string_view("+-*/%").find(run[0]) != run.npos)
      return "an assignment has the whole value: x = x " + before + " y";
    return "put a space after '" + before + "'";
  }
  static void reject(ParseState& state, Iterator first, Iterator stop, std::string_view run) {
    // Not operators at all: the `=` of a definition, the `...` of a pack, a lone `.`.
    const bool equals = run[0] == '=' && (run.size() == 1 || (run[1] != '=' && run[1] != '>'));
    if (equals || run == "..." || run == "." || run == "!") return;
    for (std::size_t length = run.size() - 1; length > 0; --length) {
      if (!find_binary_operator(run.substr(0, length))) continue;
      const std::string before(run.substr(0, length));
      state.fail(first, stop, "E0107",
                 "the operator '" + before + "' is followed directly by '" +
                     std::string(run.substr(length)) + "'",
                 advice(run, before));
      throw_failure(first);
    }
    state.fail(first, stop, "E0107", "'" + std::string(run) + "' is not an operator",
               "the operators are * / % + - << >> .. < > >= <= == != === !== && || => <=>");
    throw_failure(first);
  }
};

struct PrefixOperatorParser : x3::parser<PrefixOperatorParser> {
  using attribute_type = Name;
  static bool const has_attribute = true;
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RuleContext&,
             Attribute& attribute) const {
    x3::skip_over(first, last, context);
    const Iterator stop = symbol_end(first, last);
    if (stop == first || !is_prefix_operator(text_between(first, first + 1))) return false;
    if (begins_symbolic_call(first, last)) return false;
    ParseState& state = state_of(context);
    const std::string spelling(first, first + 1);
    if (stop != first + 1) {
      state.fail(first, stop, "E0107",
                 "the operator '" + spelling + "' is followed directly by '" +
                     std::string(first + 1, stop) + "'",
                 "put a space after it; of two prefix operators the inner one needs parentheses");
      throw_failure(first);
    }
    const Iterator next = skip_blank(stop, last);
    if (next != last && is_prefix_operator(text_between(next, next + 1))) {
      state.fail(next, next + 1, "E0119", "an operand has one prefix operator at most",
                 "put the inner one into parentheses, as in -(-x)");
      throw_failure(next);
    }
    if constexpr (std::is_same_v<Attribute, Name>) {
      attribute.text = spelling + "_";
      attribute.span = state.span(first, stop);
    }
    first = stop;
    return true;
  }

 private:
  // `-_(x)` is a call of `-_`.
  static bool begins_symbolic_call(Iterator first, Iterator last) {
    const Iterator stop = symbol_name_end(first, last);
    if (stop == first) return false;
    const Iterator next = skip_blank(stop, last);
    return next != last && *next == '(';
  }
};

// What stands between balanced brackets, verbatim; the `[` has been read.
struct AttributeTextParser : x3::parser<AttributeTextParser> {
  using attribute_type = std::string;
  static bool const has_attribute = true;
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context&, RuleContext&,
             Attribute& attribute) const {
    int depth = 0;
    for (Iterator p = first; p != last; ++p) {
      if (const Iterator stop = comment_end(p, last); stop != p) {
        p = stop - 1;
        continue;
      }
      if (*p == '[') ++depth;
      if (*p == ']' && depth-- == 0) {
        if constexpr (std::is_same_v<Attribute, std::string>) attribute.assign(first, p);
        first = p;
        return true;
      }
    }
    return false;
  }
};

// After `value` at the start of a statement: what follows can only be its result,
// since a statement is no operand. `value (a + b) * c` and `value -x`.
struct ResultFollowsParser : x3::parser<ResultFollowsParser> {
  using attribute_type = x3::unused_type;
  static bool const has_attribute = false;
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context&, RuleContext&,
             Attribute&) const {
    const Iterator p = skip_blank(first, last);
    if (p == last) return false;
    const Iterator stop = symbol_end(p, last);
    if (stop == p + 1 && is_prefix_operator(text_between(p, stop))) return true;
    if (*p != '(') return false;
    const Iterator after = skip_blank(past_parenthesis(p, last), last);
    return find_binary_operator(text_between(after, symbol_end(after, last))) != nullptr;
  }

 private:
  static Iterator past_parenthesis(Iterator p, Iterator last) {
    int depth = 0;
    while (p != last) {
      if (*p == '(') ++depth;
      if (*p == ')' && --depth == 0) return p + 1;
      p = skip_blank(p + 1, last);
    }
    return p;
  }
};

// In an expression `value` begins a result only where it cannot be an operand.
struct OperatorFollowsParser : x3::parser<OperatorFollowsParser> {
  using attribute_type = x3::unused_type;
  static bool const has_attribute = false;
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context&, RuleContext&,
             Attribute&) const {
    const Iterator p = skip_blank(first, last);
    if (p == last) return false;
    const Iterator stop = symbol_end(p, last);
    return stop != p && text_between(p, stop) != "!" && text_between(p, stop) != "~";
  }
};

// Matches nothing, where `x = e` is an expression.
struct AssignmentAllowedParser : x3::parser<AssignmentAllowedParser> {
  using attribute_type = x3::unused_type;
  static bool const has_attribute = false;
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator&, const Iterator&, const Context& context, RuleContext&, Attribute&) const {
    return state_of(context).assignment;
  }
};

// Matches nothing and passes no blank, so that a node's span ends where its text
// does: for actions that belong to no token.
struct NothingParser : x3::parser<NothingParser> {
  using attribute_type = x3::unused_type;
  static bool const has_attribute = false;
  template <typename Context, typename RuleContext, typename Attribute>
  bool parse(Iterator&, const Iterator&, const Context&, RuleContext&, Attribute&) const {
    return true;
  }
};
inline const NothingParser nothing;

}  // namespace rhopsi::syntax::grammar
