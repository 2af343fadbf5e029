#include "engine/onf/row_values.hpp"

#include <algorithm>
#include <set>

#include "engine/onf/alike.hpp"
#include "engine/onf/axes.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/tile.hpp"

namespace rhopsi::onf {

namespace {

class RowReader {
 public:
  explicit RowReader(const Nest& nest)
      : outer_(in_order(nest.indices, nest.loops)), varying_{outer_.back()} {
    outer_.pop_back();
  }

  void read(const Nest& nest) {
    for (const Statement& statement : nest.body) {
      const auto& let = std::get<Let>(statement.form);
      if (depends(*let.value, varying_)) {
        varying_.insert(let.variable);
        find(*let.value);
      } else {
        if (depends(*let.value, outer_)) outer_.push_back(let.variable);
        costly_ = costly_ || is_worth_it(*let.value);
        found_.names.push_back(statement);
      }
    }
    find(nest.element);
    for (const Nest::Output& output : nest.also) find(output.element);
  }
  RowValues found() && { return costly_ ? std::move(found_) : RowValues{}; }

 private:
  template <class Variables>
  static bool depends(const Expr& e, const Variables& variables) {
    return std::ranges::any_of(variables, [&](VariableId id) { return depends_on(e, id); });
  }
  // What no index is in is computed before all loops.
  bool is_worth_it(const Expr& e) const { return is_costly(e) && depends(e, outer_); }

  // The largest parts, and none that only some elements compute.
  void find(const Expr& e) {
    if (!is_costly(e)) return;
    if (!depends(e, varying_)) {
      if (!depends(e, outer_)) return;
      costly_ = true;
      const auto same = [&](const Expr& part) { return is_same(part, e); };
      if (std::ranges::none_of(found_.parts, same)) found_.parts.push_back(e);
      return;
    }
    if (is_lazy(e)) return find(e.operands.front());
    for (const Expr& operand : e.operands) find(operand);
  }

  std::vector<VariableId> outer_;  // indices of outer loops, and names that depend on them
  std::set<VariableId> varying_;   // that of the innermost loop, and names that depend on it
  bool costly_ = false;
  RowValues found_;
};

bool is_name(const Statement& statement) {
  const auto* let = std::get_if<Let>(&statement.form);
  return let != nullptr && let->constant && let->value;
}

}  // namespace

RowValues row_values(const Nest& nest) {
  const bool plain = nest.box && nest.indices.size() > 1 && nest.binding == Binding::nested &&
                     !nest.tile && nest.strip == 0;
  if (!plain || !std::ranges::all_of(nest.body, is_name)) return {};
  RowReader reader(nest);
  reader.read(nest);
  return std::move(reader).found();
}

Expr with_row_values(Expr e, const RowValues& values, const std::vector<VariableId>& named) {
  const auto same = [&](const Expr& part) { return is_same(part, e); };
  const auto found = std::ranges::find_if(values.parts, same);
  if (found != values.parts.end()) {
    const auto at = static_cast<std::size_t>(found - values.parts.begin());
    return of_variable(named[at], e.type, e.location);
  }
  const std::size_t replaced = is_lazy(e) ? 1 : e.operands.size();
  for (std::size_t k = 0; k < replaced; ++k)
    e.operands[k] = with_row_values(std::move(e.operands[k]), values, named);
  return e;
}

}  // namespace rhopsi::onf
