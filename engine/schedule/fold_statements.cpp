#include "engine/schedule/fold_statements.hpp"

#include <algorithm>

#include "engine/onf/alike.hpp"
#include "engine/onf/each_name.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Fold;
using onf::Let;
using onf::Statement;
using onf::VariableId;

bool is_fold(const Statement& statement) { return std::holds_alternative<Fold>(statement.form); }

VariableId name_of(const Statement& statement) {
  const auto* fold = std::get_if<Fold>(&statement.form);
  return fold != nullptr ? fold->variable : std::get<Let>(statement.form).variable;
}

void note_names(const Expr& e, std::set<VariableId>& names) {
  onf::each_part(e, [&](const Expr& part) {
    if (part.kind == Expr::Kind::variable) names.insert(part.variable);
  });
}

void note_names(const Statement& statement, std::set<VariableId>& names) {
  if (const auto* let = std::get_if<Let>(&statement.form)) return note_names(*let->value, names);
  const auto& fold = std::get<Fold>(statement.form);
  note_names(fold.count, names);
  onf::each_name(
      fold.body, [](onf::ViewId) {}, [&](VariableId variable) { names.insert(variable); });
  note_names(fold.element, names);
}

std::optional<std::int64_t> known_steps(const Fold& fold) {
  if (fold.count.kind != Expr::Kind::integer) return std::nullopt;
  std::int64_t inner = 1;
  for (const Statement& statement : fold.body) {
    if (const auto* other = std::get_if<Fold>(&statement.form)) {
      const auto steps = known_steps(*other);
      if (!steps) return std::nullopt;
      inner = std::max(inner, *steps);
    }
  }
  return std::min(fold.count.integer, fewest_steps) * std::min(inner, fewest_steps);
}

Expr number_like(const Expr& e, std::int64_t value) {
  Expr made;
  made.kind = Expr::Kind::integer;
  made.type = e.type;
  made.location = e.location;
  made.integer = value;
  return made;
}

Expr length_of(const Expr& end) {
  if (end.kind == Expr::Kind::length) return end;
  if (end.kind == Expr::Kind::integer && end.integer >= 0) return end;
  Expr length = number_like(end, 0);
  length.kind = Expr::Kind::apply;
  length.function = onf::ScalarFunction::maximum;
  length.operands = {number_like(end, 0), end};
  return length;
}

Loops loops_of(const onf::Function& function, const onf::Nest& nest) {
  const onf::View& target = function.views[onf::number(nest.target)];
  const auto& extents = function.blocks[onf::number(target.block)].extents;
  Loops loops;
  for (std::size_t axis = 0; axis < nest.indices.size(); ++axis) {
    const auto& [low, high] = (*nest.box)[axis];
    loops.push_back({nest.indices[axis], std::nullopt});
    if (low.kind != Expr::Kind::integer || low.integer != 0) continue;
    const bool whole = extents && onf::is_same((*extents)[axis], high);
    loops.back().length = whole ? high : length_of(high);
  }
  return loops;
}

std::vector<onf::Interval> box_over(const Loops& loops) {
  std::vector<onf::Interval> box;
  for (const Loop& loop : loops) box.push_back({number_like(*loop.length, 0), *loop.length});
  return box;
}

namespace {

bool computes_same(const onf::Function& function, const Statement& a, const Statement& b) {
  const auto type = [&](const Statement& statement) {
    return function.variables[onf::number(name_of(statement))].type;
  };
  if (type(a) != type(b)) return false;
  const auto *fold = std::get_if<Fold>(&a.form), *other = std::get_if<Fold>(&b.form);
  if (fold != nullptr && other != nullptr) return onf::is_same(*fold, *other);
  const auto *let = std::get_if<Let>(&a.form), *second = std::get_if<Let>(&b.form);
  return let != nullptr && second != nullptr && onf::is_same(*let->value, *second->value);
}

}  // namespace

bool share_same(const onf::Function& function, onf::Statements& body, Expr& element) {
  bool any = false;
  for (std::size_t at = 1; at < body.size();) {
    const auto end = body.begin() + static_cast<std::ptrdiff_t>(at);
    const auto first = std::find_if(body.begin(), end, [&](const Statement& earlier) {
      return computes_same(function, earlier, body[at]);
    });
    if (first == end) {
      ++at;
      continue;
    }
    any = any || is_fold(*first);
    const VariableId gone = name_of(*end), kept = name_of(*first);
    body.erase(end);
    each_read_of(gone, body, element, [&](Expr& e) { e.variable = kept; });
  }
  return any;
}

onf::ViewId fresh_array(onf::Function& function, const std::string& name, onf::Scalar element,
                        std::vector<Expr> extents, term::LocationId location) {
  const auto is_taken = [&](const std::string& wanted) {
    return std::ranges::any_of(function.views,
                               [&](const onf::View& other) { return other.name == wanted; });
  };
  onf::Block block;
  block.element = element;
  block.extents = std::move(extents);
  onf::View view;
  view.name = name;
  for (int k = 2; is_taken(view.name); ++k) view.name = name + "_" + std::to_string(k);
  view.block = static_cast<onf::BlockId>(function.blocks.size());
  view.temporary = true;
  view.location = location;
  function.blocks.push_back(std::move(block));
  function.views.push_back(std::move(view));
  return static_cast<onf::ViewId>(function.views.size() - 1);
}

void forget_array(onf::Function& function) {
  function.views.pop_back();
  function.blocks.pop_back();
}

Expr element_of(const onf::Function& function, onf::ViewId array,
                const std::vector<VariableId>& indices, const onf::Representation& type) {
  Expr load;
  load.kind = Expr::Kind::load;
  load.view = array;
  load.type = type;
  for (const VariableId index : indices) {
    Expr component;
    component.kind = Expr::Kind::variable;
    component.variable = index;
    component.type = function.variables[onf::number(index)].type;
    load.operands.push_back(std::move(component));
  }
  return load;
}

bool reads_block_of(const onf::Function& function, const onf::Nest& nest, onf::ViewId target) {
  const auto block = [&](onf::ViewId view) { return function.views[onf::number(view)].block; };
  bool found = false;
  onf::each_of(nest, [&](const Expr& whole) {
    onf::each_part(whole, [&](const Expr& e) {
      const bool names = e.kind == Expr::Kind::load || e.kind == Expr::Kind::view;
      found = found || (names && block(e.view) == block(target));
    });
  });
  return found;
}

}  // namespace rhopsi::schedule
