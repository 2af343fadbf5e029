#include "engine/onf/pad_flow.hpp"

#include <algorithm>
#include <numeric>

namespace rhopsi::onf {

PadFlow::PadFlow(const Module& module) : module_(module) {
  Node next = 0;
  for (const Function& function : module.functions) {
    first_.push_back(next);
    next += function.blocks.size() + 1;
  }
  parent_.resize(next);
  std::iota(parent_.begin(), parent_.end(), Node{0});
  for (std::size_t k = 0; k < module.functions.size(); ++k) {
    function_ = &module.functions[k];
    id_ = static_cast<FunctionId>(k);
    if (function_->device) continue;
    statements(function_->body);
    if (!function_->repeats) continue;
    const FunctionId of = function_->repeats->of;
    const Function& once = module.functions[number(of)];
    for (std::size_t a = 0; a < std::min(once.arguments.size(), function_->arguments.size()); ++a) {
      const auto& one = function_->arguments[a].view;
      if (const auto& other = once.arguments[a].view; one && other) meet(*one, of, *other);
    }
    join(first_[k] + function_->blocks.size(), first_[number(of)] + once.blocks.size());
  }
}

PadFlow::Node PadFlow::node(FunctionId function, ViewId view) const {
  return first_[number(function)] +
         number(module_.functions[number(function)].views[number(view)].block);
}

PadFlow::Node PadFlow::find(Node node) const {
  while (parent_[node] != node) node = parent_[node];
  return node;
}

void PadFlow::join(Node a, Node b) {
  a = find(a);
  b = find(b);
  parent_[std::max(a, b)] = std::min(a, b);
}

std::size_t PadFlow::class_of(FunctionId function, BlockId block) const {
  return find(first_[number(function)] + number(block));
}
std::size_t PadFlow::class_of(FunctionId function, ViewId view) const {
  return find(node(function, view));
}

std::vector<PadFlow::Inclusion> PadFlow::inclusions() const {
  std::vector<Inclusion> found = inclusions_;
  for (Inclusion& each : found) each = {find(each.whole), find(each.part), each.location};
  return found;
}
std::vector<PadFlow::Kept> PadFlow::kept() const {
  std::vector<Kept> found = kept_;
  for (Kept& each : found) each.of = find(each.of);
  return found;
}

void PadFlow::meet(ViewId view, FunctionId other_function, ViewId other) {
  join(node(id_, view), node(other_function, other));
}

void PadFlow::keep(ViewId view, PadReason::Why why, term::LocationId location) {
  kept_.push_back({node(id_, view), why, location == term::LocationId{} ? location_ : location});
}

// What is passed, and for what.
void PadFlow::arguments(const Expr& call) {
  const Function& callee = module_.functions[number(call.callee)];
  for (std::size_t k = 0; k < std::min(call.operands.size(), callee.arguments.size()); ++k) {
    const Expr& given = call.operands[k];
    if (given.kind != Expr::Kind::view || !callee.arguments[k].view) continue;
    if (callee.device) {
      keep(given.view, PadReason::Why::element, call.location);
    } else {
      meet(given.view, call.callee, *callee.arguments[k].view);
    }
  }
}

// An expression outside of nests.
void PadFlow::host(const Expr& e) {
  if (e.kind == Expr::Kind::load) keep(e.view, PadReason::Why::element, e.location);
  if (e.kind == Expr::Kind::call) arguments(e);
  for (const Expr& operand : e.operands) {
    if (e.kind == Expr::Kind::external && operand.kind == Expr::Kind::view)
      keep(operand.view, PadReason::Why::user_code, e.location);
    host(operand);
  }
}

// The array that a call gives.
void PadFlow::result_of(const Expr& call, Node into) {
  if (call.kind == Expr::Kind::external) {
    kept_.push_back({into, PadReason::Why::user_code, location_});
  } else if (call.kind == Expr::Kind::call) {
    const Function& callee = module_.functions[number(call.callee)];
    join(into, first_[number(call.callee)] + callee.blocks.size());
  }
}

void PadFlow::statements(const Statements& body) {
  for (const Statement& statement : body) {
    location_ = statement.location;
    std::visit([this](const auto& form) { visit(form); }, statement.form);
  }
}

template <class Form>
void PadFlow::visit(const Form& form) {
  if constexpr (std::is_same_v<Form, Nest> || std::is_same_v<Form, Pipeline>) {
    return;  // what they read is asked of accesses
  } else if constexpr (std::is_same_v<Form, Share>) {
    meet(form.target, id_, form.source);
  } else if constexpr (std::is_same_v<Form, Call>) {
    host(form.call);
    if (form.target) result_of(form.call, node(id_, *form.target));
  } else if constexpr (std::is_same_v<Form, Return>) {
    if (!form.value) return;
    host(*form.value);
    const Node result = first_[number(id_)] + function_->blocks.size();
    if (form.value->kind == Expr::Kind::view) join(result, node(id_, form.value->view));
    if (form.value->type.kind == Representation::Kind::array) result_of(*form.value, result);
  } else if constexpr (std::is_same_v<Form, Whole>) {
    for (const Expr& operand : form.operands) {
      host(operand);
      if (form.pointwise && operand.kind == Expr::Kind::view)
        inclusions_.push_back({node(id_, operand.view), node(id_, form.target), location_});
    }
  } else if constexpr (std::is_same_v<Form, Mutate>) {
    for (const Expr& operand : form.operands) {
      host(operand);
      if (!form.refills && operand.kind == Expr::Kind::view)
        keep(operand.view, PadReason::Why::user_code, operand.location);
    }
  } else if constexpr (std::is_same_v<Form, If>) {
    host(form.condition);
    statements(form.then);
    statements(form.otherwise);
  } else if constexpr (std::is_same_v<Form, While>) {
    statements(form.before);
    host(form.condition);
    host(form.bound);
    statements(form.body);
  } else if constexpr (std::is_same_v<Form, For>) {
    host(form.low);
    host(form.high);
    statements(form.body);
  } else if constexpr (std::is_same_v<Form, Iterate>) {
    host(form.count);
    statements(form.body);
  } else if constexpr (std::is_same_v<Form, Fold>) {
    host(form.count);
    statements(form.body);
    host(form.element);
  } else if constexpr (std::is_same_v<Form, Lazy>) {
    statements(form.body);
    host(form.value);
  } else if constexpr (std::is_same_v<Form, Scope>) {
    statements(form.body);
  } else if constexpr (std::is_same_v<Form, Let>) {
    if (form.value) host(*form.value);
  } else if constexpr (std::is_same_v<Form, Assign>) {
    host(form.value);
  } else if constexpr (std::is_same_v<Form, Check>) {
    host(form.condition);
    for (const Expr& each : form.numbers) host(each);
  }
}

}  // namespace rhopsi::onf
