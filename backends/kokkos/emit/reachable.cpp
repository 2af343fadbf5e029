#include "backends/kokkos/emit/reachable.hpp"

#include "engine/onf/each_expression.hpp"

namespace rhopsi::kokkos {

namespace {

// Calls `visit` with every function that this one calls.
template <class Visit>
void each_callee(const onf::Function& function, const Visit& visit) {
  const auto form = [&](const auto& s) {
    if constexpr (std::is_same_v<std::decay_t<decltype(s)>, onf::Fold>) {
      if (!s.function) visit(s.callee);
    }
  };
  const auto look = [&](const onf::Expr& whole) {
    onf::each_part(whole, [&](const onf::Expr& e) {
      if (e.kind == onf::Expr::Kind::call) visit(e.callee);
    });
  };
  onf::each_in(function.body, form, look);
  for (const onf::Block& block : function.blocks) {
    if (!block.extents) continue;
    for (const onf::Expr& extent : *block.extents) look(extent);
  }
}

}  // namespace

std::set<onf::FunctionId> reachable(const onf::Module& module,
                                    const std::vector<onf::FunctionId>& roots) {
  std::vector<onf::FunctionId> waiting = roots;
  for (const onf::External& external : module.externals) {
    for (const auto& requirement : external.requirements) {
      if (!requirement.type) waiting.push_back(requirement.operation);
    }
  }
  std::set<onf::FunctionId> found;
  while (!waiting.empty()) {
    const onf::FunctionId id = waiting.back();
    waiting.pop_back();
    if (!found.insert(id).second) continue;
    each_callee(module.functions[onf::number(id)],
                [&](onf::FunctionId callee) { waiting.push_back(callee); });
  }
  return found;
}

}  // namespace rhopsi::kokkos
