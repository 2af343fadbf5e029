#include "engine/schedule/build.hpp"

#include <algorithm>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/schedule/meaning.hpp"
#include "engine/schedule/row.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::Representation;

// The variables of a function that is followed.
struct Frame {
  const onf::Function* function;
  std::map<onf::ViewId, ValueId> arrays;
  Meanings variables;
  std::map<onf::ViewId, std::size_t> rows = {};  // of what folds of rows are written, by number
};

class Builder {
 public:
  Builder(const onf::Module& module, const onf::Function& function)
      : module_(module), root_(function), graph_(function.name, module.rank) {}

  tl::expected<Graph, Obstacle> run() {
    Frame frame{&root_, {}, {}};
    for (std::size_t k = 0; k < root_.arguments.size(); ++k) {
      const onf::Argument& argument = root_.arguments[k];
      if (!argument.view) {
        Expr shell;
        shell.kind = Expr::Kind::variable;
        shell.variable = argument.variable;
        shell.type = root_.variables[onf::number(argument.variable)].type;
        if (argument.mode != term::Mode::obs) fail("changes a number");
        if (shell.type.kind == Representation::Kind::scalar) {
          frame.variables[argument.variable].node = leaf(std::move(shell));
        }
      } else if (argument.mode != term::Mode::out) {
        frame.arrays[*argument.view] = value(frame, *argument.view, k);
      }
    }
    std::optional<ValueId> returned = follow(frame, root_.body);
    keep_rows(frame);
    // What comes out of a call goes into the next one, under the same names.
    const std::int64_t times = root_.repeats ? root_.repeats->times : 1;
    for (round_ = 1; round_ < times && !obstacle_; ++round_) {
      if (returned) fail("returns an array");
      change_numbers(frame);
      returned = follow(frame, root_.body);
      keep_rows(frame);
    }
    if (!obstacle_) finish(frame, returned);
    if (obstacle_) return tl::unexpected(*obstacle_);
    return std::move(graph_);
  }

 private:
  void fail(std::string what) {
    if (!obstacle_) obstacle_ = Obstacle{std::move(what), location_};
  }

  // Where the arguments of this round begin, which stand behind all others.
  std::size_t first_of_round() const {
    const onf::Repeats& repeats = *root_.repeats;
    const std::size_t each = repeats.changing.size() + repeats.rows.size();
    return root_.arguments.size() - static_cast<std::size_t>(repeats.times - round_) * each;
  }
  void change_numbers(Frame& frame) const {
    const std::vector<std::size_t>& changing = root_.repeats->changing;
    for (std::size_t k = 0; k < changing.size(); ++k) {
      const onf::Argument& now = root_.arguments[first_of_round() + k];
      frame.variables[root_.arguments[changing[k]].variable] = frame.variables[now.variable];
    }
  }
  // What rows have come to in this round goes into its own argument.
  void keep_rows(const Frame& frame) {
    if (!root_.repeats || obstacle_) return;
    const onf::Repeats& repeats = *root_.repeats;
    for (std::size_t k = 0; k < repeats.rows.size(); ++k) {
      const auto found = frame.rows.find(*root_.arguments[repeats.rows[k]].view);
      if (found == frame.rows.end()) return fail("leaves an array unset");
      const std::size_t argument =
          round_ == 0 ? repeats.rows[k] : first_of_round() + repeats.changing.size() + k;
      rows_of_[argument] = found->second;
    }
  }

  void finish(const Frame& frame, std::optional<ValueId> returned) {
    graph_.returned = returned;
    if (root_.result && !returned) return fail("returns no array");
    for (std::size_t k = 0; k < root_.arguments.size(); ++k) {
      const onf::Argument& argument = root_.arguments[k];
      if (!argument.view || argument.mode == term::Mode::obs) continue;
      const auto kept = rows_of_.find(k);
      const auto rows = frame.rows.find(*argument.view);
      if (kept != rows_of_.end() || rows != frame.rows.end()) {
        graph_.folds.push_back(folds_[kept != rows_of_.end() ? kept->second : rows->second]);
        graph_.folds.back().argument = k;
        continue;
      }
      const auto found = frame.arrays.find(*argument.view);
      if (found == frame.arrays.end()) return fail("leaves an array unset");
      graph_.results.push_back({k, found->second});
    }
  }

  // --- values

  ValueId value(const Frame& frame, onf::ViewId view, std::optional<std::size_t> argument) {
    const onf::View& named = frame.function->views[onf::number(view)];
    const onf::Block& block = frame.function->blocks[onf::number(named.block)];
    if (block.extents || !named.chain.empty()) fail("has arrays with shapes of their own");
    const Origin origin = argument ? Origin{{}, {}, 0, true} : Origin{location_, calls_, round_};
    graph_.values.push_back(
        {named.name, block.element, argument, {}, view, origin, block.broadcast});
    return static_cast<ValueId>(graph_.values.size() - 1);
  }

  void define(Frame& frame, onf::ViewId target, NodeId element) {
    const ValueId made = value(frame, target, std::nullopt);
    if (!guards_.empty()) unguarded_.emplace(made, element);
    for (auto guard = guards_.rbegin(); guard != guards_.rend(); ++guard)
      element = guarded(*guard, element, graph_[made].element);
    graph_[made].definition = element;
    graph_.sweeps.push_back({{made}, location_});
    frame.arrays[target] = made;
  }

  std::optional<ValueId> array(const Frame& frame, onf::ViewId view) {
    const auto found = frame.arrays.find(view);
    if (found != frame.arrays.end()) return found->second;
    fail("reads an array that may not be set");
    return std::nullopt;
  }

  // --- statements

  // What is returned, where that is an array.
  std::optional<ValueId> follow(Frame& frame, const onf::Statements& body) {
    std::optional<ValueId> returned;
    for (const onf::Statement& statement : body) {
      if (obstacle_) return std::nullopt;
      location_ = statement.location;
      if (const auto* last = std::get_if<onf::Return>(&statement.form)) {
        if (last->value && last->value->kind == Expr::Kind::view) {
          return array(frame, last->value->view);
        }
        if (last->value) fail("returns a number");
        if (&statement != &body.back() || scopes_ > 0) fail("returns before its end");
        return std::nullopt;
      }
      if (const auto* scope = std::get_if<onf::Scope>(&statement.form)) {
        ++scopes_;
        returned = follow(frame, scope->body);
        --scopes_;
        if (returned) return returned;
        continue;
      }
      if (const auto* branch = std::get_if<onf::If>(&statement.form);
          branch != nullptr && (root_.part_of || !guards_.empty() || is_choice(body, *branch))) {
        choose(frame, *branch);
        continue;
      }
      std::visit([&](const auto& form) { step(frame, form); }, statement.form);
    }
    return std::nullopt;
  }

  void step(Frame&, const onf::Declare&) {}
  void step(Frame& frame, const onf::Allocate& s) {
    frame.arrays.erase(s.view);
    frame.rows.erase(s.view);
  }
  void step(Frame& frame, const onf::RowFold& s) {
    const auto source = array(frame, s.source);
    if (!source) return;
    frame.rows[s.target] = folds_.size();
    folds_.push_back({*source, s.function, 0, s.begins_anew});
  }
  void step(Frame&, const onf::Refill&) {}
  void step(Frame&, const onf::Mutate& s) {
    if (!s.refills) fail("changes an array by a library procedure");
  }
  void step(Frame& frame, const onf::Share& s) {
    if (const auto rows = frame.rows.find(s.source); rows != frame.rows.end()) {
      frame.rows[s.target] = rows->second;
      return;
    }
    const auto source = array(frame, s.source);
    if (!source) return;
    frame.arrays[s.target] = *source;
    // What was computed for a variable is called as it is.
    Value& value = graph_[*source];
    if (s.last_use && !value.argument)
      value.name = frame.function->views[onf::number(s.target)].name;
  }
  void step(Frame& frame, const onf::Nest& s) {
    if (s.box) return fail("has a loop over a part of an array");
    if (!s.also.empty()) return fail("has been scheduled");
    bind_indices(frame, s);
    for (const onf::Statement& statement : s.body) {
      const auto* let = std::get_if<onf::Let>(&statement.form);
      if (let == nullptr || !let->constant || !let->value) {
        return fail("has a loop whose element takes statements");
      }
      step(frame, *let);
      if (obstacle_) return;
    }
    if (const auto element = scalar(frame, s.element)) define(frame, s.target, *element);
  }
  void bind_indices(Frame& frame, const onf::Nest& s) {
    for (std::size_t k = 0; k < s.indices.size(); ++k) {
      Meaning meaning;
      if (s.binding == onf::Binding::flat) {
        for (int axis = 0; axis < module_.rank; ++axis) meaning.index.push_back(Component{axis, 0});
      } else {
        meaning.component = Component{static_cast<int>(k), 0};
        meaning.node = position(static_cast<int>(k));
      }
      frame.variables[s.indices[k]] = std::move(meaning);
    }
  }
  void step(Frame& frame, const onf::Whole& s) {
    if (!s.pointwise) return fail("has an operation on whole arrays that is no loop");
    const onf::View& target = frame.function->views[onf::number(s.target)];
    Node node;
    node.shell.kind = Expr::Kind::apply;
    node.shell.function = s.function;
    node.shell.type.scalar = frame.function->blocks[onf::number(target.block)].element;
    for (const Expr& operand : s.operands) {
      const auto element = operand.kind == Expr::Kind::view
                               ? load(frame, operand, Offset(std::size_t(module_.rank), 0))
                               : scalar(frame, operand);
      if (!element) return;
      node.operands.push_back(*element);
    }
    define(frame, s.target, graph_.make(std::move(node)));
  }
  // A choice for each element of what the branch gives a value. What it computes besides, for other
  // statements of its own, is 0 where it is not taken.
  void choose(Frame& frame, const onf::If& s) {
    if (onf::names_views(s.condition)) return fail("has a branch that asks for an element");
    const auto condition = scalar(frame, s.condition);
    if (!condition) return;
    const Frame then = side(frame, s.then, {*condition, true});
    const Frame otherwise = side(frame, s.otherwise, {*condition, false});
    if (obstacle_) return;
    if (then.rows != frame.rows || otherwise.rows != frame.rows)
      return fail("folds rows in a branch");
    for (const auto& [view, value] : then.arrays) {
      const auto other = otherwise.arrays.find(view);
      if (other == otherwise.arrays.end()) continue;
      if (other->second == value) {
        frame.arrays[view] = value;
        continue;
      }
      const onf::Scalar type = graph_[value].element;
      define(frame, view, choice(*condition, element_of(value), element_of(other->second), type));
    }
  }
  struct Guard {
    NodeId condition;
    bool holds;
  };
  Frame side(Frame frame, const onf::Statements& body, Guard guard) {
    guards_.push_back(guard);
    ++scopes_;
    follow(frame, body);
    --scopes_;
    guards_.pop_back();
    return frame;
  }
  NodeId element_of(ValueId value) {
    const auto found = unguarded_.find(value);
    if (found != unguarded_.end()) return found->second;
    return load(value, Offset(std::size_t(module_.rank), 0), location_);
  }
  NodeId guarded(const Guard& guard, NodeId element, onf::Scalar type) {
    const NodeId zero = leaf(onf::zero_of(type));
    return guard.holds ? choice(guard.condition, element, zero, type)
                       : choice(guard.condition, zero, element, type);
  }
  NodeId choice(NodeId condition, NodeId then, NodeId otherwise, onf::Scalar type) {
    Node node;
    node.shell.kind = Expr::Kind::if_;
    node.shell.type = onf::scalar_of(type);
    node.shell.location = location_;
    node.operands = {condition, then, otherwise};
    return graph_.make(std::move(node));
  }

  void step(Frame& frame, const onf::Let& s) {
    if (!s.constant || !s.value) return fail("has a number that changes");
    Meaning meaning;
    meaning.component = component_of(frame.variables, *s.value);
    if (s.value->type.kind == Representation::Kind::index) {
      meaning.index = index_of(frame.variables, *s.value);
    } else {
      meaning.node = scalar(frame, *s.value);
    }
    frame.variables[s.variable] = std::move(meaning);
  }
  void step(Frame& frame, const onf::Call& s) {
    if (s.call.kind != Expr::Kind::call) return fail("calls a user's own code");
    Frame inner{nullptr, {}, {}};
    if (!enter(frame, s.call, inner)) return;
    const term::LocationId location = location_;
    const int scopes = std::exchange(scopes_, 0);
    calls_.push_back(location);
    const std::optional<ValueId> returned = follow(inner, inner.function->body);
    calls_.pop_back();
    scopes_ = scopes;
    location_ = location;
    --depth_;
    if (obstacle_) return;
    if (s.target && !returned) return fail("calls a function that returns no array");
    if (s.target) frame.arrays[*s.target] = *returned;
    for (std::size_t k = 0; k < s.call.operands.size(); ++k) {
      const onf::Argument& argument = inner.function->arguments[k];
      if (argument.mode == term::Mode::obs) continue;
      if (!argument.view) return fail("calls a procedure that changes a number");
      if (const auto rows = inner.rows.find(*argument.view); rows != inner.rows.end()) {
        frame.rows[s.call.operands[k].view] = rows->second;
        continue;
      }
      if (const auto now = array(inner, *argument.view)) {
        frame.arrays[s.call.operands[k].view] = *now;
      }
    }
  }
  template <class Other>
  void step(Frame&, const Other&) {
    fail("has a loop, a branch or a check around its arrays");
  }

  // Binds the arguments of a call.
  bool enter(Frame& frame, const Expr& call, Frame& inner) {
    inner.function = &module_.functions[onf::number(call.callee)];
    if (depth_ >= 16) fail("calls itself");
    for (std::size_t k = 0; k < call.operands.size() && !obstacle_; ++k) {
      const onf::Argument& argument = inner.function->arguments[k];
      const Expr& operand = call.operands[k];
      if (!argument.view) {
        Meaning meaning;
        meaning.component = component_of(frame.variables, operand);
        if (operand.type.kind == Representation::Kind::index) {
          meaning.index = index_of(frame.variables, operand);
        } else {
          meaning.node = scalar(frame, operand);
        }
        inner.variables[argument.variable] = std::move(meaning);
      } else if (argument.mode != term::Mode::out) {
        if (const auto given = array(frame, operand.view)) inner.arrays[*argument.view] = *given;
      }
    }
    if (obstacle_) return false;
    ++depth_;
    return true;
  }

  // --- scalars

  NodeId leaf(Expr shell) {
    return graph_.make({Node::Kind::scalar, std::move(shell), {}, {}, {}});
  }
  NodeId position(int axis) {
    Node node;
    node.kind = Node::Kind::position;
    node.shell.axis = axis;
    node.shell.type.scalar = onf::Scalar::int64;
    return graph_.make(std::move(node));
  }

  std::optional<NodeId> load(const Frame& frame, const Expr& e, Offset offset) {
    const auto from = array(frame, e.view);
    return from ? std::optional(load(*from, std::move(offset), e.location)) : std::nullopt;
  }
  NodeId load(ValueId from, Offset offset, term::LocationId location) {
    Node node;
    node.kind = Node::Kind::load;
    node.shell.type.scalar = graph_[from].element;
    node.shell.location = location;
    node.value = from;
    node.offset = std::move(offset);
    return graph_.make(std::move(node));
  }
  std::optional<NodeId> load(const Frame& frame, const Expr& e) {
    Index at;
    if (e.operands.size() == 1 && e.operands[0].type.kind == Representation::Kind::index) {
      at = index_of(frame.variables, e.operands[0]);
    } else {
      for (const Expr& operand : e.operands) at.push_back(component_of(frame.variables, operand));
    }
    Offset offset;
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      if (!at[axis] || at[axis]->axis != static_cast<int>(axis)) break;
      offset.push_back(at[axis]->offset);
    }
    if (std::ssize(offset) == module_.rank) return load(frame, e, std::move(offset));
    fail("reads an array at an index that is no constant offset from its own");
    return std::nullopt;
  }

  std::optional<NodeId> scalar(Frame& frame, const Expr& e) {
    if (obstacle_) return std::nullopt;
    switch (e.kind) {
      case Expr::Kind::integer:
      case Expr::Kind::real:
      case Expr::Kind::boolean:
      case Expr::Kind::parameter:
      case Expr::Kind::extent:
        return leaf(e);
      case Expr::Kind::variable: {
        const auto found = frame.variables.find(e.variable);
        if (found != frame.variables.end() && found->second.node) return found->second.node;
        fail("has a number that changes");
        return std::nullopt;
      }
      case Expr::Kind::component: {
        const auto found = component_of(frame.variables, e);
        if (found && found->axis >= 0 && found->offset == 0) return position(found->axis);
        fail("computes with an index that is not its own");
        return std::nullopt;
      }
      case Expr::Kind::load:
        return load(frame, e);
      case Expr::Kind::call:
        return call(frame, e);
      case Expr::Kind::apply:
      case Expr::Kind::if_:
        return compound(frame, e);
      default:
        fail("has an expression that only the form itself can say");
        return std::nullopt;
    }
  }

  std::optional<NodeId> compound(Frame& frame, const Expr& e) {
    Node node;
    node.shell = e;
    node.shell.operands.clear();
    for (const Expr& operand : e.operands) {
      const auto part = scalar(frame, operand);
      if (!part) return std::nullopt;
      node.operands.push_back(*part);
    }
    return graph_.make(std::move(node));
  }

  // A function that is an expression becomes it; of scalars, the call stays otherwise.
  std::optional<NodeId> call(Frame& frame, const Expr& e) {
    const onf::Function& callee = module_.functions[onf::number(e.callee)];
    bool simple = callee.device && !callee.body.empty();
    for (const onf::Statement& statement : callee.body) {
      const auto* let = std::get_if<onf::Let>(&statement.form);
      const auto* last = std::get_if<onf::Return>(&statement.form);
      simple = simple && ((let != nullptr && let->constant && let->value) ||
                          (last != nullptr && last->value && &statement == &callee.body.back()));
    }
    if (!simple || !std::holds_alternative<onf::Return>(callee.body.back().form)) {
      const bool scalars = std::ranges::all_of(e.operands, [](const Expr& operand) {
        return operand.type.kind == Representation::Kind::scalar;
      });
      if (callee.device && scalars) return compound(frame, e);
      fail("calls a function whose body takes statements");
      return std::nullopt;
    }
    Frame inner{nullptr, {}, {}};
    if (!enter(frame, e, inner)) return std::nullopt;
    for (const onf::Statement& statement : callee.body) {
      if (const auto* let = std::get_if<onf::Let>(&statement.form)) step(inner, *let);
    }
    const auto result = scalar(inner, *std::get<onf::Return>(callee.body.back().form).value);
    --depth_;
    return result;
  }

  const onf::Module& module_;
  const onf::Function& root_;
  Graph graph_;
  std::optional<Obstacle> obstacle_;
  term::LocationId location_{};
  std::vector<RowsFolded> folds_;               // all of them
  std::map<std::size_t, std::size_t> rows_of_;  // by argument, of several calls
  std::vector<term::LocationId> calls_;         // that are followed
  std::vector<Guard> guards_;                   // of the branches that are followed
  std::map<ValueId, NodeId> unguarded_;         // elements of what is defined in a branch
  std::int64_t round_ = 0;                      // of the calls that are one
  int depth_ = 0;                               // of calls
  int scopes_ = 0;                              // within this function
};

}  // namespace

tl::expected<Graph, Obstacle> build(const onf::Module& module, const onf::Function& function) {
  return Builder(module, function).run();
}

tl::expected<Graph, Obstacle> build(const onf::Module& module, onf::FunctionId id) {
  return build(module, module.functions[onf::number(id)]);
}

}  // namespace rhopsi::schedule
