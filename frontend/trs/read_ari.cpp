#include <algorithm>
#include <charconv>
#include <optional>

#include "frontend/trs/read.hpp"
#include "frontend/trs/reader.hpp"

namespace rhopsi::trs {

namespace {

class AriReader : Reader {
 public:
  using Reader::Reader;

  std::optional<System> read() {
    if (peek().is(Kind::end)) error("E0130", peek(), "no system in the text");
    while (!peek().is(Kind::end) && !stopped_) declaration();
    if (!failed_ && !format_) error("E0130", peek(), "`(format TRS)` is missing");
    if (failed_) return std::nullopt;
    for (Rule& rule : system_.rules) infer_sorts(rule);
    if (failed_) return std::nullopt;
    return std::move(system_);
  }

 private:
  void declaration() {
    if (!expect(Kind::open, "`(`")) {
      stopped_ = true;
      return;
    }
    const Token& word = next();
    if (!format_ && !word.is_word("format") && !word.is_word("meta-info")) {
      error("E0130", word, "`(format TRS)` is expected first");
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
      expect(Kind::close, "`)`");
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
    if (format_) error("E0130", word, "the format is given twice");
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
    expect(Kind::close, "`)`");
  }

  void attribute_of_format() {
    const Token& name = next();
    if (name.is_word(":strategy")) {
      strategy(next());
    } else if (name.is_word(":number")) {
      const Token& number = next();
      if (number.text != "1")
        error("E0131", number, "problems of several systems are not supported");
    } else if (name.kind == Kind::word && name.text.starts_with(":")) {
      if (peek().is(Kind::open)) {  // metadata
        next();
        skip_to_close();
      } else if (!peek().is(Kind::close)) {
        next();
      }
    } else {
      error("E0130", name, "an attribute `:name value` or `)` is expected here");
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

  bool name_token(const Token& token, const char* what) {
    if (token.is(Kind::quoted)) return true;
    if (token.is(Kind::word) && !token.text.starts_with(":")) return true;
    error("E0130", token, std::string(what) + " is expected here");
    return false;
  }

  void sort() {
    const Token& name = next();
    if (!sorted_) error("E0131", name, "sorts stand in `(format MSTRS)` only");
    if (name_token(name, "the name of a sort")) {
      if (std::ranges::find(system_.sorts, name.text) != system_.sorts.end()) {
        error("E0132", name, "the sort `" + name.text + "` is declared twice");
      }
      system_.sorts.push_back(name.text);
    }
    close_with_attributes("sort");
  }

  std::uint32_t sort_of(const Token& name) {
    const auto found = std::ranges::find(system_.sorts, name.text);
    if (found == system_.sorts.end()) {
      error("E0132", name, "the sort `" + name.text + "` is not declared");
      return 0;
    }
    return static_cast<std::uint32_t>(found - system_.sorts.begin());
  }

  void function() {
    const Token& name = next();
    if (!name_token(name, "the name of a function")) {
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
    if (!symbols_.emplace(name.text, number).second) {
      error("E0132", name, "the function `" + name.text + "` is declared twice");
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
    error("E0130", number, "the number of arguments of `" + symbol.name + "` is expected here");
    if (!number.is(Kind::close)) next();
  }

  void sorted_type(Symbol& symbol) {
    if (!peek().is(Kind::open)) {
      symbol.result = sort_of(next());
      return;
    }
    next();
    if (!peek().is_word("->")) {
      error("E0130", peek(), "`(-> SORT ... SORT)` is expected here");
      skip_to_close();
      return;
    }
    next();
    while (!peek().is(Kind::close) && !peek().is(Kind::end)) {
      symbol.parameters.push_back(sort_of(next()));
    }
    if (symbol.parameters.empty()) {
      error("E0130", peek(), "the sort of the result is missing");
    } else {
      symbol.result = symbol.parameters.back();
      symbol.parameters.pop_back();
    }
    symbol.arity = static_cast<std::uint32_t>(symbol.parameters.size());
    expect(Kind::close, "`)`");
  }

  // Attributes change what a declaration means (`:theory AC`, `:cost 0`, `:index 2`).
  void close_with_attributes(const char* what) {
    if (peek().is(Kind::word) && peek().text.starts_with(":")) {
      error("E0134", peek(),
            "the attribute `" + peek().text + "` of `" + what + "` is not supported",
            "an answer without it would be about another system");
    } else if (!peek().is(Kind::close)) {
      error("E0130", peek(), "`)` is expected here");
    }
    skip_to_close();
  }

  void rule(const Token& word) {
    Rule rule;
    names_.clear();
    if (!term(rule, rule.left) || !term(rule, rule.right)) {
      stopped_ = true;
      return;
    }
    if (peek().is_word(":cost") && peek(1).is_word("1")) {
      next();
      next();
    }
    if (peek().is(Kind::open)) {
      error("E0131", peek(), "conditions of rules are not supported");
      skip_to_close();
      stopped_ = true;
      return;
    }
    rule.span = span(word, peek());
    close_with_attributes("rule");
    system_.rules.push_back(std::move(rule));
  }

  struct Open {
    Token token;
    std::uint32_t expected;
    std::uint32_t seen = 0;
  };

  // One term, without recursion. False after an error.
  bool term(Rule& rule, Term& out) {
    std::vector<Open> open;
    do {
      const Token& token = next();
      if (token.is(Kind::close) && !open.empty()) {
        if (!complete(open.back())) return false;
        open.pop_back();
        continue;
      }
      const bool call = token.is(Kind::open);
      const Token& name = call ? next() : token;
      if (!name_token(name, "a term")) return false;
      if (!open.empty()) ++open.back().seen;
      const auto symbol = symbols_.find(name.text);
      if (symbol == symbols_.end()) {
        if (call) {
          error("E0132", name, "the function `" + name.text + "` is not declared",
                "declare it before the rules: (fun " + name.text + " N)");
          return false;
        }
        out.push_back(~variable(rule, name.text));
        continue;
      }
      out.push_back(static_cast<std::int32_t>(symbol->second));
      const std::uint32_t arity = system_.symbols[symbol->second].arity;
      if (call) {
        open.push_back({name, arity});
      } else if (arity != 0) {
        complete({name, arity});
        return false;
      }
    } while (!open.empty());
    return true;
  }

  bool complete(const Open& open) {
    if (open.seen == open.expected) return true;
    error("E0133", open.token,
          "`" + open.token.text + "` takes " + std::to_string(open.expected) + " arguments, not " +
              std::to_string(open.seen));
    return false;
  }

  // A variable has the sort of the places where it stands.
  void infer_sorts(Rule& rule) {
    if (!sorted_) return;
    std::vector<std::optional<std::uint32_t>> known(rule.variables.size());
    std::optional<std::uint32_t> whole;
    for (int round = 0; round < 2; ++round) {
      for (const Term* side : {&rule.left, &rule.right}) {
        if (!sorts_of(rule, *side, known, whole)) return;
      }
    }
    for (std::size_t v = 0; v < known.size(); ++v) rule.variables[v].sort = known[v].value_or(0);
  }

  bool sorts_of(const Rule& rule, const Term& side,
                std::vector<std::optional<std::uint32_t>>& known,
                std::optional<std::uint32_t>& whole) {
    std::vector<std::optional<std::uint32_t>> expected{whole};
    for (std::int32_t each : side) {
      const auto place = expected.back();
      expected.pop_back();
      std::optional<std::uint32_t> own;
      if (each < 0) {
        auto& sort = known[static_cast<std::size_t>(~each)];
        if (!sort) sort = place;
        own = sort;
      } else {
        const Symbol& symbol = system_.symbols[static_cast<std::size_t>(each)];
        own = symbol.result;
        for (std::size_t i = symbol.arity; i-- > 0;) expected.emplace_back(symbol.parameters[i]);
      }
      if (&each == side.data() && !whole) whole = own;
      if (place && own && *place != *own) {
        diagnostics_.error("E0135", rule.span,
                           "a term of sort `" + system_.sorts[*own] + "` stands where sort `" +
                               system_.sorts[*place] + "` is expected");
        failed_ = true;
        return false;
      }
    }
    return true;
  }

  bool format_ = false;
  bool sorted_ = false;
  bool stopped_ = false;
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
