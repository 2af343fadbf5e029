#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "frontend/trs/read.hpp"
#include "frontend/trs/reader.hpp"
#include "frontend/trs/term_text.hpp"

namespace rhopsi::trs {

namespace {

bool is_arrow(const Token& token) { return token.is_word("->"); }

class WstReader : Reader {
 public:
  using Reader::Reader;

  std::optional<System> read() {
    find_variables();
    while (!peek().is(Kind::end) && !stopped_) section();
    if (!failed_ && !rules_seen_) error("E0130", peek(), "`(RULES ...)` is missing", form_of_rules);
    if (failed_) return std::nullopt;
    if (strings_) name_the_variable();
    return std::move(system_);
  }

 private:
  // The variable that strings end with is called as no letter is.
  void name_the_variable() {
    std::string name = "x";
    while (symbols_.contains(name)) name += "'";
    for (Rule& rule : system_.rules) rule.variables.front().name = name;
  }

  // Variables may be declared behind the rules. What stands in other sections declares none.
  void find_variables() {
    std::size_t depth = 0;
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (token(i).is(Kind::close) && depth > 0) --depth;
      if (!token(i).is(Kind::open)) continue;
      if (depth++ > 0 || !token(i + 1).is_word("VAR")) continue;
      variables_declared_ = true;
      for (++i; i + 1 < tokens_.size() && token(i + 1).is(Kind::word); ++i) {
        variables_.insert(token(i + 1).text);
      }
    }
  }

  void section() {
    if (!expect(Kind::open, "`(`", form_of_rules)) {
      stopped_ = true;
      return;
    }
    const Token& word = next();
    if (word.is_word("RULES")) {
      rules_seen_ = true;
      rules();
    } else if (word.is_word("VAR")) {
      variables();
    } else if (word.is_word("STRATEGY")) {
      strategy();
    } else if (word.is_word("THEORY")) {
      theory(word);
    } else if (word.is(Kind::word)) {
      if (!word.is_word("COMMENT")) refuse_section(word);
      skip_to_close();
    } else {
      missing(word, "the name of a section", form_of_rules);
      stopped_ = true;
    }
  }

  void refuse_section(const Token& word) {
    error(
        "E0131", word, "the section `" + word.text + "` is not supported",
        "VAR, RULES, STRATEGY, THEORY and COMMENT are read: conditional, sorted, higher-order and "
        "context-sensitive systems and pairs are not; what says nothing about the rules goes into "
        "a COMMENT");
  }

  void variables() {
    while (peek().is(Kind::word)) next();
    expect(Kind::close, "`)`", "write (VAR x y)");
  }

  void strategy() {
    const Token& name = next();
    if (name.is_word("INNERMOST")) {
      system_.strategy = Strategy::innermost;
    } else if (name.is_word("OUTERMOST")) {
      system_.strategy = Strategy::outermost;
    } else if (!name.is_word("FULL")) {
      error("E0134", name, "the strategy `" + name.text + "` is not supported",
            "FULL, INNERMOST and OUTERMOST are known");
    }
    skip_to_close();
  }

  void theory(const Token& word) {
    if (!peek().is(Kind::close)) {
      error("E0134", word, "rewriting modulo a theory is not supported",
            "an answer without it would be about another system");
    }
    skip_to_close();
  }

  void rules() {
    const std::size_t first = place();
    const bool strings = looks_like_strings();
    if (!system_.rules.empty() && strings != strings_) {
      return_to(first);
      error("E0131", peek(), "rules between strings and rules between terms are mixed",
            "write the rules of strings in one section");
      stopped_ = true;
      return;
    }
    if (strings) {
      string_rules();
      return;
    }
    return_to(first);
    while (!peek().is(Kind::close) && !peek().is(Kind::end)) {
      if (!rule()) {
        stopped_ = true;
        return;
      }
      if (peek().is(Kind::comma)) next();
    }
    expect(Kind::close, "`)`", form_of_rules);
  }

  // No brackets, no variables, and not just rules between constants: a -> b c -> d.
  bool looks_like_strings() {
    if (variables_declared_) return false;
    bool constants = true;
    std::size_t part = 0;  // of a rule between constants: word, arrow, word
    for (std::size_t i = place(); !token(i).is(Kind::close); ++i) {
      if (token(i).is(Kind::open) || token(i).is(Kind::end)) return false;
      const bool arrow = is_arrow(token(i)) || token(i).is_word("->=");
      constants = constants && token(i).is(Kind::word) && arrow == (part == 1);
      part = (part + 1) % 3;
    }
    return !constants || part != 0;
  }

  std::uint32_t symbol(const std::string& name, std::uint32_t arity) {
    const auto [found, made] =
        symbols_.emplace(name, static_cast<std::uint32_t>(system_.symbols.size()));
    if (made) system_.symbols.push_back({name, arity, {}, 0});
    return found->second;
  }

  bool arrow() {
    if (is_arrow(peek())) {
      next();
      return true;
    }
    if (peek().is_word("->=")) {
      error("E0131", peek(), "relative rules are not supported", other_system);
    } else if (peek().is_word("==")) {
      error("E0131", peek(), "equations are not supported", other_system);
    } else {
      missing(peek(), "`->`", form_of_rules);
    }
    return false;
  }

  void string_rules() {
    strings_ = true;
    while (!peek().is(Kind::close) && !peek().is(Kind::end)) {
      const Token first = peek();
      Rule rule;
      rule.variables.push_back({"x", 0});
      if (!word(rule.left) || !arrow() || !word(rule.right)) {
        if (!failed_) missing(peek(), "a string", "write (RULES a b -> b a)");
        stopped_ = true;
        return;
      }
      rule.span = span(first, token(place() - 1));
      system_.rules.push_back(std::move(rule));
      if (peek().is(Kind::comma)) next();
    }
    expect(Kind::close, "`)`", form_of_rules);
  }

  bool word(Term& out) {
    while (peek().is(Kind::word) && !is_arrow(peek()) && !peek().is_word("->=")) {
      out.push_back(static_cast<std::int32_t>(symbol(next().text, 1)));
    }
    out.push_back(~0);
    return true;
  }

  bool rule() {
    const Token first = peek();
    Rule rule;
    names_.clear();
    if (!term(rule, rule.left) || !arrow() || !term(rule, rule.right)) return false;
    rule.span = span(first, token(place() - 1));
    if (peek().is(Kind::bar)) {
      error("E0131", peek(), "conditions of rules are not supported", other_system);
      return false;
    }
    system_.rules.push_back(std::move(rule));
    return true;
  }

  struct Open {
    Token token;
    std::size_t at;  // in the term, where the symbol goes when its arguments are counted
    std::uint32_t seen = 0;
  };

  // One term, without recursion. False after an error.
  bool term(Rule& rule, Term& out) {
    std::vector<Open> open;
    while (true) {
      const Token& name = next();
      if (!name.is(Kind::word) || is_arrow(name)) {
        missing(name, "a term", form_of_rules);
        return false;
      }
      if (!open.empty()) ++open.back().seen;
      out.push_back(0);
      if (peek().is(Kind::open)) {
        if (variables_.contains(name.text)) {
          error("E0131", name, "the variable `" + name.text + "` has arguments",
                "higher-order systems are not supported: call the function otherwise");
          return false;
        }
        next();
        open.push_back({name, out.size() - 1});
        if (!peek().is(Kind::close)) continue;
      } else if (variables_.contains(name.text)) {
        out.back() = ~variable(rule, name);
      } else if (!place_symbol(out, {name, out.size() - 1})) {
        return false;
      }
      while (!open.empty() && peek().is(Kind::close)) {
        next();
        if (!place_symbol(out, open.back())) return false;
        open.pop_back();
      }
      if (open.empty()) return true;
      if (!expect(Kind::comma, "`,` or `)`", "a term is written f(a, g(b))")) return false;
    }
  }

  bool place_symbol(Term& out, const Open& open) {
    const std::uint32_t number = symbol(open.token.text, open.seen);
    out[open.at] = static_cast<std::int32_t>(number);
    if (system_.symbols[number].arity == open.seen) return true;
    error("E0133", open.token,
          "`" + open.token.text + "` has " + arguments(open.seen) + " here and " +
              std::to_string(system_.symbols[number].arity) + " before",
          "give it as many everywhere, or call one of the functions otherwise");
    return false;
  }

  static constexpr const char* form_of_rules = "a system is written (VAR x y) (RULES f(x, y) -> x)";
  static constexpr const char* other_system =
      "leave it out: an answer without it would be about another system";

  std::unordered_set<std::string> variables_;
  bool variables_declared_ = false;
  bool rules_seen_ = false;
  bool strings_ = false;
  bool stopped_ = false;
};

}  // namespace

std::optional<System> read_wst(const std::shared_ptr<const syntax::SourceFile>& file,
                               syntax::Diagnostics& diagnostics) {
  return WstReader(file, wst_tokens(file), diagnostics).read();
}

namespace {

// The older format names its sections in capitals, and has no comments before the first of them;
// those of ARI begin with a semicolon. What stands in a comment tells nothing.
bool looks_older(std::string_view text) {
  std::size_t place = 0;
  while (place < text.size() && (blank(text[place]) || text[place] == ';')) {
    if (text[place] == ';') place = std::min(text.find('\n', place), text.size() - 1);
    ++place;
  }
  if (!text.substr(place).starts_with('(')) return false;
  ++place;
  while (place < text.size() && blank(text[place])) ++place;
  return place < text.size() && text[place] >= 'A' && text[place] <= 'Z';
}

}  // namespace

std::optional<System> read(const std::shared_ptr<const syntax::SourceFile>& file,
                           syntax::Diagnostics& diagnostics) {
  return looks_older(file->text()) ? read_wst(file, diagnostics) : read_ari(file, diagnostics);
}

}  // namespace rhopsi::trs
