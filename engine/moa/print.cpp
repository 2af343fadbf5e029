#include "engine/onf/print.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <unordered_map>

#include "engine/moa/contraction.hpp"
#include "engine/moa/normal_form.hpp"
#include "engine/onf/infix.hpp"

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;
using Function = ScalarFunction;

using Level = onf::Tightness;
using enum onf::Tightness;

std::string real_text(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

class Printer {
 public:
  explicit Printer(const NormalForm& form) : form_(form), expressions_(*form.expressions) {}

  std::string text(ExprId id, Level outer = loosest) {
    if (const auto found = names_.find(id); found != names_.end()) return found->second;
    const auto [made, level] = compose(id);
    return level < outer ? "(" + made + ")" : made;
  }

  // The definitions of what `root` uses more than once, innermost first, each on a line of its
  // own that `lead` begins.
  std::string lets(ExprId root, const std::string& lead) {
    names_.clear();
    std::map<ExprId, std::size_t> uses;
    std::vector<ExprId> work{root};
    while (!work.empty()) {
      const ExprId id = work.back();
      work.pop_back();
      if (++uses[id] > 1) continue;
      for (ExprId operand : expressions_[id].operands) work.push_back(operand);
    }
    std::string lines;
    std::size_t count = 0;
    // Handles grow from operands to what holds them.
    for (const auto& [id, times] : uses) {
      if (times < 2 || !is_worth_a_name(id)) continue;
      const std::string definition = text(id);
      std::string name = "x" + std::to_string(++count);
      lines += lead + "let " + name + " = " + definition + "\n";
      names_.emplace(id, std::move(name));
    }
    return lines;
  }

  void forget() { names_.clear(); }

  ContractionText contraction(const Contraction& given) {
    ContractionText made;
    for (VariableId variable : outer_folds(given)) {
      bound_.emplace_back(variable, fresh_name(variable));
    }
    for (const Contraction::Index& index : given.summed) {
      const std::string count = text(index.count);
      bound_.emplace_back(index.variable, fresh_name(index.variable));
      made.indices += (made.indices.empty() ? "" : ", ") + bound_.back().second + " < " + count;
    }
    made.indices = "fold _+_ (" + made.indices + ")";
    for (ExprId operand : given.operands) made.operands.push_back(text(operand, prefix));
    bound_.clear();
    return made;
  }

 private:
  // The indices of folds around the contraction that it mentions.
  std::vector<VariableId> outer_folds(const Contraction& given) const {
    std::vector<VariableId> free;
    std::vector<VariableId> inner = form_.indices;
    inner.insert(inner.end(), form_.parameters.begin(), form_.parameters.end());
    for (const Contraction::Index& index : given.summed) inner.push_back(index.variable);
    for (ExprId operand : given.operands) {
      expressions_.any(operand, [&](ExprId id) {
        const Node& node = expressions_[id];
        if (node.kind == Kind::variable) free.push_back(node.variable);
        if (node.kind == Kind::fold) inner.push_back(node.variable);
        return false;
      });
    }
    std::erase_if(free, [&](VariableId variable) {
      return std::ranges::find(inner, variable) != inner.end();
    });
    std::ranges::sort(free);
    free.erase(std::unique(free.begin(), free.end()), free.end());
    return free;
  }

  using Made = std::pair<std::string, Level>;
  using Bound = std::pair<VariableId, std::string>;

  // A name is longer than a small expression, and cannot leave the fold whose index it mentions.
  bool is_worth_a_name(ExprId id) {
    constexpr std::size_t least_size = 8;
    std::size_t size = 0;
    std::vector<ExprId> work{id};
    while (!work.empty() && size < least_size) {
      const ExprId next = work.back();
      work.pop_back();
      ++size;
      for (ExprId operand : expressions_[next].operands) work.push_back(operand);
    }
    return size >= least_size && !mentions_other_fold(id);
  }

  // Does it hold an index that is neither of the form nor of a fold inside it?
  bool mentions_other_fold(ExprId id) {
    std::vector<std::pair<ExprId, std::vector<VariableId>>> work{{id, form_.indices}};
    while (!work.empty()) {
      auto [next, bound] = std::move(work.back());
      work.pop_back();
      const Node& node = expressions_[next];
      if (node.kind == Kind::variable && std::ranges::find(bound, node.variable) == bound.end()) {
        return true;
      }
      if (node.kind == Kind::fold) bound.push_back(node.variable);
      for (ExprId operand : node.operands) work.emplace_back(operand, bound);
    }
    return false;
  }

  Made compose(ExprId id) {
    const Node& node = expressions_[id];
    switch (node.kind) {
      case Kind::integer:
        return {std::to_string(node.integer), node.integer < 0 ? prefix : atom};
      case Kind::real:
        return {real_text(node.real), node.real < 0 ? prefix : atom};
      case Kind::boolean:
        return {node.integer != 0 ? "TRUE" : "FALSE", atom};
      case Kind::variable:
        return {name(node.variable), atom};
      case Kind::extent:
        return {"shape(" + leaf(node) + ")[" + std::to_string(node.axis) + "]", atom};
      case Kind::load:
        return {leaf(node) + "[" + list(node.operands) + "]", atom};
      case Kind::select:
        return {"if " + text(node.operands[0]) + " then " + text(node.operands[1]) + " else " +
                    text(node.operands[2]),
                loosest};
      case Kind::fold: {
        const onf::InfixOperator* found = onf::infix_operator(node.function);
        const std::string operation = found != nullptr ? "_" + std::string(found->spelling) + "_"
                                                       : onf::called(node.function);
        const std::string count = text(node.operands[0]);
        bound_.emplace_back(node.variable, fresh_name(node.variable));
        const std::string element = text(node.operands[1], atom);
        const std::string index = bound_.back().second;
        bound_.pop_back();
        return {"fold " + operation + " (" + index + " < " + count + ") " + element, loosest};
      }
      case Kind::apply:
        return application(node);
    }
    return {};
  }

  Made application(const Node& node) {
    if (node.operands.size() == 2) {
      if (const onf::InfixOperator* found = onf::infix_operator(node.function)) {
        return {text(node.operands[0], found->tightness) + " " + std::string(found->spelling) +
                    " " + text(node.operands[1], onf::tighter(found->tightness)),
                found->tightness};
      }
    }
    if (node.function == Function::negate) return {"-" + text(node.operands[0], atom), prefix};
    if (node.function == Function::not_) return {"!" + text(node.operands[0], atom), prefix};
    if (node.function == Function::convert) {
      return {onf::to_string(node.type) + "(" + text(node.operands[0]) + ")", atom};
    }
    return {onf::called(node.function) + "(" + list(node.operands) + ")", atom};
  }

  // An index is called as it is in the axiom, with a number behind where that name is taken.
  std::string name(VariableId variable) const {
    const auto found = std::ranges::find(bound_, variable, &Bound::first);
    return found != bound_.end() ? found->second : expressions_.name(variable);
  }

  std::string fresh_name(VariableId variable) const {
    const auto taken = [&](const std::string& name) {
      return std::ranges::find(bound_, name, &Bound::second) != bound_.end() ||
             std::ranges::any_of(
                 form_.indices, [&](VariableId index) { return expressions_.name(index) == name; });
    };
    std::string name = expressions_.name(variable);
    for (int number = 2; taken(name); ++number) {
      name = expressions_.name(variable) + std::to_string(number);
    }
    return name;
  }

  std::string leaf(const Node& node) const { return form_.leaves[number(node.leaf)].name; }

  std::string list(const std::vector<ExprId>& operands) {
    std::string joined;
    for (ExprId operand : operands) joined += (joined.empty() ? "" : ", ") + text(operand);
    return joined;
  }

  const NormalForm& form_;
  const Expressions& expressions_;
  std::unordered_map<ExprId, std::string> names_;
  std::vector<Bound> bound_;  // of the folds around
};

std::string box_text(const Piece& piece, Printer& printer) {
  std::string text;
  for (const Interval& interval : piece.box) {
    text += (text.empty() ? "[" : " x [") + printer.text(interval.low) + ", " +
            printer.text(interval.high) + ")";
  }
  return text.empty() ? "[]" : text;
}

}  // namespace

ContractionText text_of(const NormalForm& form, const Contraction& contraction) {
  return Printer(form).contraction(contraction);
}

std::string to_string(const NormalForm& form, ExprId expression) {
  return Printer(form).text(expression);
}

std::string to_string(const NormalForm& form) {
  Printer printer(form);
  std::string text = "shape:";
  for (ExprId extent : form.shape) text += " " + printer.text(extent, atom);
  text += "\n";
  for (const Assumption& assumption : form.assumptions) {
    text += "needs " + printer.text(assumption.condition) + "\n";
  }
  for (const Piece& piece : form.pieces) {
    std::string line = box_text(piece, printer) + ": ";
    const std::string lets = printer.lets(piece.element, "  ");
    if (!lets.empty()) line += "\n" + lets + "  ";
    text += line + printer.text(piece.element) + "\n";
    printer.forget();
  }
  return text;
}

}  // namespace rhopsi::moa
