#include "engine/onf/stacks.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/folded.hpp"
#include "engine/onf/literals.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/scalar_size.hpp"

namespace rhopsi::onf {

namespace {

using Kind = Expr::Kind;
using Lengths = std::vector<std::int64_t>;

class TakingApart {
 public:
  TakingApart(Function& function, std::size_t axis, const Lengths& domain,
              const std::map<std::string, Lengths>& lengths)
      : function_(function),
        axis_(axis),
        rank_(domain.size()),
        lengths_(lengths),
        at_(function.location) {
    // Those that have other lengths are no stacks, but tables (windows.hpp).
    for (const Argument& argument : function.arguments) {
      const auto given = argument.view ? lengths.find(name(*argument.view)) : lengths.end();
      if (given != lengths.end() && !is_stack_over(given->second, axis, domain))
        tables_.insert(*argument.view);
    }
  }

  std::optional<DomainObstacle> run() {
    take_arguments();
    if (function_.result_view && is_stack(*function_.result_view))
      fail("returns a stack of arrays");
    if (!found_) function_.body = walk(std::move(function_.body));
    if (!found_) rename_lengths();
    return std::move(found_);
  }

 private:
  void fail(std::string what) {
    if (!found_) found_ = DomainObstacle{{}, std::move(what), at_};
  }
  const std::string& name(ViewId view) const { return function_.views[number(view)].name; }

  // --- which arrays, and what they become

  std::optional<std::vector<Expr>>& extents_of(ViewId view) {
    return function_.blocks[number(function_.views[number(view)].block)].extents;
  }
  // Not taken apart yet, or taken apart.
  bool is_stack(ViewId view) {
    if (stacks_.contains(view)) return true;
    if (tables_.contains(view)) return false;
    const auto& extents = extents_of(view);
    return extents && extents->size() == rank_ + 1;
  }
  const std::vector<ViewId>& components(ViewId view) {
    const auto known = stacks_.find(view);
    if (known != stacks_.end()) return known->second;
    std::vector<Expr> extents = *extents_of(view);
    // What tells its own lengths is not known before it is made.
    const bool told = std::ranges::none_of(extents, [&](const Expr& extent) {
      bool own = false;
      each_part(extent, [&](const Expr& e) { own = own || (names_view(e) && e.view == view); });
      return own;
    });
    for (Expr& extent : extents) {
      if (told) rename(extent);
    }
    const Expr& count = extents[axis_];
    if (count.kind == Kind::integer && 0 < count.integer && count.integer <= longest_stack)
      return take_apart(view, count.integer, std::move(extents));
    fail("has an array of another number of axes, " + name(view));
    return stacks_[view];
  }
  std::string free_name(std::string name) const {
    while (std::ranges::count(function_.views, name, &View::name) > 0) name += "_";
    return name;
  }
  // The first one is what the view was.
  const std::vector<ViewId>& take_apart(ViewId view, std::int64_t count,
                                        std::vector<Expr> extents) {
    extents.erase(extents.begin() + std::ptrdiff_t(axis_));
    const View whole = function_.views[number(view)];
    names_.emplace(view, whole.name);
    Block block = function_.blocks[number(whole.block)];
    block.extents = std::move(extents);
    block.box.resize(rank_);
    std::vector<ViewId> made;
    for (std::int64_t k = 0; k < count; ++k) {
      View part = whole;
      part.name = free_name(part.name + "_" + std::to_string(k));
      if (k == 0) {
        function_.blocks[number(whole.block)] = block;
        function_.views[number(view)] = std::move(part);
        made.push_back(view);
        continue;
      }
      part.block = static_cast<BlockId>(function_.blocks.size());
      function_.blocks.push_back(block);
      made.push_back(static_cast<ViewId>(function_.views.size()));
      function_.views.push_back(std::move(part));
    }
    return stacks_[view] = std::move(made);
  }

  // Of all other arrays.
  void rename_lengths() {
    std::set<BlockId> done;
    for (const auto& [whole, parts] : stacks_) {
      for (const ViewId part : parts) done.insert(function_.views[number(part)].block);
    }
    for (const View& view : function_.views) {
      auto& extents = function_.blocks[number(view.block)].extents;
      if (!extents || !done.insert(view.block).second) continue;
      for (Expr& extent : *extents) rename(extent);
    }
  }

  void take_arguments() {
    const std::vector<Argument> given = std::move(function_.arguments);
    const std::vector<std::string> sorts_given = std::move(function_.sorts);
    std::vector<std::string> sorts;
    function_.arguments.clear();
    for (std::size_t k = 0; k < given.size(); ++k) {
      std::vector<Argument> made{given[k]};
      if (given[k].view && is_stack(*given[k].view) && !found_) made = arguments_for(given[k]);
      for (Argument& argument : made) {
        function_.arguments.push_back(std::move(argument));
        sorts.push_back(sorts_given[k]);
      }
    }
    sorts.insert(sorts.end(), sorts_given.begin() + std::ptrdiff_t(given.size()),
                 sorts_given.end());
    function_.sorts = std::move(sorts);
  }
  // How many arrays it is: what comes in has the lengths that are given, what only comes out those
  // of the array that it becomes. 0: that is not known.
  std::int64_t count_of(const Argument& argument) {
    const auto given = lengths_.find(name(*argument.view));
    if (argument.mode != term::Mode::out) return given == lengths_.end() ? 0 : given->second[axis_];
    std::int64_t count = 0;
    const auto form = [&](const auto& s) {
      if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Share>) {
        const auto& extents = extents_of(s.source);
        const bool is = s.target == *argument.view && extents && extents->size() == rank_ + 1;
        if (is && (*extents)[axis_].kind == Kind::integer) count = (*extents)[axis_].integer;
      }
    };
    each_in(std::as_const(function_.body), form, [](const Expr&) {});
    return count;
  }
  std::vector<Argument> arguments_for(const Argument& whole) {
    const std::string array = name(*whole.view);
    const std::int64_t count = count_of(whole);
    if (count <= 0 || count > longest_stack) {
      fail("has an array of another number of axes, " + array);
      return {whole};
    }
    counts_.emplace(*whole.view, count);
    std::vector<Expr> extents = *extents_of(*whole.view);
    for (Expr& extent : extents) rename(extent);
    const std::vector<ViewId> views = take_apart(*whole.view, count, std::move(extents));
    std::vector<Argument> made;
    for (std::size_t k = 0; k < views.size(); ++k) {
      Argument part = whole;
      part.view = views[k];
      part.window = Window{array};
      for (std::size_t axis = 0, of = 0; axis <= rank_; ++axis) {
        part.window->axes.push_back(
            axis == axis_ ? Window::Axis{std::nullopt, std::int64_t(k), std::int64_t(views.size())}
                          : Window::Axis{of++});
      }
      made.push_back(std::move(part));
    }
    return made;
  }

  // --- expressions

  // The same of the arrays that there are now, with what is known of it.
  void rename(Expr& e) {
    if (is_lazy(e)) {
      rename(e.operands.front());
      const bool decides = e.operands.front().kind == Kind::boolean &&
                           (e.kind == Kind::if_ || e.function != ScalarFunction::implies);
      if (decides) {
        // What it decides against is not read.
        e = folded(std::move(e));
        return rename(e);
      }
      for (std::size_t k = 1; k < e.operands.size(); ++k) rename(e.operands[k]);
      e = folded(std::move(e));
      return;
    }
    for (Expr& operand : e.operands) rename(operand);
    if (e.kind == Kind::variable) {
      if (const Expr* const known = literals_.find(e.variable)) e = Expr(*known);
    } else if (e.kind == Kind::length) {
      rename_length(e);
    } else if (e.kind == Kind::load && is_stack(e.view)) {
      rename_load(e);
    } else if (e.kind == Kind::view && is_stack(e.view)) {
      fail("hands " + name(e.view) + " on");
    }
    e = folded(std::move(e));
  }
  void rename_length(Expr& e) {
    const auto known = counts_.find(e.view);
    if (known == counts_.end() && !is_stack(e.view)) return;
    const auto axis = static_cast<std::size_t>(e.axis);
    const std::int64_t count =
        known != counts_.end() ? known->second : std::ssize(components(e.view));
    if (axis == axis_) e = integer(count, e.location);
    if (axis > axis_) --e.axis;
  }
  void rename_load(Expr& e) {
    const std::vector<ViewId>& parts = components(e.view);
    if (found_) return;
    const Expr* const index = e.operands.size() == rank_ + 1 ? &e.operands[axis_] : nullptr;
    if (index == nullptr || index->kind != Kind::integer || index->integer < 0 ||
        index->integer >= std::ssize(parts)) {
      return fail("reads " + names_.at(e.view) + " at an index along axis " +
                  std::to_string(axis_) + " that is no number");
    }
    e.view = parts[static_cast<std::size_t>(index->integer)];
    e.operands.erase(e.operands.begin() + std::ptrdiff_t(axis_));
  }

  void rename(Statements& body) {
    literals_.through(body, [&](Expr& whole) { rename(whole); });
  }

  // --- statements

  Statements walk(Statements body) {
    Statements made;
    for (Statement& statement : body) {
      if (found_) return made;
      if (statement.location != term::LocationId{}) at_ = statement.location;
      std::visit([&](auto& form) { step(form, statement.location, made); }, statement.form);
    }
    return made;
  }

  void step(Declare& s, term::LocationId location, Statements& made) {
    each_part_of(s.view, [&](ViewId part, std::size_t) {
      made.push_back({Declare{part}, location});
    });
  }
  void step(Allocate& s, term::LocationId location, Statements& made) {
    each_part_of(s.view, [&](ViewId part, std::size_t) {
      made.push_back({Allocate{part, s.in_place_of}, location});
    });
  }
  void step(Share& s, term::LocationId location, Statements& made) {
    if (is_stack(s.source) != is_stack(s.target)) return fail("has arrays of other axes");
    if (!is_stack(s.source)) {
      made.push_back({s, location});
      return;
    }
    const std::vector<ViewId> from = components(s.source), to = components(s.target);
    if (from.size() != to.size()) return fail("has stacks of other lengths");
    for (std::size_t k = 0; k < from.size(); ++k)
      made.push_back({Share{to[k], from[k], s.declares, s.last_use}, location});
  }
  template <class Each>
  void each_part_of(ViewId view, const Each& each) {
    if (!is_stack(view)) return each(view, 0);
    const std::vector<ViewId> parts = components(view);
    for (std::size_t k = 0; k < parts.size(); ++k) each(parts[k], k);
  }

  void step(Nest& s, term::LocationId location, Statements& made) {
    if (s.box) {
      for (auto& [low, high] : *s.box) rename(low), rename(high);
    }
    if (!is_stack(s.target)) {
      rename(s.body);
      rename(s.element);
      made.push_back({std::move(s), location});
      return;
    }
    const std::vector<ViewId> parts = components(s.target);
    if (found_) return;
    if (!s.box || s.box->size() != rank_ + 1 || !s.also.empty())
      return fail("has a loop that is no loop over all axes of " + s.label);
    const auto [low, high] = (*s.box)[axis_];
    if (low.kind != Kind::integer || high.kind != Kind::integer || low.integer < 0 ||
        high.integer > std::ssize(parts))
      return fail("makes a part of a stack by a loop of its own");
    for (std::int64_t k = low.integer; k < high.integer; ++k)
      made.push_back({part_of(s, k, parts[static_cast<std::size_t>(k)]), location});
  }

  // The loop with a number in place of the index along the axis, in variables of its own.
  Nest part_of(const Nest& whole, std::int64_t k, ViewId target) {
    Nest part = whole;
    part.target = target;
    part.label += ", " + std::to_string(k);
    part.box->erase(part.box->begin() + std::ptrdiff_t(axis_));
    part.width = {};
    std::map<VariableId, VariableId> own;
    for (const VariableId variable : declared_in(whole.body)) own[variable] = copied(variable);
    for (VariableId& index : part.indices) {
      const VariableId made = copied(index);
      own[std::exchange(index, made)] = made;
    }
    literals_.set(part.indices[axis_], integer(k));
    part.indices.erase(part.indices.begin() + std::ptrdiff_t(axis_));
    name_own(part, own);
    rename(part.body);
    rename(part.element);
    return part;
  }
  VariableId copied(VariableId variable) {
    function_.variables.push_back(Variable(function_.variables[number(variable)]));
    return static_cast<VariableId>(function_.variables.size() - 1);
  }
  static void name_own(Nest& nest, const std::map<VariableId, VariableId>& own) {
    const auto name = [&](VariableId& variable) {
      if (const auto found = own.find(variable); found != own.end()) variable = found->second;
    };
    const auto whole = [&](Expr& e) {
      each_part(e, [&](Expr& part) {
        if (part.kind == Kind::variable) name(part.variable);
      });
    };
    each_in(
        nest.body,
        [&](auto& s) {
          if constexpr (requires { name(s.variable); }) name(s.variable);
          if constexpr (requires { name(s.index); }) name(s.index);
        },
        whole);
    whole(nest.element);
  }

  template <class Form>
  void step(Form& s, term::LocationId location, Statements& made) {
    if constexpr (std::is_same_v<Form, If>) {
      rename(s.condition);
      s.then = walk(std::move(s.then));
      s.otherwise = walk(std::move(s.otherwise));
    } else if constexpr (std::is_same_v<Form, For>) {
      rename(s.low), rename(s.high);
      s.body = walk(std::move(s.body));
    } else if constexpr (std::is_same_v<Form, Iterate>) {
      rename(s.count);
      s.body = walk(std::move(s.body));
    } else if constexpr (std::is_same_v<Form, While>) {
      s.before = walk(std::move(s.before));
      rename(s.condition), rename(s.bound);
      s.body = walk(std::move(s.body));
    } else if constexpr (std::is_same_v<Form, Scope>) {
      s.body = walk(std::move(s.body));
    } else {
      Statements one{{std::move(s), location}};
      each_in(
          one, [](const auto&) {}, [&](Expr& whole) { rename(whole); });
      literals_.note_constant(one.front());
      made.push_back(std::move(one.front()));
      return;
    }
    made.push_back({std::move(s), location});
  }

  Function& function_;
  const std::size_t axis_, rank_;
  const std::map<std::string, Lengths>& lengths_;
  std::set<ViewId> tables_;
  std::map<ViewId, std::vector<ViewId>> stacks_;
  std::map<ViewId, std::string> names_;    // as they were
  std::map<ViewId, std::int64_t> counts_;  // of arguments, whose extents name their own lengths
  Literals literals_;
  term::LocationId at_;
  std::optional<DomainObstacle> found_;
};

// length(view, axis) == count among what holds together
bool states(const Expr& condition, ViewId view, std::size_t axis, std::int64_t count) {
  if (condition.kind != Kind::apply || condition.operands.size() != 2) return false;
  const Expr &a = condition.operands[0], &b = condition.operands[1];
  if (condition.function == ScalarFunction::and_)
    return states(a, view, axis, count) || states(b, view, axis, count);
  const auto is_length = [&](const Expr& e) {
    return e.kind == Kind::length && e.view == view && static_cast<std::size_t>(e.axis) == axis;
  };
  const auto is_count = [&](const Expr& e) {
    return e.kind == Kind::integer && e.integer == count;
  };
  return condition.function == ScalarFunction::equal &&
         ((is_length(a) && is_count(b)) || (is_length(b) && is_count(a)));
}

bool states_length(const Function& function, ViewId view, std::size_t axis, std::int64_t count) {
  for (const Statement& statement : function.body) {
    const auto* check = std::get_if<Check>(&statement.form);
    if (check == nullptr) return false;
    if (states(check->condition, view, axis, count)) return true;
  }
  return false;
}

}  // namespace

bool is_stack_over(Lengths lengths, std::size_t axis, const Lengths& domain) {
  if (lengths.size() != domain.size() + 1) return false;
  if (lengths[axis] <= 0 || lengths[axis] > longest_stack) return false;
  lengths.erase(lengths.begin() + std::ptrdiff_t(axis));
  return lengths == domain;
}

bool states_lengths(const Module& module, std::size_t axis,
                    const std::map<std::string, std::vector<std::int64_t>>& lengths) {
  return std::ranges::all_of(module.functions, [&](const Function& function) {
    return std::ranges::all_of(function.arguments, [&](const Argument& argument) {
      if (!argument.view) return true;
      const auto given = lengths.find(function.views[number(*argument.view)].name);
      return given == lengths.end() ||
             states_length(function, *argument.view, axis, given->second[axis]);
    });
  });
}

std::optional<DomainObstacle> take_stacks_apart(
    Module& module, std::size_t axis, const std::vector<std::int64_t>& domain,
    const std::map<std::string, std::vector<std::int64_t>>& lengths) {
  for (const FunctionId id : module.order) {
    if (auto found = TakingApart(module.functions[number(id)], axis, domain, lengths).run()) {
      found->function = id;
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace rhopsi::onf
