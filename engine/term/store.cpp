#include "engine/term/store.hpp"

#include <cstdlib>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>

namespace rhopsi::term {

namespace {

using OperationKey =
    std::tuple<SymbolKind, std::string, std::vector<SortId>, std::vector<Mode>, SortId>;
using LiteralKey = std::tuple<SymbolKind, std::string, SortId>;
using ControlKey = std::tuple<Control, SortId, SymbolId>;

struct LocationKey {
  std::uint32_t file;  // its number
  std::uint32_t line;
  std::uint32_t column;
  bool operator==(const LocationKey&) const = default;
};

struct LocationHash {
  std::size_t operator()(const LocationKey& key) const {
    const std::uint64_t place = (std::uint64_t{key.line} << 32 | key.column) ^
                                std::uint64_t{key.file} * 0x9E3779B97F4A7C15U;
    return std::hash<std::uint64_t>{}(place * 0xD6E8FEB86659FD93U >> 7);
  }
};

struct Node {
  SymbolId symbol;
  LocationId location;
  std::uint32_t first_child;
  std::uint32_t child_count;
  std::uint32_t first_bound;
  std::uint32_t bound_count : 31;
  std::uint32_t binds : 1;  // it, or a term in it, binds variables
};

template <class Id>
std::size_t index(Id id) {
  return static_cast<std::size_t>(id);
}

// The part may lie in the very vector that grows here.
template <class Id>
void append(std::vector<Id>& to, std::span<const Id> part) {
  const std::less<const Id*> before;
  const bool own = !part.empty() && !before(part.data(), to.data()) &&
                   before(part.data(), to.data() + to.size());
  const std::size_t from = own ? static_cast<std::size_t>(part.data() - to.data()) : 0;
  const std::size_t old_size = to.size();
  if (!own) {
    to.insert(to.end(), part.begin(), part.end());
    return;
  }
  to.resize(old_size + part.size());
  for (std::size_t i = 0; i < part.size(); ++i) to[old_size + i] = to[from + i];
}

}  // namespace

struct Store::Tables {
  std::deque<std::string> sorts;
  std::unordered_map<std::string, SortId> sort_ids;
  std::deque<Symbol> symbols;
  std::map<OperationKey, SymbolId> operations;
  std::map<LiteralKey, SymbolId> literals;
  std::map<ControlKey, SymbolId> controls;
  std::deque<Location> locations;
  std::unordered_map<LocationKey, LocationId, LocationHash> location_ids;
  std::unordered_map<std::string, std::uint32_t> files;
  std::vector<Node> nodes;
  std::vector<TermId> children;
  std::vector<SymbolId> bound;

  SymbolId add(Symbol symbol) {
    symbols.push_back(std::move(symbol));
    return SymbolId{static_cast<std::uint32_t>(symbols.size() - 1)};
  }
};

Store::Store() : tables_(std::make_unique<Tables>()) {
  // Symbol 0 and location 0 stand for "none".
  tables_->locations.emplace_back();
  statement_ = sort("<statement>");
  predicate_ = sort("Predicate");
  Symbol none{};
  none.kind = SymbolKind::control;
  none.result = statement_;
  tables_->add(std::move(none));
}

Store::~Store() = default;

SortId Store::sort(std::string_view name) {
  auto [place, inserted] = tables_->sort_ids.try_emplace(
      std::string(name), SortId{static_cast<std::uint32_t>(tables_->sorts.size())});
  if (inserted) tables_->sorts.emplace_back(name);
  return place->second;
}

const std::string& Store::name(SortId sort) const { return tables_->sorts[index(sort)]; }

SymbolId Store::operation(SymbolKind kind, std::string_view name,
                          std::span<const SortId> parameters, SortId result,
                          std::span<const Mode> modes) {
  std::vector<Mode> all_modes(modes.begin(), modes.end());
  all_modes.resize(parameters.size(), Mode::obs);
  OperationKey key{kind,
                   std::string(name),
                   {parameters.begin(), parameters.end()},
                   std::move(all_modes),
                   result};
  if (auto found = tables_->operations.find(key); found != tables_->operations.end()) {
    return found->second;
  }
  Symbol symbol{};
  symbol.kind = kind;
  symbol.name = name;
  symbol.parameters.assign(parameters.begin(), parameters.end());
  symbol.modes = std::get<3>(key);
  symbol.result = result;
  SymbolId id = tables_->add(std::move(symbol));
  tables_->operations.emplace(std::move(key), id);
  return id;
}

SymbolId Store::integer_literal(std::int64_t value, SortId sort) {
  LiteralKey key{SymbolKind::integer_literal, std::to_string(value), sort};
  if (auto found = tables_->literals.find(key); found != tables_->literals.end()) {
    return found->second;
  }
  Symbol symbol{};
  symbol.kind = SymbolKind::integer_literal;
  symbol.name = std::get<1>(key);
  symbol.result = sort;
  symbol.integer = value;
  symbol.real = static_cast<double>(value);
  SymbolId id = tables_->add(std::move(symbol));
  tables_->literals.emplace(std::move(key), id);
  return id;
}

SymbolId Store::real_literal(std::string_view spelling, SortId sort) {
  LiteralKey key{SymbolKind::real_literal, std::string(spelling), sort};
  if (auto found = tables_->literals.find(key); found != tables_->literals.end()) {
    return found->second;
  }
  Symbol symbol{};
  symbol.kind = SymbolKind::real_literal;
  symbol.name = spelling;
  symbol.result = sort;
  symbol.real = std::strtod(symbol.name.c_str(), nullptr);
  SymbolId id = tables_->add(std::move(symbol));
  tables_->literals.emplace(std::move(key), id);
  return id;
}

SymbolId Store::control(Control control, SortId result, SymbolId operation) {
  ControlKey key{control, result, operation};
  if (auto found = tables_->controls.find(key); found != tables_->controls.end()) {
    return found->second;
  }
  Symbol symbol{};
  symbol.kind = SymbolKind::control;
  symbol.control = control;
  symbol.result = result;
  symbol.operation = operation;
  SymbolId id = tables_->add(std::move(symbol));
  tables_->controls.emplace(key, id);
  return id;
}

SymbolId Store::fresh_variable(std::string_view name, SortId sort, bool assignable) {
  Symbol symbol{};
  symbol.kind = SymbolKind::variable;
  symbol.name = name;
  symbol.result = sort;
  symbol.assignable = assignable;
  return tables_->add(std::move(symbol));
}

const Symbol& Store::operator[](SymbolId symbol) const { return tables_->symbols[index(symbol)]; }

TermId Store::make(SymbolId symbol, std::span<const TermId> children,
                   std::span<const SymbolId> bound, LocationId location) {
  Tables& tables = *tables_;
  Node node{};
  node.symbol = symbol;
  node.location = location;
  node.first_child = static_cast<std::uint32_t>(tables.children.size());
  node.child_count = static_cast<std::uint32_t>(children.size());
  node.first_bound = static_cast<std::uint32_t>(tables.bound.size());
  node.bound_count = static_cast<std::uint32_t>(bound.size()) & 0x7FFFFFFFU;
  node.binds = !bound.empty();
  for (TermId child : children) node.binds |= tables.nodes[index(child)].binds;
  append(tables.children, children);
  append(tables.bound, bound);
  tables.nodes.push_back(node);
  return TermId{static_cast<std::uint32_t>(tables.nodes.size() - 1)};
}

TermId Store::make(SymbolId symbol, std::initializer_list<TermId> children, LocationId location) {
  return make(symbol, std::span<const TermId>(children.begin(), children.size()), {}, location);
}

SymbolId Store::symbol(TermId term) const { return tables_->nodes[index(term)].symbol; }

SortId Store::sort(TermId term) const { return (*this)[symbol(term)].result; }

std::span<const TermId> Store::children(TermId term) const {
  const Node& node = tables_->nodes[index(term)];
  return {tables_->children.data() + node.first_child, node.child_count};
}

std::span<const SymbolId> Store::bound(TermId term) const {
  const Node& node = tables_->nodes[index(term)];
  return {tables_->bound.data() + node.first_bound, node.bound_count};
}

bool Store::has_binder(TermId term) const { return tables_->nodes[index(term)].binds != 0; }

LocationId Store::location(TermId term) const { return tables_->nodes[index(term)].location; }

bool Store::is(TermId term, Control control) const {
  const Symbol& symbol = head(term);
  return symbol.kind == SymbolKind::control && symbol.control == control;
}

bool Store::is_variable(TermId term) const { return head(term).kind == SymbolKind::variable; }

LocationId Store::location(const Location& location) {
  const auto file =
      tables_->files.try_emplace(location.file, static_cast<std::uint32_t>(tables_->files.size()));
  const LocationKey key{file.first->second, location.line, location.column};
  auto [place, inserted] = tables_->location_ids.try_emplace(
      key, LocationId{static_cast<std::uint32_t>(tables_->locations.size())});
  if (inserted) tables_->locations.push_back(location);
  return place->second;
}

const Location& Store::operator[](LocationId location) const {
  return tables_->locations[index(location)];
}

std::size_t Store::term_count() const { return tables_->nodes.size(); }

std::size_t Store::symbol_count() const { return tables_->symbols.size(); }

std::size_t Store::bytes() const {
  return tables_->nodes.capacity() * sizeof(Node) + tables_->children.capacity() * sizeof(TermId) +
         tables_->bound.capacity() * sizeof(SymbolId);
}

}  // namespace rhopsi::term
