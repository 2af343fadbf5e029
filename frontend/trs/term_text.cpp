#include "frontend/trs/term_text.hpp"

#include <algorithm>

#include "frontend/trs/token.hpp"

namespace rhopsi::trs {
namespace {

bool alone(char c) { return c == '(' || c == ')' || c == ','; }

constexpr std::string_view arrow = "->";

}  // namespace

TextScanner::TextScanner(std::shared_ptr<const syntax::SourceFile> file)
    : file_(std::move(file)), text_(file_->text()), token_(text_.substr(0, 0)) {
  advance();
}

void TextScanner::advance() {
  std::size_t place = begin_ + token_.size();
  last_end_ = static_cast<std::uint32_t>(place);
  while (place < text_.size() && (blank(text_[place]) || text_[place] == '%')) {
    if (text_[place] == '%') {
      while (place < text_.size() && text_[place] != '\n') ++place;
    } else {
      ++place;
    }
  }
  begin_ = static_cast<std::uint32_t>(place);
  std::size_t end = place;
  const std::string_view rest = text_.substr(place);
  if (rest.starts_with("->/<-")) {
    end += 5;
  } else if (rest.starts_with("-><-")) {
    end += 4;
  } else if (rest.starts_with(arrow)) {
    end += 2;
  } else if (!rest.empty() && (alone(rest.front()) || (colons_ && rest.front() == ':'))) {
    end += 1;
  } else {
    while (end < text_.size() && !blank(text_[end]) && !alone(text_[end]) && text_[end] != '%' &&
           !(colons_ && text_[end] == ':') &&
           !(text_[end] == '-' && text_.substr(end).starts_with(arrow))) {
      ++end;
    }
  }
  token_ = text_.substr(place, end - place);
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
  std::string given;
  for (std::size_t i = open.first_sort; i < sorts_.size() && !system_.sorts.empty(); ++i) {
    given += (given.empty() ? "" : ", ") + system_.sorts[sorts_[i]];
  }
  const bool counted =
      std::any_of(found->second.begin(), found->second.end(),
                  [&](std::uint32_t number) { return system_.symbols[number].arity == count; });
  diagnostics_.error(counted ? "E0135" : "E0133", span,
                     name + " takes other arguments than " + std::to_string(count) +
                         (given.empty() ? "" : " of the sorts " + given),
                     "its declaration says how many and of which sorts");
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
  const auto expected = [&](const char* what) {
    diagnostics_.error("E0130", scanner.span(), std::string(what) + " is expected here",
                       scanner.peek().empty() ? "the text ends too early" : "");
    return std::nullopt;
  };
  while (true) {
    const std::string_view name = scanner.peek();
    if (name.empty() || name == "(" || name == ")" || name == "," || name.starts_with("->")) {
      return expected("a term");
    }
    const Open each{scanner.begin(), static_cast<std::uint32_t>(name.size()),
                    static_cast<std::uint32_t>(term.size()),
                    static_cast<std::uint32_t>(sorts_.size())};
    term.push_back(0);
    scanner.advance();
    if (scanner.at("(")) {
      scanner.advance();
      open.push_back(each);
      if (!scanner.at(")")) continue;
    } else if (const auto variable = variables ? variables(name) : std::nullopt) {
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
    if (!scanner.at(",")) return expected("`,` or `)`");
    scanner.advance();
  }
  last_sort_ = sorts_.back();
  return term;
}

}  // namespace rhopsi::trs
