// Parts of elements that several indices compute, stored by a sweep of their own.
//
// Parts that boundary conditions are in are compared as they are between the ends of the domain.
//   f(if 1 <= i then u[i - 1] else 0, u[i]) + f(u[i], if i + 1 < n then u[i + 1] else 0)  =>
//   part[i] := f(u[i - 1], u[i])                        of all elements, u being circular
//   (if 1 <= i then part[i] else f(0, u[i])) + (if i + 1 < n then part[i + 1] else f(u[i], 0))
#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

#include "engine/onf/weight.hpp"
#include "engine/schedule/interior.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

class Materialising {
 public:
  Materialising(Graph& graph, std::int64_t least, std::vector<Step>& steps)
      : graph_(graph), interior_(graph), least_(least), steps_(steps) {}

  void run() {
    while (made_ < most_values && once()) {
    }
    if (made_ == 0 && best_saved_ > 0) refuse();
  }

 private:
  static constexpr int most_values = 16;
  static constexpr const char* where_read = "computed where it is read";

  std::string enough() const {
    return "at least " + std::to_string(least_) +
           " operations of an element are not computed again";
  }

  // A part up to where it is: what it is between the ends, with its first read at the index itself.
  struct Part {
    NodeId form;
    Offset at;
    Interior::Conditions where;  // it is that
  };
  // Where a part of that form is computed whatever the numbers are: the offsets, by sweep.
  using Places = std::map<std::size_t, std::set<Offset>>;

  // The offset of the first read; nothing where there is none.
  std::optional<Offset> first_read(NodeId id) {
    if (const auto found = first_.find(id); found != first_.end()) return found->second;
    const Node& node = graph_[id];
    std::optional<Offset> made;
    if (node.kind == Node::Kind::load) made = node.offset;
    for (std::size_t k = 0; k < node.operands.size() && !made; ++k) {
      made = first_read(node.operands[k]);
    }
    return first_[id] = made;
  }

  std::optional<Part> part_of(NodeId id) {
    if (graph_[id].kind != Node::Kind::scalar || !is_real(graph_[id])) return std::nullopt;
    // Of a choice that is decided between the ends, its branch is a part.
    if (interior_.branch_of(id)) return std::nullopt;
    Interior::Part inside = interior_.of(id);
    if (inside.node != id && !worth_conditions(inside)) inside = {id};
    const auto at = first_read(inside.node);
    if (!at) return std::nullopt;
    Offset back = *at;
    for (std::int64_t& o : back) {
      if (__builtin_sub_overflow(std::int64_t{0}, o, &o)) return std::nullopt;
    }
    const auto form = graph_.shifted(inside.node, back, moves_[back]);
    if (!form) return std::nullopt;
    return Part{*form, *at, std::move(inside.where)};
  }

  // Little is computed for all elements of a row anyway, and at its ends.
  bool worth_conditions(const Interior::Part& part) {
    return safe_anywhere(graph_, part.node) &&
           (part.where.empty() || operations_of(graph_, part.node) > onf::most_unasked);
  }

  std::map<NodeId, Places> parts() {
    std::map<NodeId, Places> found;
    for (std::size_t k = 0; k < graph_.sweeps.size(); ++k) {
      std::unordered_set<NodeId> seen;
      std::vector<NodeId> inside;  // computed in any case between the ends
      const auto visit = [&](const auto& self, NodeId id, bool everywhere) -> void {
        if (!seen.insert(id).second) return;
        const auto part = part_of(id);
        if (part && (everywhere || safe_anywhere(graph_, part->form))) {
          found[part->form][k].insert(part->at);
        }
        if (const auto branch = interior_.branch_of(id)) {
          inside.push_back(graph_[id].operands[*branch]);
        }
        const std::size_t certain = certain_operands(graph_[id]);
        for (std::size_t operand = 0; operand < certain; ++operand) {
          self(self, NodeId(graph_[id].operands[operand]), everywhere);
        }
      };
      for (const ValueId value : graph_.sweeps[k].defines) {
        visit(visit, graph_[value].definition, true);
      }
      while (!inside.empty()) {
        const NodeId next = inside.back();
        inside.pop_back();
        visit(visit, next, false);
      }
    }
    return found;
  }

  // Takes the part that saves most, if that is enough.
  bool once() {
    std::optional<NodeId> best;
    Places where;
    double most = 0;
    for (auto& [form, places] : parts()) {
      std::size_t times = 0;
      for (const auto& [sweep, offsets] : places) times += offsets.size();
      if (times < 2) continue;
      const double saved = static_cast<double>(times - 1) * operations_of(graph_, form);
      if (saved <= most) continue;
      most = saved;
      best = form;
      where = places;
    }
    best_saved_ = std::max(best_saved_, most);
    if (!best || most < static_cast<double>(least_)) return false;
    store(*best, where.begin()->first, most);
    return true;
  }

  void store(NodeId form, std::size_t first, double saved) {
    const auto value = static_cast<ValueId>(graph_.values.size());
    Value made;
    made.name = "part_" + std::to_string(++made_);
    made.element = graph_[form].shell.type.scalar;
    made.definition = form;
    graph_.values.push_back(std::move(made));
    has_ends_ = false;
    for (std::size_t k = first; k < graph_.sweeps.size(); ++k) {
      bool changes = false;
      for (const ValueId defined : graph_.sweeps[k].defines) {
        changes = replace(defined, form, value) || changes;
      }
      if (changes) add_step(graph_.sweeps[k].made_by, "materialise");
    }
    steps_.push_back(
        taken("materialise", site_of(graph_, value),
              {.before = where_read,
               .after = has_ends_ ? "stored, and computed where it is read at the ends" : "stored",
               .condition = enough() + ", which here are " + std::to_string(std::int64_t(saved)),
               .decider = "count"}));
    const term::LocationId location = graph_.sweeps[first].location;
    const std::vector<term::LocationId> also_from = graph_.sweeps[first].also_from;
    graph_.sweeps.insert(graph_.sweeps.begin() + std::ptrdiff_t(first),
                         {{value}, location, {"materialise"}, also_from});
    first_.clear();
  }

  // Was there something to replace?
  bool replace(ValueId defined, NodeId form, ValueId value) {
    Replacing with{form, value, {}, {}};
    const NodeId changed = replaced(graph_[defined].definition, with, true);
    return std::exchange(graph_[defined].definition, changed) != changed;
  }

  struct Replacing {
    NodeId form;
    ValueId value;
    std::map<NodeId, NodeId> inside, at_ends;  // what has been replaced
  };
  // At the ends only what is a part there too is read of the value.
  NodeId replaced(NodeId id, Replacing& with, bool inside) {
    std::map<NodeId, NodeId>& done = inside ? with.inside : with.at_ends;
    if (const auto found = done.find(id); found != done.end()) return found->second;
    NodeId made = id;
    const auto part = part_of(id);
    if (part && part->form == with.form && (inside || part->where.empty())) {
      made = read_of(id, *part, with.value);
    } else if (!graph_[id].operands.empty()) {
      Node node = graph_[id];
      const auto branch = interior_.branch_of(id);
      for (std::size_t k = 0; k < node.operands.size(); ++k) {
        const bool end = branch && k > 0 && k != *branch;
        node.operands[k] = replaced(node.operands[k], with, inside && !end);
      }
      made = graph_.make(std::move(node));
    }
    done.emplace(id, made);
    return made;
  }

  // The value where the part is what was stored, and the part itself elsewhere.
  NodeId read_of(NodeId id, const Part& part, ValueId value) {
    Node load;
    load.kind = Node::Kind::load;
    load.shell.type = graph_[id].shell.type;
    load.shell.location = graph_[id].shell.location;
    load.value = value;
    load.offset = part.at;
    const NodeId stored = graph_.make(load);
    if (part.where.empty()) return stored;
    has_ends_ = true;
    Node choice;
    choice.shell.kind = onf::Expr::Kind::if_;
    choice.shell.type = load.shell.type;
    choice.shell.location = load.shell.location;
    if (part.where.size() == 1) {
      const auto& [condition, holds] = *part.where.begin();
      const NodeId other = knowing(id, condition, !holds);
      choice.operands = {condition, holds ? stored : other, holds ? other : stored};
    } else {
      choice.operands = {all_of(part.where), stored, id};
    }
    return graph_.make(std::move(choice));
  }

  // The node where it is known that the condition holds, or does not.
  NodeId knowing(NodeId id, NodeId condition, bool holds) {
    return graph_.replaced(id, [&](NodeId part) -> std::optional<NodeId> {
      const Node& node = graph_[part];
      if (node.kind != Node::Kind::scalar || node.shell.kind != onf::Expr::Kind::if_ ||
          node.operands[0] != condition) {
        return std::nullopt;
      }
      return knowing(node.operands[holds ? 1 : 2], condition, holds);
    });
  }

  NodeId all_of(const Interior::Conditions& where) {
    const auto truth = [&](onf::ScalarFunction function, std::vector<NodeId> operands) {
      Node node;
      node.shell.kind = onf::Expr::Kind::apply;
      node.shell.function = function;
      node.shell.type.scalar = onf::Scalar::boolean;
      node.operands = std::move(operands);
      return graph_.make(std::move(node));
    };
    std::optional<NodeId> all;
    for (const auto& [condition, holds] : where) {
      const NodeId one = holds ? condition : truth(onf::ScalarFunction::not_, {condition});
      all = all ? truth(onf::ScalarFunction::and_, {*all, one}) : one;
    }
    return *all;
  }

  void refuse() {
    steps_.push_back(refused("materialise", {graph_.name()},
                             {.before = where_read,
                              .condition = enough() + ", but these would be " +
                                           std::to_string(std::int64_t(best_saved_)) + " at most",
                              .decider = "count"}));
  }

  Graph& graph_;
  Interior interior_;
  std::int64_t least_;
  std::vector<Step>& steps_;
  std::map<NodeId, std::optional<Offset>> first_;
  std::map<Offset, Graph::KnownMoves> moves_;
  int made_ = 0;
  bool has_ends_ = false;  // is what was stored last computed at the ends?
  double best_saved_ = 0;
};

}  // namespace

void materialise(Graph& graph, std::int64_t least, std::vector<Step>& steps) {
  Materialising(graph, least, steps).run();
}

}  // namespace rhopsi::schedule
