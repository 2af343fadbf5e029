#include "frontend/trs/term_text.hpp"

#include <algorithm>
#include <set>

#include "frontend/trs/token.hpp"

namespace rhopsi::trs {
namespace {

bool alone(char c) { return c == '(' || c == ')' || c == ','; }

constexpr std::string_view arrow = "->";

}  // namespace

std::string arguments(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

std::string term_name(const std::string& name) {
  const bool plain =
      !name.empty() && name.front() != '|' &&
      std::none_of(name.begin(), name.end(), [](char c) { return blank(c) || alone(c); });
  return plain ? name : "|" + name + "|";
}

TextScanner::TextScanner(std::shared_ptr<const syntax::SourceFile> file, TermSyntax syntax)
    : file_(std::move(file)), text_(file_->text()), token_(text_.substr(0, 0)), syntax_(syntax) {
  advance();
}

bool TextScanner::arrow_at(std::size_t place) const {
  return syntax_ == TermSyntax::rec && text_.substr(place).starts_with(arrow);
}

bool TextScanner::at_name() const {
  const bool sign = token_.empty() || (token_.size() == 1 && alone(token_.front())) ||
                    (colons_ && token_ == ":") || arrow_at(begin_);
  return !sign && !at_open_quote();
}

bool TextScanner::at_open_quote() const {
  return syntax_ == TermSyntax::quoted && token_.starts_with('|') &&
         (token_.size() == 1 || token_.back() != '|');
}

void TextScanner::advance() {
  const bool comments = syntax_ == TermSyntax::rec;
  std::size_t place = begin_ + token_.size();
  last_end_ = static_cast<std::uint32_t>(place);
  while (place < text_.size() && (blank(text_[place]) || (comments && text_[place] == '%'))) {
    if (text_[place] == '%') {
      while (place < text_.size() && text_[place] != '\n') ++place;
    } else {
      ++place;
    }
  }
  begin_ = static_cast<std::uint32_t>(place);
  token_ = text_.substr(place, token_end(place) - place);
}

std::size_t TextScanner::token_end(std::size_t begin) const {
  const std::string_view rest = text_.substr(begin);
  if (rest.empty()) return begin;
  if (alone(rest.front()) || (colons_ && rest.front() == ':')) return begin + 1;
  if (syntax_ == TermSyntax::quoted && rest.front() == '|') {
    const std::size_t close = rest.find('|', 1);
    return close == std::string_view::npos ? text_.size() : begin + close + 1;
  }
  if (arrow_at(begin)) {
    if (rest.starts_with("->/<-")) return begin + 5;
    return begin + (rest.starts_with("-><-") ? 4 : arrow.size());
  }
  const bool comments = syntax_ == TermSyntax::rec;
  std::size_t end = begin;
  while (end < text_.size() && !blank(text_[end]) && !alone(text_[end]) &&
         !(comments && text_[end] == '%') && !(colons_ && text_[end] == ':') && !arrow_at(end)) {
    ++end;
  }
  return end;
}

syntax::Span TextScanner::span() const {
  return {file_, begin_, static_cast<std::uint32_t>(begin_ + token_.size())};
}

TermReader::TermReader(System& system, syntax::Diagnostics& diagnostics)
    : system_(system), diagnostics_(diagnostics) {
  for (std::uint32_t i = 0; i < system.symbols.size(); ++i) add_symbol(i);
}

void TermReader::add_symbol(std::uint32_t number) {
  symbols_[system_.symbols[number].name].push_back(number);
}

std::uint32_t TermReader::declare(const std::string& name, std::size_t arity) {
  const auto number = static_cast<std::uint32_t>(system_.symbols.size());
  system_.symbols.push_back({name, static_cast<std::uint32_t>(arity), {}, 0});
  add_symbol(number);
  return number;
}

std::string TermReader::name_of(const TextScanner& scanner, const Open& open) {
  return std::string(scanner.file()->text().substr(open.begin, open.length));
}

bool TermReader::at_stop(const TextScanner& scanner) const {
  return scanner.peek().empty() || (section_ != nullptr && section_(scanner.peek()));
}

void TermReader::expected(const TextScanner& scanner, const char* what,
                          const std::vector<Open>& open) {
  if (scanner.at_open_quote()) {
    diagnostics_.error("E0130", scanner.span(), "a quoted name is never closed", "close it with |");
    return;
  }
  const char* const note = scanner.peek().empty() ? "the text ends too early"
                           : at_stop(scanner) ? "a section begins here, where a term is not over"
                                              : "a term is written f(a, g(b))";
  syntax::Diagnostic& error =
      diagnostics_.error("E0130", scanner.span(), std::string(what) + " is expected here", note);
  if (open.empty() || !at_stop(scanner)) return;
  const Open& last = open.back();
  error.related.push_back({{scanner.file(), last.begin, last.begin + last.length},
                           "the bracket behind this name is not closed"});
}

std::optional<std::uint32_t> TermReader::choose(const std::string& name, const Open& open) const {
  const auto found = symbols_.find(name);
  if (found == symbols_.end()) return std::nullopt;
  const std::size_t count = sorts_.size() - open.first_sort;
  for (const std::uint32_t number : found->second) {
    const Symbol& symbol = system_.symbols[number];
    if (symbol.arity != count) continue;
    if (std::equal(symbol.parameters.begin(), symbol.parameters.end(),
                   sorts_.begin() + static_cast<std::ptrdiff_t>(open.first_sort))) {
      return number;
    }
  }
  return std::nullopt;
}

std::string TermReader::declaration(std::uint32_t number) const {
  const Symbol& symbol = system_.symbols[number];
  if (system_.sorts.empty()) return symbol.name + " of " + arguments(symbol.arity);
  std::string text = symbol.name + " :";
  for (const std::uint32_t sort : symbol.parameters) text += " " + system_.sorts[sort];
  return text + " -> " + system_.sorts[symbol.result];
}

// One declaration: which argument is wrong. Several: what was given, which suits none of them.
void TermReader::report_sorts(const syntax::Span& span, const std::string& name,
                              const std::vector<std::uint32_t>& overloads, const Open& open) {
  const auto given = [&](std::size_t i) { return system_.sorts[sorts_[open.first_sort + i]]; };
  const std::size_t count = sorts_.size() - open.first_sort;
  std::string declared;
  const Symbol* only = nullptr;
  std::size_t fitting = 0;
  for (const std::uint32_t number : overloads) {
    if (system_.symbols[number].arity != count) continue;
    only = &system_.symbols[number];
    ++fitting;
    declared += (declared.empty() ? "" : "; ") + declaration(number);
  }
  std::string message;
  for (std::size_t i = 0; fitting == 1 && i < count; ++i) {
    if (only->parameters[i] == sorts_[open.first_sort + i]) continue;
    message = "argument " + std::to_string(i + 1) + " of " + name + " is of sort `" + given(i) +
              "`, where `" + system_.sorts[only->parameters[i]] + "` is expected";
    break;
  }
  if (message.empty()) {
    for (std::size_t i = 0; i < count; ++i) message += (i == 0 ? "" : ", ") + given(i);
    message = name + " has no declaration for arguments of the sorts " + message;
  }
  diagnostics_.error("E0135", span, message, "write it as it is declared: " + declared);
}

void TermReader::report(const TextScanner& scanner, const Open& open) {
  const syntax::Span span{scanner.file(), open.begin, open.begin + open.length};
  const std::string spelling = name_of(scanner, open);
  const std::string name = "`" + spelling + "`";
  const auto found = symbols_.find(spelling);
  if (found == symbols_.end()) {
    diagnostics_.error("E0132", span, "nothing called " + name + " is declared",
                       "declare it, or mend the name");
    return;
  }
  const std::size_t count = sorts_.size() - open.first_sort;
  std::set<std::uint32_t> counts;
  std::string declared;
  for (const std::uint32_t number : found->second) {
    counts.insert(system_.symbols[number].arity);
    declared += (declared.empty() ? "" : "; ") + declaration(number);
  }
  if (counts.contains(static_cast<std::uint32_t>(count))) {
    report_sorts(span, name, found->second, open);
    return;
  }
  std::string takes;
  for (const std::uint32_t each : counts) {
    const bool last = each == *counts.rbegin();
    takes += (takes.empty() ? "" : " or ") + (last ? arguments(each) : std::to_string(each));
  }
  diagnostics_.error("E0133", span, name + " takes " + takes + ", not " + std::to_string(count),
                     "write it as it is declared: " + declared);
}

bool TermReader::close(const TextScanner& scanner, const Open& open, Term& term) {
  const std::string name = name_of(scanner, open);
  auto number = choose(name, open);
  if (!number && declares_ && !knows(name)) number = declare(name, sorts_.size() - open.first_sort);
  if (!number) {
    report(scanner, open);
    return false;
  }
  term[open.at] = static_cast<std::int32_t>(*number);
  sorts_.resize(open.first_sort);
  sorts_.push_back(system_.symbols[*number].result);
  return true;
}

std::optional<Term> TermReader::read(TextScanner& scanner, const Variables& variables) {
  Term term;
  std::vector<Open> open;
  sorts_.clear();
  while (true) {
    if (!scanner.at_name() || at_stop(scanner)) {
      expected(scanner, "a term", open);
      return std::nullopt;
    }
    const bool quoted = scanner.at_quoted();
    std::string_view name = scanner.peek();
    if (quoted) name = name.substr(1, name.size() - 2);
    const Open each{scanner.begin() + (quoted ? 1U : 0U), static_cast<std::uint32_t>(name.size()),
                    static_cast<std::uint32_t>(term.size()),
                    static_cast<std::uint32_t>(sorts_.size())};
    term.push_back(0);
    scanner.advance();
    if (scanner.at("(")) {
      scanner.advance();
      open.push_back(each);
      if (!scanner.at(")")) continue;
    } else if (const auto variable = variables ? variables(name, each.begin) : std::nullopt) {
      term.back() = variable->number;
      sorts_.push_back(variable->sort);
    } else if (!close(scanner, each, term)) {
      return std::nullopt;
    }
    while (!open.empty() && scanner.at(")")) {
      scanner.advance();
      if (!close(scanner, open.back(), term)) return std::nullopt;
      open.pop_back();
    }
    if (open.empty()) break;
    if (!scanner.at(",")) {
      expected(scanner, "`,` or `)`", open);
      return std::nullopt;
    }
    scanner.advance();
  }
  last_sort_ = sorts_.back();
  return term;
}

}  // namespace rhopsi::trs
