#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "frontend/trs/read.hpp"
#include "frontend/trs/reader.hpp"
#include "frontend/trs/term_text.hpp"

namespace rhopsi::trs {

namespace {

class AriReader : Reader {
 public:
  using Reader::Reader;

  std::optional<System> read() {
    if (peek().is(Kind::end)) error("E0130", peek(), "no system in the text", form_of_text);
    while (!peek().is(Kind::end) && !stopped_) declaration();
    if (!failed_ && !format_) error("E0130", peek(), "`(format TRS)` is missing", form_of_text);
    if (failed_ || sorts_differ_) return std::nullopt;
    return std::move(system_);
  }

 private:
  void declaration() {
    if (!expect(Kind::open, "`(`", form_of_text)) {
      stopped_ = true;
      return;
    }
    const Token& word = next();
    if (!format_ && !word.is_word("format") && !word.is_word("meta-info")) {
      error("E0130", word, "`(format TRS)` is expected first", form_of_text);
      stopped_ = true;
    } else if (word.is_word("format")) {
      format(word);
    } else if (word.is_word("sort")) {
      sort();
    } else if (word.is_word("fun")) {
      function();
    } else if (word.is_word("rule")) {
      rule(word);
    } else if (word.is_word("strategy")) {
      strategy(next());
      expect(Kind::close, "`)`", "write (strategy innermost)");
    } else if (word.is_word("meta-info")) {
      skip_to_close();
    } else {
      refuse(word);
      skip_to_close();
    }
  }

  void refuse(const Token& word) {
    error("E0131", word, "`" + word.text + "` is not supported",
          "first-order systems of (format), (sort), (fun), (rule) and (strategy) are");
  }

  void format(const Token& word) {
    if (format_) error("E0130", word, "the format is given twice", "leave one of them out");
    format_ = true;
    const Token& name = next();
    if (name.is_word("MSTRS")) {
      sorted_ = true;
    } else if (!name.is_word("TRS") && !name.is_word("SRS")) {
      error("E0131", name, "the format `" + name.text + "` is not supported",
            "TRS and MSTRS are; conditional, logically constrained, context-sensitive, relative "
            "and higher-order systems are not");
      stopped_ = true;
      return;
    }
    while (!peek().is(Kind::close) && !peek().is(Kind::end)) attribute_of_format();
    expect(Kind::close, "`)`", "write (format TRS)");
  }

  void attribute_of_format() {
    const Token& name = next();
    if (name.is_word(":strategy")) {
      strategy(next());
    } else if (name.is_word(":number")) {
      const Token& number = next();
      if (number.text != "1")
        error("E0131", number, "problems of several systems are not supported",
              "give each system a file of its own");
    } else if (name.kind == Kind::word && name.text.starts_with(":")) {
      if (peek().is(Kind::open)) {  // metadata
        next();
        skip_to_close();
      } else if (!peek().is(Kind::close)) {
        next();
      }
    } else {
      missing(name, "an attribute `:name value` or `)`", "write (format TRS)");
      if (name.is(Kind::open)) skip_to_close();
    }
  }

  void strategy(const Token& name) {
    if (name.is_word("innermost") || name.is_word("INNERMOST")) {
      system_.strategy = Strategy::innermost;
    } else if (name.is_word("outermost") || name.is_word("OUTERMOST")) {
      system_.strategy = Strategy::outermost;
    } else if (!name.is_word("full") && !name.is_word("FULL")) {
      error("E0134", name, "the strategy `" + name.text + "` is not supported",
            "full, innermost and outermost are known");
    }
  }

  // A name that holds a bar has no other way to be written: bars stand around names.
  bool name_token(const Token& token, const char* what, const char* form) {
    if (token.is(Kind::quoted)) return true;
    if (token.is(Kind::word) && token.text.find('|') != std::string::npos) {
      error("E0130", token, "a bar stands within the name `" + token.text + "`",
            "bars stand around a whole name, as |a b|, and in none");
      return false;
    }
    if (token.is(Kind::word) && !token.text.starts_with(":")) return true;
    missing(token, what, form);
    return false;
  }

  void sort() {
    const Token& name = next();
    if (!sorted_) {
      error("E0131", name, "sorts stand in `(format MSTRS)` only",
            "begin with (format MSTRS), or leave the sorts out");
    }
    if (name_token(name, "the name of a sort", "write (sort NAME)")) {
      if (std::ranges::find(system_.sorts, name.text) != system_.sorts.end()) {
        error("E0132", name, "the sort `" + name.text + "` is declared twice", "name it once");
      }
      system_.sorts.push_back(name.text);
    }
    close_with_attributes("sort");
  }

  std::uint32_t sort_of(const Token& name) {
    const auto found = std::ranges::find(system_.sorts, name.text);
    if (found == system_.sorts.end()) {
      error("E0132", name, "the sort `" + name.text + "` is not declared",
            "declare it before: (sort " + name.text + ")");
      return 0;
    }
    return static_cast<std::uint32_t>(found - system_.sorts.begin());
  }

  void function() {
    const Token& name = next();
    if (!name_token(name, "the name of a function", form_of_function())) {
      skip_to_close();
      return;
    }
    Symbol symbol{name.text, 0, {}, 0};
    if (sorted_) {
      sorted_type(symbol);
    } else {
      arity(symbol);
    }
    const auto number = static_cast<std::uint32_t>(system_.symbols.size());
    if (const auto [known, made] = symbols_.emplace(name.text, number); !made) {
      error("E0132", name, "the function `" + name.text + "` is declared twice",
            "call one of them otherwise");
      uncertain_.insert(known->second);  // which of them a rule means is not known
    }
    system_.symbols.push_back(std::move(symbol));
    close_with_attributes("fun");
  }

  void arity(Symbol& symbol) {
    const Token& number = peek();
    const char* const end = number.text.data() + number.text.size();
    const auto read = std::from_chars(number.text.data(), end, symbol.arity);
    if (number.is(Kind::word) && read.ec == std::errc{} && read.ptr == end &&
        symbol.arity <= 1000000) {
      next();
      return;
    }
    missing(number, "the number of arguments of `" + symbol.name + "`", "write (fun NAME 2)");
    uncertain_.insert(static_cast<std::uint32_t>(system_.symbols.size()));
    if (!number.is(Kind::close)) next();
  }

  const char* form_of_function() const {
    return sorted_ ? "write (fun NAME SORT), or (fun NAME (-> SORT SORT))" : "write (fun NAME 2)";
  }

  void sorted_type(Symbol& symbol) {
    if (!peek().is(Kind::open)) {
      symbol.result = sort_of(next());
      return;
    }
    next();
    if (!peek().is_word("->")) {
      missing(peek(), "`(-> SORT ... SORT)`", "the sort of the result is the last one");
      skip_to_close();
      return;
    }
    next();
    while (!peek().is(Kind::close) && !peek().is(Kind::end)) {
      symbol.parameters.push_back(sort_of(next()));
    }
    if (symbol.parameters.empty()) {
      error("E0130", peek(), "the sort of the result is missing", "write (-> SORT SORT)");
    } else {
      symbol.result = symbol.parameters.back();
      symbol.parameters.pop_back();
    }
    symbol.arity = static_cast<std::uint32_t>(symbol.parameters.size());
    expect(Kind::close, "`)`", "write (-> SORT SORT)");
  }

  // Attributes change what a declaration means (`:theory AC`, `:cost 0`, `:index 2`).
  void close_with_attributes(const char* what) {
    if (peek().is(Kind::word) && peek().text.starts_with(":")) {
      error("E0134", peek(),
            "the attribute `" + peek().text + "` of `" + what + "` is not supported",
            "an answer without it would be about another system");
    } else if (!peek().is(Kind::close)) {
      missing(peek(), "`)`",
              std::string_view(what) == "rule"  ? form_of_rule
              : std::string_view(what) == "fun" ? form_of_function()
                                                : "write (sort NAME)");
    }
    skip_to_close();
  }

  void rule(const Token& word) {
    Rule rule;
    names_.clear();
    places_.clear();
    if (!term(rule, rule.left) || !term(rule, rule.right)) {
      stopped_ = true;
      return;
    }
    if (peek().is_word(":cost") && peek(1).is_word("1")) {
      next();
      next();
    }
    if (peek().is(Kind::open)) {
      error("E0131", peek(), "conditions of rules are not supported",
            "an answer without it would be about another system");
      skip_to_close();
      stopped_ = true;
      return;
    }
    rule.span = span(word, peek());
    close_with_attributes("rule");
    if (sorted_) infer_sorts(rule);
    system_.rules.push_back(std::move(rule));
  }

  struct Open {
    Token token;
    std::uint32_t symbol;
    std::uint32_t seen = 0;
    std::size_t place = 0;  // of its term, among places_
  };

  // Of the terms of a rule in pre-order, both sides; kept where they have sorts.
  struct Place {
    std::uint32_t begin;
    std::uint32_t end;
  };

  // One term, without recursion. False after an error.
  bool term(Rule& rule, Term& out) {
    std::vector<Open> open;
    do {
      const Token& token = next();
      if (token.is(Kind::close) && !open.empty()) {
        if (!complete(open.back())) return false;
        if (sorted_) places_[open.back().place].end = token.end;
        open.pop_back();
        continue;
      }
      const bool call = token.is(Kind::open);
      const Token& name = call ? next() : token;
      if (!name_token(name, "a term", form_of_rule)) return false;
      if (!open.empty()) ++open.back().seen;
      if (sorted_) places_.push_back({token.begin, token.end});
      const auto symbol = symbols_.find(name.text);
      if (symbol == symbols_.end()) {
        if (call) {
          error("E0132", name, "the function `" + name.text + "` is not declared",
                "declare it before the rules: (fun " + name.text + " N)");
          return false;
        }
        out.push_back(~variable(rule, name));
        continue;
      }
      out.push_back(static_cast<std::int32_t>(symbol->second));
      const Open opened{name, symbol->second, 0, places_.empty() ? 0 : places_.size() - 1};
      if (call) {
        open.push_back(opened);
      } else if (!complete(opened)) {
        return false;
      }
    } while (!open.empty());
    return true;
  }

  bool complete(const Open& open) {
    const std::uint32_t expected = system_.symbols[open.symbol].arity;
    if (open.seen == expected || uncertain_.contains(open.symbol)) return true;
    error("E0133", open.token,
          "`" + open.token.text + "` takes " + arguments(expected) + ", not " +
              std::to_string(open.seen),
          "give it as many as its declaration has, or declare another function");
    return false;
  }

  // A variable has the sort of the places where it stands.
  void infer_sorts(Rule& rule) {
    if (failed_) return;
    std::vector<std::optional<std::uint32_t>> known(rule.variables.size());
    std::optional<std::uint32_t> whole;
    for (int round = 0; round < 2; ++round) {
      if (!sorts_of(rule.left, 0, known, whole)) return;
      if (!sorts_of(rule.right, rule.left.size(), known, whole)) return;
    }
    for (std::size_t v = 0; v < known.size(); ++v) rule.variables[v].sort = known[v].value_or(0);
  }

  // `first`: of the side's places. Both sides are of one sort, `whole`.
  bool sorts_of(const Term& side, std::size_t first,
                std::vector<std::optional<std::uint32_t>>& known,
                std::optional<std::uint32_t>& whole) {
    std::vector<std::optional<std::uint32_t>> expected{whole};
    for (std::size_t i = 0; i < side.size(); ++i) {
      const auto place = expected.back();
      expected.pop_back();
      std::optional<std::uint32_t> own;
      if (side[i] < 0) {
        auto& sort = known[static_cast<std::size_t>(~side[i])];
        if (!sort) sort = place;
        own = sort;
      } else {
        const Symbol& symbol = system_.symbols[static_cast<std::size_t>(side[i])];
        own = symbol.result;
        for (std::size_t k = symbol.arity; k-- > 0;) expected.emplace_back(symbol.parameters[k]);
      }
      if (i == 0 && !whole) whole = own;
      if (place && own && *place != *own) {
        wrong_sort(places_[first + i], *own, *place, i == 0);
        return false;
      }
    }
    return true;
  }

  void wrong_sort(const Place& place, std::uint32_t own, std::uint32_t expected, bool side) {
    diagnostics_.error("E0135", {file_, place.begin, place.end},
                       "a term of sort `" + system_.sorts[own] + "` stands where sort `" +
                           system_.sorts[expected] + "` is expected",
                       side ? "both sides of a rule have one sort"
                            : "give the function what its declaration asks for");
    sorts_differ_ = true;
  }

  static constexpr const char* form_of_text =
      "a system begins with (format TRS) or (format MSTRS) and goes on with (fun NAME 2) and (rule "
      "LEFT RIGHT); the older format has (VAR x) and (RULES f(x) -> x)";
  static constexpr const char* form_of_rule =
      "a rule is written (rule LEFT RIGHT), a term x, a or (f x y)";

  std::unordered_set<std::uint32_t> uncertain_;  // symbols whose declaration has a mistake
  std::vector<Place> places_;                    // of the rule that is being read
  bool format_ = false;
  bool sorted_ = false;
  bool stopped_ = false;
  bool sorts_differ_ = false;
};

}  // namespace

std::optional<System> read_ari(const std::shared_ptr<const syntax::SourceFile>& file,
                               syntax::Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.error_count();
  std::vector<Token> tokens = ari_tokens(file, diagnostics);
  if (diagnostics.error_count() > before) return std::nullopt;
  return AriReader(file, std::move(tokens), diagnostics).read();
}

}  // namespace rhopsi::trs
