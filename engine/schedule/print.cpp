#include "engine/onf/print.hpp"

#include "engine/schedule/graph.hpp"

namespace rhopsi::schedule {

namespace {

class Printer {
 public:
  Printer(const onf::Module& module, const onf::Function& function, const Graph& graph)
      : module_(module), function_(function), graph_(graph) {}

  std::string print() {
    text_ = "values of " + graph_.name() + "\n";
    for (std::size_t k = 0; k < graph_.values.size(); ++k) {
      const Value& value = graph_.values[k];
      if (value.argument) text_ += "  " + name(static_cast<ValueId>(k)) + " comes in\n";
    }
    for (const Sweep& sweep : graph_.sweeps) print(sweep);
    for (const Result& result : graph_.results) {
      const onf::Argument& argument = function_.arguments[result.argument];
      text_ += "  " + function_.views[onf::number(*argument.view)].name + " becomes " +
               name(result.value) + "\n";
    }
    for (const RowsFolded& fold : graph_.folds) {
      const onf::Argument& argument = function_.arguments[fold.argument];
      text_ += "  " + function_.views[onf::number(*argument.view)].name + " becomes rows of " +
               name(fold.value) + ", folded by " + onf::name_of(fold.function) + "\n";
    }
    if (graph_.returned) text_ += "  returns " + name(*graph_.returned) + "\n";
    return std::move(text_);
  }

 private:
  // Values of one variable are numbered.
  std::string name(ValueId id) const {
    return graph_[id].name + "." + std::to_string(static_cast<std::uint32_t>(id));
  }

  void print(const Sweep& sweep) {
    text_ += "  sweep\n";
    defined_.clear();
    for (const ValueId value : sweep.defines) {
      left_ = most_nodes;
      text_ += "    " + name(value) + " := " + expression(graph_[value].definition) + "\n";
      defined_.emplace(graph_[value].definition, value);
    }
    for (const auto& [value, offsets] : reads_of(graph_, sweep)) {
      text_ += "    reads " + name(value) + " at";
      for (const Offset& offset : offsets) text_ += " " + to_string(offset);
      text_ += "\n";
    }
  }

  std::string expression(NodeId id) {
    const Node& node = graph_[id];
    if (left_ == 0) return "...";
    --left_;
    if (const auto found = defined_.find(id); found != defined_.end()) return name(found->second);
    if (node.kind == Node::Kind::position) return "i" + std::to_string(node.shell.axis);
    if (node.kind == Node::Kind::load) return name(node.value) + to_string(node.offset);
    if (node.operands.empty()) return onf::to_string(module_, function_, node.shell);
    std::string text = node.shell.kind == onf::Expr::Kind::apply ? onf::name_of(node.shell.function)
                       : node.shell.kind == onf::Expr::Kind::call
                           ? module_.functions[onf::number(node.shell.callee)].name
                           : "if";
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      text += (k == 0 ? "(" : ", ") + expression(node.operands[k]);
    }
    return text + ")";
  }

  // Of an element; as a tree one that is shared throughout has more than there is room for.
  static constexpr std::size_t most_nodes = 20000;

  const onf::Module& module_;
  const onf::Function& function_;
  const Graph& graph_;
  std::size_t left_ = 0;
  std::map<NodeId, ValueId> defined_;  // in the sweep that is printed
  std::string text_;
};

}  // namespace

std::string to_string(const onf::Module& module, const onf::Function& function,
                      const Graph& graph) {
  return Printer(module, function, graph).print();
}

}  // namespace rhopsi::schedule
