// Parts of elements that several indices compute, stored by a sweep of their own.
#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

#include "engine/schedule/made_by.hpp"
#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

bool is_real(const onf::Expr& shell) {
  return shell.type.kind == onf::Representation::Kind::scalar &&
         (shell.type.scalar == onf::Scalar::float32 || shell.type.scalar == onf::Scalar::float64);
}

class Materialising {
 public:
  Materialising(Graph& graph, std::int64_t least, std::vector<Step>& steps)
      : graph_(graph), least_(least), steps_(steps) {}

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

  // A part up to where it is: what it is with its first read at the index itself.
  struct Part {
    NodeId form;
    Offset at;
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
    if (graph_[id].kind != Node::Kind::scalar || !is_real(graph_[id].shell)) return std::nullopt;
    const auto at = first_read(id);
    if (!at) return std::nullopt;
    Offset back = *at;
    for (std::int64_t& o : back) {
      if (__builtin_sub_overflow(std::int64_t{0}, o, &o)) return std::nullopt;
    }
    const auto form = graph_.shifted(id, back);
    return form ? std::optional<Part>({*form, *at}) : std::nullopt;
  }

  std::map<NodeId, Places> parts() {
    std::map<NodeId, Places> found;
    for (std::size_t k = 0; k < graph_.sweeps.size(); ++k) {
      std::unordered_set<NodeId> seen;
      const auto visit = [&](const auto& self, NodeId id) -> void {
        if (!seen.insert(id).second) return;
        if (const auto part = part_of(id)) found[part->form][k].insert(part->at);
        const std::size_t certain = certain_operands(graph_[id]);
        for (std::size_t operand = 0; operand < certain; ++operand) {
          self(self, NodeId(graph_[id].operands[operand]));
        }
      };
      for (const ValueId value : graph_.sweeps[k].defines) visit(visit, graph_[value].definition);
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
    steps_.push_back(
        taken("materialise", site_of(graph_, value),
              {.before = where_read,
               .after = "stored",
               .condition = enough() + ", which here are " + std::to_string(std::int64_t(saved)),
               .decider = "count"}));
    for (std::size_t k = first; k < graph_.sweeps.size(); ++k) {
      bool changes = false;
      for (const ValueId defined : graph_.sweeps[k].defines) {
        changes = replace(defined, form, value) || changes;
      }
      if (changes) add_step(graph_.sweeps[k].made_by, "materialise");
    }
    const term::LocationId location = graph_.sweeps[first].location;
    graph_.sweeps.insert(graph_.sweeps.begin() + std::ptrdiff_t(first),
                         {{value}, location, {"materialise"}});
    first_.clear();
  }

  // Was there something to replace?
  bool replace(ValueId defined, NodeId form, ValueId value) {
    const NodeId changed =
        graph_.replaced(graph_[defined].definition, [&](NodeId id) -> std::optional<NodeId> {
          const auto part = part_of(id);
          if (!part || part->form != form) return std::nullopt;
          Node load;
          load.kind = Node::Kind::load;
          load.shell.type = graph_[id].shell.type;
          load.shell.location = graph_[id].shell.location;
          load.value = value;
          load.offset = part->at;
          return graph_.make(std::move(load));
        });
    return std::exchange(graph_[defined].definition, changed) != changed;
  }

  void refuse() {
    steps_.push_back(refused("materialise", {graph_.name()},
                             {.before = where_read,
                              .condition = enough() + ", but these would be " +
                                           std::to_string(std::int64_t(best_saved_)) + " at most",
                              .decider = "count"}));
  }

  Graph& graph_;
  std::int64_t least_;
  std::vector<Step>& steps_;
  std::map<NodeId, std::optional<Offset>> first_;
  int made_ = 0;
  double best_saved_ = 0;
};

}  // namespace

void materialise(Graph& graph, std::int64_t least, std::vector<Step>& steps) {
  Materialising(graph, least, steps).run();
}

}  // namespace rhopsi::schedule
