#include <array>
#include <set>

#include "engine/check/reader.hpp"
#include "engine/check/words.hpp"

namespace rhopsi::check {

using term::Control;
using term::Store;
using term::SymbolKind;

void Part::fail(const std::string& message) const { throw Unreadable{{place_, message}}; }

void Part::expect_keys(const std::vector<std::string>& needed,
                       const std::vector<std::string>& possible) const {
  if (!json_.is_object()) fail("an object is expected");
  std::size_t found = 0;
  for (const std::string& key : needed) {
    if (!json_.contains(key)) fail("'" + key + "' is missing");
    ++found;
  }
  for (const std::string& key : possible) found += json_.contains(key) ? 1 : 0;
  if (found != json_.size()) fail("something is here that has no meaning");
}

Part Part::operator[](const std::string& key) const {
  return {json_.at(key), place_.empty() ? key : place_ + "." + key};
}

std::size_t Part::size() const {
  if (!json_.is_array()) fail("a list is expected");
  return json_.size();
}

Part Part::at(std::size_t index) const {
  if (index >= size()) fail("the list is too short");
  return {json_[index], place_ + "[" + std::to_string(index) + "]"};
}

std::vector<Part> Part::list() const {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < size(); ++i) parts.push_back(at(i));
  return parts;
}

std::string Part::text() const {
  if (!json_.is_string()) fail("a text is expected");
  return json_.get<std::string>();
}

bool Part::truth() const {
  if (!json_.is_boolean()) fail("true or false is expected");
  return json_.get<bool>();
}

std::int64_t Part::integer() const {
  const bool large = json_.is_number_unsigned() && json_.get<std::uint64_t>() > INT64_MAX;
  if (!json_.is_number_integer() || large) fail("an integer of 64 bits is expected");
  return json_.get<std::int64_t>();
}

std::size_t Part::index(std::size_t bound, const char* what) const {
  const std::int64_t value = integer();
  if (value < 0 || static_cast<std::size_t>(value) >= bound) {
    fail("there is no such " + std::string(what) + ": " + std::to_string(value));
  }
  return static_cast<std::size_t>(value);
}

term::SortId TermTables::sort(const Part& part) const {
  return sorts_[part.index(sorts_.size(), "sort")];
}

SymbolId TermTables::symbol(const Part& part) const {
  return symbols_[part.index(symbols_.size(), "symbol")];
}

SymbolId TermTables::variable(const Part& part) const {
  const SymbolId symbol = this->symbol(part);
  if (store_[symbol].kind != SymbolKind::variable) part.fail("a variable is expected");
  return symbol;
}

TermId TermTables::term(const Part& part) const {
  return terms_[part.index(terms_.size(), "term before it")];
}

std::vector<term::SortId> TermTables::sorts_of(const Part& part) const {
  std::vector<term::SortId> sorts;
  for (const Part& each : part.list()) sorts.push_back(sort(each));
  return sorts;
}

void TermTables::read(const Part& sorts, const Part& symbols, const Part& terms) {
  std::set<term::SortId> known_sorts;
  for (const Part& each : sorts.list()) {
    sorts_.push_back(store_.sort(each.text()));
    if (!known_sorts.insert(sorts_.back()).second) each.fail("this sort is there already");
  }
  std::set<SymbolId> known_symbols;
  for (const Part& each : symbols.list()) {
    symbols_.push_back(read_symbol(each));
    if (!known_symbols.insert(symbols_.back()).second) each.fail("this symbol is there already");
  }
  std::set<std::vector<std::uint32_t>> known_terms;
  for (const Part& each : terms.list()) {
    const SymbolId symbol = this->symbol(each.at(0));
    std::vector<SymbolId> bound;
    std::vector<TermId> children;
    std::size_t next = 1;
    if (each.size() > 1 && each.at(1).is_array()) {
      for (const Part& variable : each.at(next++).list()) bound.push_back(this->variable(variable));
      if (bound.empty()) each.fail("an empty list of variables");
    }
    for (; next < each.size(); ++next) children.push_back(term(each.at(next)));
    check(each, store_[symbol], bound, children);
    std::vector<std::uint32_t> key{static_cast<std::uint32_t>(symbol),
                                   static_cast<std::uint32_t>(bound.size())};
    for (SymbolId variable : bound) key.push_back(static_cast<std::uint32_t>(variable));
    for (TermId child : children) key.push_back(static_cast<std::uint32_t>(child));
    if (!known_terms.insert(std::move(key)).second) each.fail("this term is there already");
    terms_.push_back(store_.make(symbol, children, bound));
  }
}

SymbolId TermTables::read_symbol(const Part& part) {
  const auto kind = symbol_kind(part.at(0).text());
  if (!kind) part.fail("there is no such kind of symbol");
  const auto expect = [&](std::size_t parts) {
    if (part.size() != parts) part.fail("a symbol of this kind has another number of parts");
  };
  switch (*kind) {
    case SymbolKind::function:
    case SymbolKind::predicate: {
      expect(4);
      const term::SortId result = sort(part.at(3));
      if (*kind == SymbolKind::predicate && result != store_.predicate_sort()) {
        part.fail("a predicate is no function");
      }
      return store_.operation(*kind, part.at(1).text(), sorts_of(part.at(2)), result);
    }
    case SymbolKind::procedure: {
      expect(4);
      const auto sorts = sorts_of(part.at(2));
      std::vector<term::Mode> modes;
      for (const Part& each : part.at(3).list()) {
        const auto found = mode(each.text());
        if (!found) each.fail("there is no such mode");
        modes.push_back(*found);
      }
      if (modes.size() != sorts.size()) part.fail("each parameter has one mode");
      return store_.operation(*kind, part.at(1).text(), sorts, store_.statement_sort(), modes);
    }
    case SymbolKind::variable:
      expect(4);
      return store_.fresh_variable(part.at(1).text(), sort(part.at(2)), part.at(3).truth());
    case SymbolKind::integer_literal:
      expect(3);
      return store_.integer_literal(part.at(1).integer(), sort(part.at(2)));
    case SymbolKind::real_literal:
      expect(3);
      return store_.real_literal(part.at(1).text(), sort(part.at(2)));
    case SymbolKind::control:
      return read_control(part);
  }
  part.fail("there is no such kind of symbol");
}

SymbolId TermTables::read_control(const Part& part) {
  const auto which = control(part.at(1).text());
  if (!which) part.fail("there is no such construct");
  const term::SortId result = sort(part.at(2));
  if (*which != Control::fold) {
    if (part.size() != 3) part.fail("a construct has a name and a sort");
    return store_.control(*which, result);
  }
  if (part.size() != 4) part.fail("a fold names its operation");
  const SymbolId operation = symbol(part.at(3));
  const term::Symbol& folded = store_[operation];
  if (folded.kind != SymbolKind::function || folded.parameters.size() != 2 ||
      folded.result != result) {
    part.fail("this operation cannot be folded");
  }
  return store_.control(*which, result, operation);
}

void TermTables::check(const Part& part, const term::Symbol& symbol,
                       const std::vector<SymbolId>& bound,
                       const std::vector<TermId>& children) const {
  if (symbol.kind == SymbolKind::control) return check_control(part, symbol, bound, children);
  if (!bound.empty()) part.fail("only constructs bind variables");
  if (children.size() != symbol.parameters.size()) {
    part.fail("`" + symbol.name + "` has another number of arguments");
  }
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (store_.sort(children[i]) != symbol.parameters[i]) {
      part.fail("`" + symbol.name + "` has an argument of another sort");
    }
    if (symbol.modes[i] != term::Mode::obs && !store_.is_variable(children[i])) {
      part.fail("only variables can be changed");
    }
  }
}

void TermTables::check_control(const Part& part, const term::Symbol& symbol,
                               const std::vector<SymbolId>& bound,
                               const std::vector<TermId>& children) const {
  struct Form {
    Control control;
    std::size_t least;
    std::size_t most;
    std::size_t bound;
  };
  constexpr std::size_t any = 1'000'000'000;
  static constexpr std::array<Form, 13> forms{{{Control::block, 0, any, any},
                                               {Control::declare, 1, 2, 0},
                                               {Control::assign, 2, 2, 0},
                                               {Control::value, 1, 1, 0},
                                               {Control::skip, 0, 0, 0},
                                               {Control::assert_, 1, 1, 0},
                                               {Control::if_, 3, 3, 0},
                                               {Control::for_, 3, 3, 1},
                                               {Control::iterate, 2, 2, 0},
                                               {Control::while_, 3, 3, 0},
                                               {Control::fold, 2, 2, 1},
                                               {Control::forall, 2, 2, 1},
                                               {Control::vector_, 0, any, 0}}};
  for (const Form& form : forms) {
    if (form.control != symbol.control) continue;
    const bool binds = form.bound == any || bound.size() == form.bound;
    if (children.size() < form.least || children.size() > form.most || !binds) {
      part.fail("this construct has another number of parts");
    }
  }
  const bool changes = symbol.control == Control::declare || symbol.control == Control::assign;
  if (changes && !store_.is_variable(children[0])) part.fail("only variables can be changed");
}

}  // namespace rhopsi::check
