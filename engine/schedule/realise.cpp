// A graph with its storage as a function: refills, then one nest or pipeline per pass, then the
// results.
#include <algorithm>
#include <set>
#include <utility>

#include "engine/onf/print.hpp"
#include "engine/schedule/elements.hpp"
#include "engine/schedule/halos.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/seams.hpp"
#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::Representation;

std::string axis_name(std::size_t axis) {
  static const std::string letters = "ijklmn";
  return axis < letters.size() ? std::string(1, letters[axis]) : "i" + std::to_string(axis);
}

class Realising {
 public:
  Realising(const onf::Function& from, const Graph& graph, const Storage& storage,
            const Writing& writing, std::vector<Step>& steps)
      : from_(from),
        graph_(graph),
        storage_(storage),
        writing_(writing),
        pad_(writing.pad),
        halos_(halos_of(graph, writing.beyond, writing.refill)),
        steps_(steps),
        names_{{},
               {},
               [this](ValueId value) { return source_of(value); },
               [this](ValueId value) { return rings_.contains(value); }},
        elements_(graph, names_, writing.beyond) {}

  std::optional<onf::Function> run() {
    head();
    for (const Pass& pass : graph_.passes) write(pass);
    results();
    if (elements_.too_large()) return std::nullopt;
    return std::move(to_);
  }

 private:
  // --- names

  onf::VariableId variable(const std::string& name, const Representation& type) {
    to_.variables.push_back({name, type, {}});
    return static_cast<onf::VariableId>(to_.variables.size() - 1);
  }
  // One that the caller does not know: the name is no argument's.
  onf::VariableId local(const std::string& wanted, const Representation& type) {
    const auto taken = [this](const std::string& name) {
      return std::ranges::any_of(to_.arguments, [&](const onf::Argument& argument) {
        return !argument.view && to_.variables[onf::number(argument.variable)].name == name;
      });
    };
    std::string name = wanted;
    for (int k = 2; taken(name); ++k) name = wanted + "_" + std::to_string(k);
    return variable(name, type);
  }
  onf::ViewId view(const std::string& name, onf::Scalar element, bool parameter) {
    const int before = taken_[name]++;
    onf::Block block;
    block.element = element;
    block.box.assign(static_cast<std::size_t>(graph_.rank()), {pad_, pad_, onf::Outside::circular});
    to_.blocks.push_back(std::move(block));
    to_.views.push_back({before == 0 ? name : name + "_" + std::to_string(before + 1),
                         static_cast<onf::BlockId>(to_.blocks.size() - 1),
                         {},
                         parameter,
                         !parameter,
                         {}});
    return static_cast<onf::ViewId>(to_.views.size() - 1);
  }

  void head() {
    to_.name = from_.name;
    to_.procedure = from_.procedure;
    to_.refills = true;
    to_.result = from_.result;
    to_.result_less = from_.result_less;
    to_.sorts = from_.sorts;
    to_.part_of = from_.part_of;
    to_.preconditions = from_.preconditions;
    to_.location = from_.location;
    for (const onf::Argument& argument : from_.arguments) {
      onf::Argument made{argument.mode, std::nullopt, {}, argument.less, argument.window};
      if (argument.view) {
        const onf::View& old = from_.views[onf::number(*argument.view)];
        const onf::Block& block = from_.blocks[onf::number(old.block)];
        made.view = view(old.name, block.element, true);
        to_.blocks.back().broadcast = block.broadcast;
        to_.views.back().location = old.location;
      } else {
        const onf::Variable& old = from_.variables[onf::number(argument.variable)];
        made.variable = variable(old.name, old.type);
        to_.variables.back().location = old.location;
        names_.scalars[argument.variable] = made.variable;
      }
      to_.arguments.push_back(made);
    }
    for (int axis = 0; axis < graph_.rank(); ++axis) {
      indices_.push_back(local(axis_name(std::size_t(axis)),
                               {Representation::Kind::scalar, onf::Scalar::int64, {}}));
      names_.indices.push_back(expression_of(indices_.back()));
    }
    views_.resize(storage_.slots.size());
    for (std::size_t slot = 0; slot < views_.size(); ++slot) {
      const auto argument = storage_.slots[slot].argument;
      if (argument) views_[slot] = to_.arguments[*argument].view;
    }
  }

  onf::ViewId view_of(ValueId value) const { return *views_[storage_.of.at(value)]; }
  // Where a sweep of the pass that is written reads it.
  onf::ViewId source_of(ValueId value) const {
    const auto ring = rings_.find(value);
    return ring == rings_.end() ? view_of(value) : ring->second;
  }

  void emit(onf::Statement statement) { to_.body.push_back(std::move(statement)); }

  // --- pads

  void refill(const Pass& pass) {
    const std::set<ValueId> defined = defined_in(graph_, pass);
    each_read(graph_, pass, [&](std::size_t k, ValueId value, const std::vector<Offset>&) {
      const auto needed = halos_.stored.find(value);
      if (needed == halos_.stored.end() || defined.contains(value) ||
          !refilled_.insert(value).second) {
        return;
      }
      emit({onf::Refill{view_of(value), needed->second}, graph_.sweeps[k].location});
      tell_refill(value, onf::to_string(needed->second), as_far_as_read);
    });
    for (const ValueId value : defined) {
      if (halos_.stored.contains(value)) continue;
      const auto ring = halos_.ringed.find(value);
      if (ring != halos_.ringed.end()) {
        tell_refill(value, onf::to_string(ring->second) + " of each plane", as_far_as_read);
      } else {
        tell_refill(value, "none",
                    writing_.device ? "an index beyond an end is taken modulo"
                                    : "no read of it is of them");
      }
    }
  }

  static constexpr const char* as_far_as_read = "no read of it goes further";

  void tell_refill(ValueId value, std::string filled, const char* condition) {
    if (!writing_.refill) return;
    steps_.push_back(taken("refill", site_of(graph_, value),
                           {.before = "all of the pads",
                            .after = std::move(filled),
                            .condition = condition,
                            .decider = "offsets"}));
  }

  // --- nests

  void write(const Pass& pass) {
    refill(pass);
    for (std::size_t k = pass.first; k < pass.end; ++k) {
      for (const ValueId value : graph_.sweeps[k].defines) {
        const auto slot = storage_.of.find(value);
        if (slot == storage_.of.end() || views_[slot->second]) continue;
        const Slot& wanted = storage_.slots[slot->second];
        views_[slot->second] = view(wanted.name, wanted.element, false);
        emit({onf::Allocate{*views_[slot->second]}, graph_.sweeps[k].location});
      }
    }
    allocate_rows(pass);
    const Sweep& first = graph_.sweeps[pass.first];
    if (pass.pipelined()) {
      emit({pipeline_of(pass), first.location});
    } else {
      onf::Nest nest = nest_of(pass.first);
      if (pass.tiled() && nest.binding == onf::Binding::rows) {
        nest.plane_tiles = onf::CacheTile{bytes_in_use(graph_, pass, storage_), pass.most_rows};
        add_step(nest.made_by, "tile");
      }
      emit({std::move(nest), first.location});
      each_fold(pass, [&](const RowsFolded& fold) {
        emit({onf::RowFold{rows_.at(fold.argument), view_of(fold.value), fold.function,
                           fold.begins_anew},
              first.location});
      });
    }
  }

  // Of values that the pass defines.
  template <class Visit>
  void each_fold(const Pass& pass, const Visit& visit) const {
    if (graph_.folds.empty()) return;
    const std::set<ValueId> defined = defined_in(graph_, pass);
    for (const RowsFolded& fold : graph_.folds) {
      if (defined.contains(fold.value)) visit(fold);
    }
  }

  void allocate_rows(const Pass& pass) {
    each_fold(pass, [&](const RowsFolded& fold) {
      const onf::View& argument = to_.views[onf::number(*to_.arguments[fold.argument].view)];
      const onf::Block like = to_.blocks[onf::number(argument.block)];
      const onf::ViewId rows = view(argument.name, like.element, false);
      to_.blocks.back().broadcast = like.broadcast;
      rows_[fold.argument] = rows;
      emit({onf::Allocate{rows}, graph_.sweeps[pass.first].location});
    });
  }

  onf::Nest nest_of(std::size_t number) {
    const Sweep& sweep = graph_.sweeps[number];
    onf::Nest nest;
    nest.label = from_.name + ": " + names_of(graph_, sweep);
    // Planes are made of rows, but for teams.
    const bool rows = pass_ == nullptr ? writing_.rows : !pass_->teams;
    nest.binding = rows ? onf::Binding::rows : onf::Binding::nested;
    nest.indices = indices_;
    elements_.begin(pass_ == nullptr ? 0 : pass_->first_padded());
    if (writing_.share) lets(sweep, nest.body);
    bool first = true;
    for (const ValueId value : sweep.defines) {
      const Expr element = elements_.of(graph_[value].definition);
      for (const onf::ViewId target : targets_of(value)) {
        if (std::exchange(first, false)) {
          nest.target = target;
          nest.element = element;
        } else {
          nest.also.push_back({target, element});
        }
      }
    }
    nest.padded = pad_ > 0 && !writing_.device && !elements_.wraps();
    if (elements_.wraps()) nest.circular = writing_.beyond.circular;
    nest.rows_at_once = writing_.rows_of(number);
    nest.made_by = steps_of(sweep, nest);
    nest.also_from = sweep.also_from;
    return nest;
  }

  std::vector<std::string> steps_of(const Sweep& sweep, const onf::Nest& nest) const {
    std::vector<std::string> steps;
    if (writing_.laid_out && pass_ == nullptr) add_step(steps, "layout");
    for (const std::string& step : sweep.made_by) add_step(steps, step);
    if (!nest.body.empty()) add_step(steps, "share");
    if (std::ranges::any_of(sweep.defines,
                            [&](ValueId v) { return storage_.in_place.contains(v); }))
      add_step(steps, "in_place");
    if (nest.circular != onf::Circular::modulo) add_step(steps, "boundary");
    if (nest.rows_at_once > 1) add_step(steps, "unroll");
    return pass_ == nullptr ? with_those_of_all(std::move(steps)) : steps;
  }

  std::vector<std::string> with_those_of_all(std::vector<std::string> steps) const {
    for (const std::string& step : writing_.made_by) add_step(steps, step);
    return steps;
  }

  std::vector<onf::ViewId> targets_of(ValueId value) const {
    std::vector<onf::ViewId> targets;
    if (const auto ring = rings_.find(value); ring != rings_.end()) targets.push_back(ring->second);
    if (storage_.of.contains(value)) targets.push_back(view_of(value));
    return targets;
  }

  onf::Pipeline pipeline_of(const Pass& pass) {
    onf::Pipeline made;
    pass_ = &pass;
    if (pass.tiled()) {
      made.tiles = onf::CacheTile{bytes_in_use(graph_, pass, storage_), pass.most_rows};
    }
    made.teams = pass.teams;
    if (graph_.rank() == 1 && !pass.teams) {
      made.runs = onf::CacheTile{bytes_in_use(graph_, pass, storage_), std::nullopt};
    }
    made.rings = rings_of(pass);
    made.seams = seams_of(graph_, pass, storage_, views_);
    for (std::size_t k = pass.first; k < pass.end; ++k) {
      const Sweep& sweep = graph_.sweeps[k];
      const std::size_t at = k - pass.first;
      const onf::Margin rows = pass.tiled() ? pass.rows[at] : onf::Margin{};
      made.stages.push_back({nest_of(k), pass.lags[at], pass.beyond[at], sweep.location, rows});
      made.stages.back().by_turns = !writing_.by_turns.empty() && writing_.by_turns[k];
      if (pass.teams) {
        onf::Pipeline::Stage& stage = made.stages.back();
        stage.rows = pass.around[at].front();
        stage.further.assign(pass.around[at].begin() + 1, pass.around[at].end());
        stage.barrier = pass.barriers[at];
        stage.fetch = sweep.fetch;
      }
      if (sweep.fetch) continue;
      made.label += (made.label.empty() ? from_.name + ": " : "; ") + names_of(graph_, sweep);
      for (const ValueId value : sweep.defines) {
        if (!storage_.of.contains(value)) continue;
        if (const auto halo = filled_behind(graph_, halos_, value)) {
          made.fills.push_back({view_of(value), *halo});
        }
      }
    }
    if (writing_.laid_out) add_step(made.made_by, "layout");
    add_step(made.made_by, "pipeline");
    if (pass.tiled()) add_step(made.made_by, "tile");
    made.made_by = with_those_of_all(std::move(made.made_by));
    each_fold(pass, [&](const RowsFolded& fold) {
      made.folds.push_back(
          {rows_.at(fold.argument), rings_.at(fold.value), fold.function, fold.begins_anew});
    });
    rings_.clear();
    pass_ = nullptr;
    return made;
  }

  // One for each value that the pass defines and reads.
  std::vector<onf::Pipeline::Ring> rings_of(const Pass& pass) {
    std::vector<onf::Pipeline::Ring> made;
    std::map<ValueId, std::int64_t> kept;
    if (pass.tiled()) kept = ring_rows(graph_, pass);
    for (const auto& [value, count] : ring_planes(graph_, pass)) {
      rings_[value] = view(graph_[value].name, graph_[value].element, false);
      onf::Halo halo = halos_.ringed[value];
      halo.axes.resize(static_cast<std::size_t>(graph_.rank()));
      made.push_back({rings_[value], count, std::move(halo), kept[value]});
      steps_.push_back(
          taken("ring", site_of(graph_, value),
                {.before = "a block",
                 .after = std::to_string(count) + (pass.teams ? " planes of a tile" : " planes"),
                 .condition = "no sweep of the pass reads it further behind",
                 .decider = "offsets"}));
    }
    each_fold(pass, [&](const RowsFolded& fold) { add_terms(fold.value, made); });
    return made;
  }

  // Of what rows are folded of, where no sweep reads it, the plane that a stage is at.
  void add_terms(ValueId value, std::vector<onf::Pipeline::Ring>& made) {
    if (rings_.contains(value)) return;
    rings_[value] = view(graph_[value].name, graph_[value].element, false);
    onf::Halo halo;
    halo.axes.resize(static_cast<std::size_t>(graph_.rank()));
    made.push_back({rings_[value], 1, std::move(halo)});
  }

  // What is computed in any case and used more than once gets a name.
  void lets(const Sweep& sweep, onf::Statements& body) {
    std::vector<NodeId> computed;  // once for each store
    for (const ValueId value : sweep.defines) {
      computed.insert(computed.end(), targets_of(value).size(), graph_[value].definition);
    }
    for (const SharedNode& shared : shared_in(graph_, computed)) {
      Expr value = elements_.of(shared.node);
      const onf::VariableId named = local("t" + std::to_string(shared_++), value.type);
      elements_.name(shared.node, expression_of(named));
      body.push_back({onf::Let{named, std::move(value), true}, sweep.location});
      if (shared.uses < 2) continue;
      steps_.push_back(taken("share", site_of(graph_, sweep.defines[0]),
                             {.before = "computed " + std::to_string(shared.uses) + " times",
                              .after = "computed once",
                              .condition = "the same function of the same numbers",
                              .decider = "structure"}));
    }
  }

  Expr expression_of(onf::VariableId id) const {
    Expr e;
    e.kind = Expr::Kind::variable;
    e.variable = id;
    e.type = to_.variables[onf::number(id)].type;
    return e;
  }

  // --- the end

  void results() {
    struct Pending {
      onf::ViewId target;
      std::size_t slot;
    };
    std::vector<Pending> pending;
    for (const Result& result : graph_.results) {
      const std::size_t slot = storage_.of.at(result.value);
      if (storage_.slots[slot].argument == result.argument) continue;
      pending.push_back({*to_.arguments[result.argument].view, slot});
    }
    // Arguments that change places: none is lost before it is taken.
    std::map<std::size_t, onf::ViewId> kept;
    for (const Pending& one : pending) {
      const Slot& slot = storage_.slots[one.slot];
      if (!slot.argument || kept.contains(one.slot)) continue;
      const onf::ViewId handle = view("old_" + slot.name, slot.element, false);
      emit({onf::Share{handle, *views_[one.slot], true, false}, from_.location});
      kept[one.slot] = handle;
    }
    for (std::size_t k = 0; k < pending.size(); ++k) {
      const std::size_t slot = pending[k].slot;
      const bool again = std::any_of(pending.begin() + std::ptrdiff_t(k) + 1, pending.end(),
                                     [&](const Pending& later) { return later.slot == slot; });
      const bool returned = graph_.returned && storage_.of.at(*graph_.returned) == slot;
      const onf::ViewId source = kept.contains(slot) ? kept[slot] : *views_[slot];
      emit({onf::Share{pending[k].target, source, false, !again && !returned}, from_.location});
    }
    for (const auto& [argument, rows] : rows_) {
      emit({onf::Share{*to_.arguments[argument].view, rows, false, true}, from_.location});
    }
    if (!graph_.returned) return;
    Expr value;
    value.kind = Expr::Kind::view;
    value.view = view_of(*graph_.returned);
    value.type = *from_.result;
    emit({onf::Return{std::move(value)}, from_.location});
  }

  const onf::Function& from_;
  const Graph& graph_;
  const Storage& storage_;
  const Writing& writing_;
  std::int64_t pad_;
  Halos halos_;
  std::vector<Step>& steps_;
  Names names_;
  Elements elements_;
  onf::Function to_;
  std::vector<onf::VariableId> indices_;
  std::vector<std::optional<onf::ViewId>> views_;  // by slot
  const Pass* pass_ = nullptr;                     // the pipeline that is written
  std::map<ValueId, onf::ViewId> rings_;           // of it
  std::map<std::size_t, onf::ViewId> rows_;        // what folds of rows are written, by argument
  std::set<ValueId> refilled_;
  std::map<std::string, int> taken_;  // names of views
  int shared_ = 0;
};

}  // namespace

std::optional<onf::Function> realise(const onf::Function& function, const Graph& graph,
                                     const Storage& storage, const Writing& writing,
                                     std::vector<Step>& steps) {
  return Realising(function, graph, storage, writing, steps).run();
}

}  // namespace rhopsi::schedule
