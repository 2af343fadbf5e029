#include "frontend/trs/rec.hpp"

#include <algorithm>
#include <array>

#include "frontend/trs/term_text.hpp"

namespace rhopsi::trs {
namespace {

constexpr std::array<std::string_view, 7> sections{"SORTS", "CONS", "OPNS",    "VARS",
                                                   "RULES", "EVAL", "END-SPEC"};

bool is_section(std::string_view word) {
  return std::find(sections.begin(), sections.end(), word) != sections.end();
}

class RecReader {
 public:
  RecReader(const std::shared_ptr<const syntax::SourceFile>& file, syntax::Diagnostics& diagnostics)
      : scanner_(file, TermSyntax::rec),
        diagnostics_(diagnostics),
        terms_(problem_.system, diagnostics) {
    terms_.stop_at(is_section);
  }

  std::optional<RecProblem> read() {
    scanner_.split_at_colons(true);
    if (!skip("REC-SPEC", "`REC-SPEC`") || !name("a name")) return std::nullopt;
    scanner_.advance();
    if (scanner_.at(":")) return refuse_imports();
    while (!scanner_.at("END-SPEC")) {
      if (!section()) return std::nullopt;
    }
    return std::move(problem_);
  }

 private:
  bool expected(const char* what) {
    diagnostics_.error(
        "E0130", scanner_.span(), std::string(what) + " is expected here",
        scanner_.peek().empty()
            ? "the text ends too early"
            : "sections are SORTS, CONS, OPNS, VARS, RULES, EVAL and END-SPEC; write "
              "f : A B -> C, x y : A, l -> r if a -><- b and-if c ->/<- d");
    return false;
  }
  std::nullopt_t refuse_imports() {
    diagnostics_.error("E0131", scanner_.span(), "specifications that import others are not read",
                       "put what they declare into this file");
    return std::nullopt;
  }
  bool skip(std::string_view word, const char* what) {
    if (!scanner_.at(word)) return expected(what);
    scanner_.advance();
    return true;
  }
  // A name stands here.
  bool name(const char* what) {
    return scanner_.at_name() && !is_section(scanner_.peek()) ? true : expected(what);
  }
  bool section_ends() const { return scanner_.peek().empty() || is_section(scanner_.peek()); }

  bool section() {
    const std::string_view word = scanner_.peek();
    if (!is_section(word)) return expected("a section, or `END-SPEC`,");
    const bool declares = word == "SORTS" || word == "CONS" || word == "OPNS" || word == "VARS";
    // The word after the section is scanned with it.
    scanner_.split_at_colons(declares);
    scanner_.advance();
    while (!section_ends()) {
      const bool good = word == "SORTS"   ? sort()
                        : word == "VARS"  ? variables()
                        : word == "RULES" ? rule()
                        : word == "EVAL"  ? subject()
                                          : operation();
      if (!good) return false;
    }
    return scanner_.peek().empty() ? expected("`END-SPEC`") : true;
  }

  bool sort() {
    if (!name("a sort")) return false;
    const auto number = static_cast<std::uint32_t>(problem_.system.sorts.size());
    if (!sorts_.emplace(scanner_.peek(), number).second) {
      diagnostics_.error("E0132", scanner_.span(),
                         "the sort `" + std::string(scanner_.peek()) + "` is declared twice",
                         "name it once");
      return false;
    }
    problem_.system.sorts.emplace_back(scanner_.peek());
    scanner_.advance();
    return true;
  }

  bool sort_number(std::uint32_t& number) {
    if (!name("a sort")) return false;
    const auto found = sorts_.find(std::string(scanner_.peek()));
    if (found == sorts_.end()) {
      diagnostics_.error("E0132", scanner_.span(),
                         "no sort `" + std::string(scanner_.peek()) + "` is declared",
                         "name it under SORTS");
      return false;
    }
    number = found->second;
    scanner_.advance();
    return true;
  }

  bool names(const char* what, std::vector<std::pair<std::string, syntax::Span>>& all) {
    while (!scanner_.at(":")) {
      if (!name(what)) return false;
      all.emplace_back(scanner_.peek(), scanner_.span());
      scanner_.advance();
    }
    scanner_.advance();
    return all.empty() ? expected(what) : true;
  }

  bool operation() {
    std::vector<std::pair<std::string, syntax::Span>> all;
    if (!names("the name of an operation, or `:`,", all)) return false;
    Symbol symbol;
    while (!scanner_.at("->")) {
      symbol.parameters.emplace_back();
      if (!sort_number(symbol.parameters.back())) return false;
    }
    scanner_.advance();
    if (!sort_number(symbol.result)) return false;
    symbol.arity = static_cast<std::uint32_t>(symbol.parameters.size());
    for (const auto& [name, span] : all) {
      symbol.name = name;
      if (!declare(symbol, span)) return false;
    }
    return true;
  }

  bool declare(const Symbol& symbol, const syntax::Span& span) {
    const auto& symbols = problem_.system.symbols;
    if (terms_.knows(symbol.name) &&
        std::any_of(symbols.begin(), symbols.end(), [&](const Symbol& each) {
          return each.name == symbol.name && each.parameters == symbol.parameters;
        })) {
      diagnostics_.error("E0132", span, "`" + symbol.name + "` is declared twice",
                         "operations of one name differ in their arguments");
      return false;
    }
    if (symbol.arity == 0 && variables_.contains(symbol.name))
      return refuse_two_uses(symbol.name, span);
    problem_.system.symbols.push_back(symbol);
    terms_.add_symbol(static_cast<std::uint32_t>(symbols.size() - 1));
    return true;
  }

  // In a term nothing would tell which of them is meant.
  bool refuse_two_uses(const std::string& name, const syntax::Span& span) {
    diagnostics_.error("E0132", span, "`" + name + "` is declared as a variable and as a constant",
                       "call one of them otherwise");
    return false;
  }

  bool is_constant(const std::string& name) const {
    const auto& symbols = problem_.system.symbols;
    return terms_.knows(name) &&
           std::any_of(symbols.begin(), symbols.end(),
                       [&](const Symbol& each) { return each.arity == 0 && each.name == name; });
  }

  bool variables() {
    std::vector<std::pair<std::string, syntax::Span>> all;
    std::uint32_t number = 0;
    if (!names("a variable, or `:`,", all) || !sort_number(number)) return false;
    for (const auto& [name, span] : all) {
      if (is_constant(name)) return refuse_two_uses(name, span);
      if (!variables_.emplace(name, number).second) {
        diagnostics_.error("E0132", span, "the variable `" + name + "` is declared twice");
        return false;
      }
    }
    return true;
  }

  std::optional<TermReader::Known> variable(Rule& rule, std::string_view name,
                                            std::uint32_t begin) {
    const auto found = variables_.find(std::string(name));
    if (found == variables_.end()) return std::nullopt;
    const auto known = std::find_if(rule.variables.begin(), rule.variables.end(),
                                    [&](const Variable& each) { return each.name == name; });
    const auto number = static_cast<std::int32_t>(known - rule.variables.begin());
    if (known == rule.variables.end()) {
      const auto end = static_cast<std::uint32_t>(begin + name.size());
      rule.variables.push_back({found->first, found->second, {scanner_.file(), begin, end}});
    }
    return TermReader::Known{~number, found->second};
  }

  // A term of the sort of `like`, if there is one.
  bool term(Rule& rule, Term& out, std::optional<std::uint32_t> sort) {
    const std::uint32_t begin = scanner_.begin();
    auto read = terms_.read(scanner_, [&](std::string_view name, std::uint32_t begin) {
      return variable(rule, name, begin);
    });
    if (!read) return false;
    out = std::move(*read);
    if (!sort || *sort == terms_.last_sort()) return true;
    diagnostics_.error("E0135", scanner_.span_from(begin),
                       "this side is of sort " + problem_.system.sorts[terms_.last_sort()] +
                           ", the other of sort " + problem_.system.sorts[*sort],
                       "both sides need one sort");
    return false;
  }

  bool rule() {
    const std::uint32_t begin = scanner_.begin();
    Rule rule;
    if (!term(rule, rule.left, std::nullopt) || !skip("->", "`->`") ||
        !term(rule, rule.right, terms_.last_sort())) {
      return false;
    }
    if (condition_follows("if")) {
      do {
        scanner_.advance();
        if (!condition(rule)) return false;
      } while (condition_follows("and-if"));
    }
    rule.span = scanner_.span_from(begin);
    problem_.system.rules.push_back(std::move(rule));
    return true;
  }

  // An operation may have this name: then `if(x)` and `if ->` begin the next rule. No condition
  // begins with a bracket or an arrow.
  bool condition_follows(std::string_view word) const {
    if (!scanner_.at(word)) return false;
    if (!terms_.knows(std::string(word))) return true;
    TextScanner ahead = scanner_;
    ahead.advance();
    return !ahead.at("(") && !ahead.at("->");
  }

  bool condition(Rule& rule) {
    Condition condition;
    if (!term(rule, condition.left, std::nullopt)) return false;
    condition.different = scanner_.at("->/<-");
    if (!condition.different && !scanner_.at("-><-")) return expected("`-><-` or `->/<-`");
    scanner_.advance();
    if (!term(rule, condition.right, terms_.last_sort())) return false;
    rule.conditions.push_back(std::move(condition));
    return true;
  }

  bool subject() {
    auto read = terms_.read(scanner_, {});
    if (!read) return false;
    problem_.subjects.push_back(std::move(*read));
    return true;
  }

  TextScanner scanner_;
  syntax::Diagnostics& diagnostics_;
  RecProblem problem_;
  TermReader terms_;
  std::unordered_map<std::string, std::uint32_t> sorts_;
  std::unordered_map<std::string, std::uint32_t> variables_;
};

}  // namespace

bool looks_like_rec(const syntax::SourceFile& file) {
  const std::string_view text = file.text();
  std::size_t place = 0;
  while (place < text.size() && (text[place] == '%' || text[place] <= ' ')) {
    if (text[place] == '%') {
      while (place < text.size() && text[place] != '\n') ++place;
    } else {
      ++place;
    }
  }
  return text.substr(place).starts_with("REC-SPEC");
}

std::optional<RecProblem> read_rec(const std::shared_ptr<const syntax::SourceFile>& file,
                                   syntax::Diagnostics& diagnostics) {
  return RecReader(file, diagnostics).read();
}

std::optional<Term> read_term(const std::shared_ptr<const syntax::SourceFile>& file, System& system,
                              TermSyntax syntax, syntax::Diagnostics& diagnostics) {
  TextScanner scanner(file, syntax);
  TermReader reader(system, diagnostics);
  reader.declare_what_is_new(system.sorts.empty());
  auto term = reader.read(scanner, {});
  if (term && !scanner.peek().empty()) {
    diagnostics.error("E0130", scanner.span(), "the end is expected here",
                      "one term without variables is read");
    return std::nullopt;
  }
  return term;
}

}  // namespace rhopsi::trs
