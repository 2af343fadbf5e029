// What literals may mean.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "frontend/elaborate/readings.hpp"

namespace rhopsi::elaborate {

std::optional<std::int64_t> integer_value(std::string_view text) {
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_finite_real(const std::string& text) {
  return std::isfinite(std::strtod(text.c_str(), nullptr));
}

bool is_integer_text(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Int, Real and, of vectors, Index are where a literal goes if nothing else decides; any other sort
// costs one.
void Readings::add_literal_readings(Node& node, const LiteralText& literal) const {
  const std::optional<std::int64_t> value =
      literal.real ? std::nullopt : integer_value(literal.text);
  if (!literal.real && !value) return;
  const std::string_view usual = literal.real ? "Real" : "Int";
  for (const term::Type& type : scope_.theory().types) {
    if (!(type.real_literals || (!literal.real && type.integer_literals))) continue;
    const term::SymbolId symbol = literal.real ? store_.real_literal(literal.text, type.sort)
                                               : store_.integer_literal(*value, type.sort);
    merge(node.readings, {type.sort, symbol, store_.name(type.sort) == usual ? 0u : 1u});
  }
}

NodeId Readings::literal(const LiteralText& literal, const syntax::Expr* source) {
  Node node;
  node.source = source;
  add_literal_readings(node, literal);
  return add(std::move(node));
}

NodeId Readings::negated_literal(const LiteralText& literal, NodeId argument,
                                 const syntax::Expr* source) {
  const NodeId plain = call("-_", {argument}, source);
  Node folded;
  add_literal_readings(folded, literal);
  for (const Reading& reading : folded.readings) {
    const std::vector<term::SymbolId>& declared = scope_.overloads("-_");
    const bool has_minus = std::any_of(declared.begin(), declared.end(), [&](term::SymbolId minus) {
      const std::vector<term::SortId>& parameters = store_[minus].parameters;
      return parameters.size() == 1 && parameters[0] == reading.sort;
    });
    if (!has_minus && at(argument, reading.sort)) merge(nodes_[plain].readings, reading);
  }
  return plain;
}

NodeId Readings::vector(std::vector<term::TermId> components, const syntax::Expr* source) {
  Node node;
  node.kind = Kind::vector;
  node.source = source;
  const bool reals = !components.empty() && takes_reals(store_.sort(components.front()));
  for (const term::Type& type : scope_.theory().types) {
    if (!type.vector_literals || (reals && !type.real_literals)) continue;
    merge(node.readings, {type.sort, {}, store_.name(type.sort) == "Index" ? 0u : 1u});
  }
  node.parts = std::make_unique<Parts>();
  node.parts->terms = std::move(components);
  return add(std::move(node));
}

bool Readings::takes_reals(term::SortId sort) const {
  const term::Type* type = scope_.theory().find_type(sort);
  return type != nullptr && type->real_literals;
}

Choice Readings::common_integer_sort(const std::vector<NodeId>& nodes) const {
  return common_sort(
      nodes, [](const term::Type& type) { return type.integer_literals && !type.real_literals; });
}

Choice Readings::common_component_sort(const std::vector<NodeId>& nodes) const {
  const Choice integers = common_integer_sort(nodes);
  if (integers.answer != Choice::Answer::none) return integers;
  return common_sort(
      nodes, [](const term::Type& type) { return type.real_literals && !type.vector_literals; });
}

Choice Readings::common_sort(const std::vector<NodeId>& nodes,
                             const std::function<bool(const term::Type&)>& allowed) const {
  Choice choice;
  std::uint32_t best_cost = 0;
  for (const term::Type& type : scope_.theory().types) {
    if (!allowed(type)) continue;
    std::uint32_t cost = 0;
    bool fits = true;
    for (NodeId node : nodes) {
      const Reading* reading = at(node, type.sort);
      fits = fits && reading;
      cost += reading ? reading->cost : 0;
    }
    const bool first = choice.answer == Choice::Answer::none;
    if (!fits || (!first && cost > best_cost)) continue;
    const bool tie = !first && cost == best_cost;
    choice =
        tie ? Choice{Choice::Answer::several, choice.sort} : Choice{Choice::Answer::one, type.sort};
    best_cost = cost;
  }
  return choice;
}

}  // namespace rhopsi::elaborate
