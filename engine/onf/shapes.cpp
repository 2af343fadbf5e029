#include "engine/onf/shapes.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "engine/onf/in_blocks.hpp"
#include "engine/onf/index_demand.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/own_arrays.hpp"
#include "engine/onf/ranges.hpp"
#include "engine/onf/regrouping.hpp"
#include "engine/onf/tile.hpp"

namespace rhopsi::onf {

namespace {

// The variables that statements assign.
void assigned_in(const Statements& body, std::set<VariableId>& found) {
  for (const Statement& statement : body) {
    std::visit(
        [&](const auto& form) {
          using Form = std::decay_t<decltype(form)>;
          if constexpr (std::is_same_v<Form, Assign>) {
            found.insert(form.variable);
          } else if constexpr (std::is_same_v<Form, If>) {
            assigned_in(form.then, found);
            assigned_in(form.otherwise, found);
          } else if constexpr (requires { form.body; }) {
            assigned_in(form.body, found);
          }
        },
        statement.form);
  }
}

class Walk {
 public:
  Walk(const Module& module, const Function& function)
      : module_(module),
        function_(function),
        ranges_(module, function),
        own_(function, ranges_, found_) {}

  std::vector<Problem> run() {
    for (const Argument& argument : function_.arguments) {
      if (!argument.view) ranges_.define(argument.variable, Range{});
    }
    walk(function_.body);
    own_.use_all();
    return found_.take();
  }
  const std::vector<IndexWidth>& widths() const { return widths_; }
  // Calls it with each statement outside of nests, and with what is known in front of it. Nothing
  // is checked then and no nest is entered: what holds in a nest is not known behind it.
  void tell(const std::function<void(const Statement&, Ranges&)>& at) { at_ = &at; }

 private:
  void report(std::string code, std::string message, std::string advice, term::LocationId location,
              bool error = true) {
    if (location == term::LocationId{}) location = function_.location;
    found_.add({std::move(code), std::move(message), std::move(advice), location, error});
  }
  const std::string& name(ViewId view) const { return function_.views[number(view)].name; }
  const Block& block(ViewId view) const {
    return function_.blocks[number(function_.views[number(view)].block)];
  }

  // --- expressions
  void read(const Expr& e) {
    if (at_ != nullptr) return;
    if (e.kind == Expr::Kind::if_) return branch(e);
    const bool connective = e.kind == Expr::Kind::apply && (e.function == ScalarFunction::and_ ||
                                                            e.function == ScalarFunction::or_);
    if (connective && e.operands.size() == 2) return connect(e);
    for (const Expr& operand : e.operands) read(operand);
    if (e.kind == Expr::Kind::load) load(e);
    const bool names = e.kind == Expr::Kind::load || e.kind == Expr::Kind::view;
    // Functions take arrays whose places are of 64 bits.
    if (demand_ && e.kind == Expr::Kind::view) demand_->refuse();
    if (names && !writes(e.view)) return own_.use(e.view);
    if (e.kind == Expr::Kind::view && writes(e.view)) reads_what_it_writes(e);
  }
  bool writes(ViewId view) const { return std::ranges::count(targets_, view) > 0; }
  void branch(const Expr& e) {
    read(e.operands[0]);
    const std::size_t before = ranges_.assumed();
    ++branches_;
    for (const bool then : {true, false}) {
      ranges_.assume(e.operands[0], then);
      read(e.operands[then ? 1 : 2]);
      ranges_.forget(before);
    }
    --branches_;
  }

  // The right side is looked at only where it matters.
  void connect(const Expr& e) {
    read(e.operands[0]);
    const std::size_t before = ranges_.assumed();
    ++branches_;
    ranges_.assume(e.operands[0], e.function == ScalarFunction::and_);
    read(e.operands[1]);
    ranges_.forget(before);
    --branches_;
  }

  void load(const Expr& e) {
    const Block& source = block(e.view);
    const bool own = source.extents.has_value();
    if (!own && !own_nest_) return;
    const std::size_t rank = own ? source.extents->size() : static_cast<std::size_t>(module_.rank);
    const auto same_block = [&](ViewId target) {
      return function_.views[number(target)].block == function_.views[number(e.view)].block;
    };
    if (std::ranges::any_of(targets_, same_block) && !is_not_yet_written(e) && !is_kept(e))
      reads_what_it_writes(e);
    const bool by_components =
        e.operands.size() == rank && std::ranges::all_of(e.operands, [](const Expr& component) {
          return component.type.kind == Representation::Kind::scalar;
        });
    if (!by_components || !function_.views[number(e.view)].chain.empty()) {
      if (own && !by_components) {
        report("E0525",
               "an element of " + name(e.view) + ", which has " + std::to_string(rank) +
                   " axes, is read by " + std::to_string(e.operands.size()) + " components",
               "give a component for each axis", at(e));
      } else {
        undecided(e, 0);
      }
      return;
    }
    if (demand_) demand_->array(e.view);
    for (std::size_t axis = 0; axis < rank; ++axis) {
      component(e, axis);
      if (demand_) demand_->component(e.operands[axis]);
    }
  }

  // The element that the nest is about to write, of an array in place of another one.
  bool is_not_yet_written(const Expr& e) const {
    if (!writes(e.view) || !own_.is_in_place(e.view)) return false;
    return std::ranges::equal(e.operands, *indices_, [](const Expr& component, VariableId index) {
      return component.kind == Expr::Kind::variable && component.variable == index;
    });
  }
  // An element of such an array that its only nest leaves as it is.
  bool is_kept(const Expr& e) {
    const Region* const part = writes(e.view) ? own_.only_part(e.view) : nullptr;
    if (part == nullptr || e.operands.size() != part->size()) return false;
    for (std::size_t axis = 0; axis < part->size(); ++axis) {
      const auto index = ranges_.affine(e.operands[axis]);
      const auto below = index ? difference((*part)[axis].low, *index) : std::nullopt;
      const auto above = index ? difference(*index, (*part)[axis].high) : std::nullopt;
      const auto gap = below ? difference(*below, {1, {}}) : std::nullopt;
      if ((gap && ranges_.not_negative(*gap)) || (above && ranges_.not_negative(*above)))
        return true;
    }
    return false;
  }
  void reads_what_it_writes(const Expr& e) {
    report("E0527", "a nest reads " + name(e.view) + ", which it writes",
           "write into another array", at(e));
  }

  // Statements that compute an array as a whole have the place of that array.
  term::LocationId at(const Expr& e) const {
    if (e.location != term::LocationId{}) return e.location;
    if (location_ != term::LocationId{} || targets_.empty()) return location_;
    return function_.views[number(targets_.front())].location;
  }
  void undecided(const Expr& e, std::size_t axis) {
    if (demand_) demand_->refuse();
    report(
        "E0524",
        "the access of " + name(e.view) + " on axis " + std::to_string(axis) + " cannot be decided",
        "test the index before", at(e), false);
  }

  void component(const Expr& e, std::size_t axis) {
    const std::int64_t pad = block(e.view).extents ? 0 : module_.pad;
    const auto index = ranges_.affine(e.operands[axis]);
    const auto length = ranges_.affine(*ranges_.length(e.view, axis));
    const auto below = index ? difference(*index, {-pad, {}}) : std::nullopt;
    const auto gap = index && length ? difference(*length, *index) : std::nullopt;
    const auto above = gap ? difference(*gap, {1 - pad, {}}) : std::nullopt;
    if (!below || !above) return undecided(e, axis);
    if (ranges_.not_negative(*below) && ranges_.not_negative(*above)) return;
    if (branches_ == 0) {
      for (const Affine* distance : {&*below, &*above}) {
        const auto least = ranges_.least(*distance);
        if (!least || *least >= 0) continue;
        const std::string index_text =
            distance == &*below ? "index " + std::to_string(*least - pad)
                                : "index " + std::to_string(-*least) + " beyond the last one";
        report("E0523",
               "the " + index_text + " on axis " + std::to_string(axis) + " of " + name(e.view) +
                   " is outside the array",
               "", at(e));
        return;
      }
    }
    undecided(e, axis);
  }

  // --- statements
  OwnArrays::Place here() const { return {location_, depth_}; }
  void walk(const Statements& body) {
    ++depth_;
    const Nest* before = nullptr;
    std::size_t by_turns = 0, in_lines = 0;  // up to there
    for (std::size_t at = 0; at < body.size(); ++at) {
      const Statement& statement = body[at];
      location_ = statement.location;
      if (at_ != nullptr) (*at_)(statement, ranges_);
      const Nest* const nest = std::get_if<Nest>(&statement.form);
      if (at_ == nullptr && nest != nullptr && nest->joined)
        own_.check_joined(*nest, before, location_);
      if (at_ == nullptr && nest != nullptr && at >= by_turns)
        by_turns = own_.check_turns(body, at);
      if (at_ == nullptr && statement.lines && at >= in_lines)
        in_lines = own_.check_lines(body, at);
      if (at_ == nullptr && nest != nullptr && nest->overwritten && !statement.lines)
        own_.refuse_overwritten(*nest, location_);
      before = nest;
      std::visit([this](const auto& form) { step(form); }, statement.form);
    }
    --depth_;
  }
  void step(const Allocate& s) {
    if (at_ != nullptr) return;
    if (s.in_place_of) own_.take_over(s.view, *s.in_place_of, location_);
    for (const Expr& extent : block(s.view).extents.value_or(std::vector<Expr>{})) read(extent);
    own_.allocate(s.view, s.in_place_of.has_value(), here());
  }
  // What holds inside holds there only.
  template <class Inside>
  void scope(const Inside& inside) {
    const std::size_t before = ranges_.assumed();
    inside();
    ranges_.forget(before);
  }
  template <class Inside>
  void may_not_run(const Inside& inside) {
    ++branches_;
    scope(inside);
    --branches_;
  }
  void unknown(const std::set<VariableId>& variables) {
    for (const VariableId variable : variables) ranges_.define(variable, Range{});
  }

  void step(const Let& s) {
    if (!s.value) return ranges_.define(s.variable, Range{});
    read(*s.value);
    if (demand_ && s.constant) demand_->constant(s.variable, *s.value);
    if (s.constant)
      ranges_.define(s.variable, *s.value);
    else
      ranges_.define(s.variable, ranges_.range(*s.value));
  }
  void step(const Assign& s) {
    read(s.value);
    ranges_.define(s.variable, ranges_.range(s.value));
  }
  void step(const Lazy& s) {
    may_not_run([&] {
      walk(s.body);
      read(s.value);
    });
    ranges_.define(s.variable, ranges_.range(s.value));
  }
  void step(const Check& s) {
    read(s.condition);
    ranges_.assume(s.condition);
  }
  void step(const If& s) {
    read(s.condition);
    std::set<VariableId> assigned;
    assigned_in(s.then, assigned);
    assigned_in(s.otherwise, assigned);
    std::map<VariableId, Range> after;
    for (const bool then : {true, false}) {
      may_not_run([&] {
        ranges_.assume(s.condition, then);
        walk(then ? s.then : s.otherwise);
      });
      for (const VariableId variable : assigned) {
        const Range known = ranges_.range(of(variable));
        const auto [place, first] = after.try_emplace(variable, known);
        if (first) continue;
        place->second = {std::min(place->second.low, known.low),
                         std::max(place->second.high, known.high)};
      }
    }
    for (const auto& [variable, range] : after) ranges_.define(variable, range);
  }
  void step(const Fold& s) {
    read(s.count);
    check_regrouping(s);
    std::set<VariableId> assigned;
    assigned_in(s.body, assigned);
    unknown(assigned);
    Range range;
    may_not_run_if_empty(s.count, [&] {
      ranges_.counter(s.index, integer(0), s.count);
      if (demand_) demand_->counter(s.index, s.count);
      walk(s.body);
      read(s.element);
      if (s.function) {
        range = folded(*s.function, ranges_.range(s.count), ranges_.range(s.element));
      }
    });
    unknown(assigned);
    ranges_.define(s.variable, range);
  }
  void check_regrouping(const Fold& s) {
    std::string wrong = wrong_with_regrouping(function_, s);
    if (wrong.empty() && s.regrouping && (in_nest_ || function_.device)) {
      wrong = "is of a fold within a kernel";
    }
    if (wrong.empty()) return;
    report("E0525",
           "the regrouping of " + function_.variables[number(s.variable)].name + " " + wrong,
           "leave the fold without one", location_);
  }
  template <class Inside>
  void may_not_run_if_empty(const Expr& count, const Inside& inside) {
    if (ranges_.range(count).low > 0)
      scope(inside);
    else
      may_not_run(inside);
  }
  void step(const Nest& s) {
    if (at_ != nullptr) return;
    for (const Interval& interval : s.box.value_or(std::vector<Interval>{})) {
      read(interval.low);
      read(interval.high);
    }
    own_.write(s, here());
    own_.check_loops(s, location_);
    if (s.tile) {
      if (const std::string wrong = wrong_with_tile(function_, s); !wrong.empty()) {
        report("E0525", "the tile of a nest of " + name(s.target) + " " + wrong,
               "leave the nest without one", location_);
      }
    }
    own_nest_ = s.box.has_value();
    in_nest_ = true;
    if (own_nest_) targets_ = targets_of(s);
    indices_ = &s.indices;
    demand(s);
    scope([&] {
      bool may_be_empty = false;
      for (std::size_t axis = 0; axis < s.indices.size(); ++axis) {
        if (s.box && axis < s.box->size()) {
          const Interval& interval = (*s.box)[axis];
          ranges_.counter(s.indices[axis], interval.low, interval.high);
          if (surely_less(interval)) continue;
          may_be_empty = true;
          ranges_.assume_elements(interval.low, interval.high);
        } else if (s.binding == Binding::nested) {
          ranges_.counter(s.indices[axis], integer(0), extent(axis));
        }
      }
      if (may_be_empty) ++branches_;
      walk(s.body);
      read(s.element);
      for (const Nest::Output& output : s.also) read(output.element);
      if (may_be_empty) --branches_;
    });
    own_nest_ = false;
    in_nest_ = false;
    targets_.clear();
    widths_.push_back(demand_ ? demand_->width() : IndexWidth{});
    demand_.reset();
    if (suffices(s.width, widths_.back())) return;
    report("E0528",
           "that indices of 32 bits suffice for a nest of " + name(s.target) + " cannot be decided",
           "give it indices of 64 bits", location_, false);
  }
  // Begins to ask what has to be small for the nest's indices.
  void demand(const Nest& s) {
    const Block& written = block(s.target);
    if (!s.box || !written.extents || s.box->size() != written.extents->size()) return;
    if (index_variables(s).empty()) return;
    demand_.emplace(function_, ranges_, s);
    for (const ViewId target : targets_of(s)) demand_->array(target);
    for (std::size_t axis = 0; axis < std::min(s.indices.size(), s.box->size()); ++axis) {
      demand_->axis(s.indices[axis], (*s.box)[axis], (*written.extents)[axis]);
    }
  }
  bool surely_less(const Interval& interval) {
    const auto low = ranges_.affine(interval.low), high = ranges_.affine(interval.high);
    const auto length = low && high ? difference(*high, *low) : std::nullopt;
    return length && ranges_.range(*length).low > 0;
  }
  static Expr extent(std::size_t axis) {
    Expr e = integer(0);
    e.kind = Expr::Kind::extent;
    e.axis = static_cast<int>(axis);
    return e;
  }
  Expr of(VariableId variable) const {
    Expr e;
    e.kind = Expr::Kind::variable;
    e.type = function_.variables[number(variable)].type;
    e.variable = variable;
    return e;
  }
  void loop(const Statements& body, const Statements& before = {}) {
    std::set<VariableId> assigned;
    assigned_in(body, assigned);
    assigned_in(before, assigned);
    unknown(assigned);
    may_not_run([&] {
      walk(before);
      walk(body);
    });
    unknown(assigned);
  }
  void step(const For& s) {
    read(s.low);
    read(s.high);
    ranges_.counter(s.index, s.low, s.high);
    loop(s.body);
  }
  void step(const Iterate& s) {
    read(s.count);
    loop(s.body);
  }
  void step(const While& s) {
    loop(s.body, s.before);
    read(s.condition);
    read(s.bound);
  }
  void step(const Scope& s) { walk(s.body); }
  void step(const Return& s) {
    if (s.value) read(*s.value);
  }
  void step(const Whole& s) {
    for (const Expr& operand : s.operands) read(operand);
  }
  void step(const Mutate& s) {
    for (const Expr& operand : s.operands) read(operand);
  }
  void step(const Call& s) {
    for (const Expr& operand : s.call.operands) read(operand);
  }
  void step(const Pipeline& s) {
    for (const Pipeline::Stage& stage : s.stages) {
      scope([&] {
        walk(stage.nest.body);
        read(stage.nest.element);
        for (const Nest::Output& output : stage.nest.also) read(output.element);
      });
    }
  }
  void step(const Share& s) { own_.use(s.source); }
  void step(const RowFold& s) { own_.use(s.source); }
  void step(const Refill& s) { own_.use(s.view); }
  void step(const Declare&) {}

  const Module& module_;
  const Function& function_;
  Ranges ranges_;
  Found found_;
  OwnArrays own_;
  std::vector<ViewId> targets_;                       // of the nest over a box that is being read
  const std::vector<VariableId>* indices_ = nullptr;  // and its indices
  const std::function<void(const Statement&, Ranges&)>* at_ = nullptr;
  std::optional<IndexDemand> demand_;
  std::vector<IndexWidth> widths_;
  bool own_nest_ = false;
  bool in_nest_ = false;
  int branches_ = 0;
  int depth_ = 0;
  term::LocationId location_{};
};

bool has_own_shapes(const Function& function) {
  return std::ranges::any_of(function.blocks,
                             [](const Block& block) { return block.extents.has_value(); });
}

}  // namespace

std::vector<Problem> check_shapes(const Module& module, const Function& function) {
  if (!has_own_shapes(function)) return {};
  std::vector<Problem> problems = Walk(module, function).run();
  std::ranges::move(check_blocks(function), std::back_inserter(problems));
  return problems;
}

std::vector<IndexWidth> demanded_widths(const Module& module, const Function& function) {
  Walk walk(module, function);
  walk.run();
  return walk.widths();
}

void each_place(const Module& module, const Function& function,
                const std::function<void(const Statement&, Ranges&)>& visit) {
  Walk walk(module, function);
  walk.tell(visit);
  walk.run();
}

}  // namespace rhopsi::onf
