// Sweeps over the same boxes as one: what is read at its own index alone is computed where it is
// read.
#include <algorithm>
#include <span>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/scalar_size.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/own_sweeps.hpp"
#include "engine/schedule/own_variables.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Nest;
using onf::Statement;
using onf::Statements;
using onf::VariableId;
using onf::ViewId;

namespace {

// How often elements of the array are read, or it is named whole. Its lengths do not count.
std::size_t uses_of(const Statements& body, ViewId view) {
  std::size_t found = 0;
  const auto form = [&](const auto& s) {
    using Form = std::decay_t<decltype(s)>;
    if constexpr (std::is_same_v<Form, onf::Share>) {
      found += s.source == view || s.target == view ? 1 : 0;
    } else if constexpr (std::is_same_v<Form, onf::Allocate>) {
      found += s.in_place_of == view ? 1 : 0;
    }
  };
  onf::each_in(body, form, [&](const Expr& whole) {
    onf::each_part(whole, [&](const Expr& e) { found += names_elements(e) && e.view == view; });
  });
  return found;
}

void erase(Statements& list, std::vector<std::size_t> places) {
  std::ranges::sort(places, std::greater());
  for (const std::size_t at : places) list.erase(list.begin() + std::ptrdiff_t(at));
}

// Is another array of the sweep certainly as large, which is allocated right before or behind it?
// An error that its size is, is one of the other one's size.
bool is_like_another(const OwnWork& work, const Statements& list, const OwnSweep& sweep,
                     std::size_t number) {
  const ViewId view = sweep.targets[number];
  const OwnPlaces places(work.module, work.function);
  const auto bytes = [&](ViewId of) { return onf::bytes_of(block_of(work.function, of).element); };
  for (std::size_t k = 0; k < sweep.targets.size(); ++k) {
    const ViewId other = sweep.targets[k];
    if (k == number || bytes(view) > bytes(other) || places.other_axis(other, view, other))
      continue;
    const auto [first, last] = std::minmax(sweep.allocations[number], sweep.allocations[k]);
    const auto allocates = [](const Statement& statement) {
      const auto* const made = std::get_if<onf::Allocate>(&statement.form);
      return made != nullptr && !made->in_place_of;
    };
    if (std::all_of(list.begin() + std::ptrdiff_t(first), list.begin() + std::ptrdiff_t(last),
                    allocates))
      return true;
  }
  return false;
}

// Gives up those of a sweep's arrays that nobody reads, but for one; what the sweep is then.
OwnSweep give_up_unread(OwnWork& work, Statements& list, OwnSweep sweep) {
  for (std::size_t k = 0; k < sweep.targets.size() && sweep.targets.size() > 1;) {
    const ViewId view = sweep.targets[k];
    const bool fits = OwnPlaces(work.module, work.function).certainly_fits(view) ||
                      is_like_another(work, list, sweep, k);
    if (!fits || uses_of(work.function.body, view) > 0) {
      ++k;
      continue;
    }
    for (const std::size_t at : sweep.nests) {
      Nest& nest = nest_at(list, at);
      const auto also = std::ranges::find(nest.also, view, &Nest::Output::target);
      if (also != nest.also.end()) {
        nest.also.erase(also);
      } else {
        nest.target = nest.also.front().target;
        nest.element = std::move(nest.also.front().element);
        nest.also.erase(nest.also.begin());
      }
    }
    erase(list, {sweep.allocations[k]});
    name_lengths(work.function, view);
    const std::vector<OwnSweep> all = own_sweeps(list);
    const ViewId left = sweep.targets[k == 0 ? 1 : 0];
    sweep = *std::ranges::find_if(
        all, [&](const OwnSweep& each) { return contains(each.targets, left); });
    k = 0;
  }
  return sweep;
}

class Fusion {
 public:
  Fusion(OwnWork& work, Statements& list, std::optional<std::int64_t> most)
      : work_(work), list_(list), most_(most), places_(work.module, work.function) {}

  // Puts one sweep into another one, if any can be. What is refused is told where none can: of what
  // there is in the end.
  bool once() {
    const std::vector<OwnSweep> sweeps = own_sweeps(list_);
    const std::vector<OwnReads> reads = reads_of(work_.module, work_.function, list_, sweeps);
    for (const bool tells : {false, true}) {
      tells_ = tells;
      for (std::size_t second = 1; second < sweeps.size(); ++second) {
        for (std::size_t first = second; first-- > 0;) {
          if (fuse(sweeps[first], sweeps[second], reads[first], reads[second])) return true;
        }
      }
    }
    for (const Refused& each : refused_) {
      work_.record("fuse", each.target, each.sweeps, each.sweeps, each.verdict);
    }
    return false;
  }

 private:
  // A box of each of two sweeps, which are one.
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

  std::string names(const OwnSweep& sweep) const {
    std::string text;
    for (const ViewId target : sweep.targets) {
      text += (text.empty() ? "" : ", ") + work_.name(target);
    }
    return text;
  }

  bool fuse(const OwnSweep& first, const OwnSweep& second, const OwnReads& before,
            const OwnReads& after) {
    bool reads = false, shares = false;
    for (const auto& [view, read] : after) {
      reads = reads || contains(first.targets, view);
      shares = shares || before.contains(view);
    }
    if (!reads && !shares) return false;
    OwnVerdict verdict = obstacle(first, second, before, after);
    std::optional<Pairs> pairs;
    if (verdict.holds) {
      pairs = same_boxes(first, second);
      if (!pairs) verdict = other_boxes(first, second);
    }
    if (!pairs && !tells_) return false;
    const std::string two = names(first) + "; " + names(second);
    if (!pairs) {
      refused_.push_back({second.targets.front(), two, std::move(verdict)});
      return false;
    }
    const ViewId left = second.targets.back();
    merge(first, second, *pairs);
    const OwnSweep made = give_up_unread(work_, list_, sweep_of(left));
    work_.record("fuse", second.targets.front(), two, names(made) + " in one sweep",
                 {reads ? "it reads " + names(first) + " at its own index alone, box by box"
                        : "both read the same arrays, box by box",
                  true, "affine forms"});
    return true;
  }

  OwnSweep sweep_of(ViewId target) const {
    const std::vector<OwnSweep> all = own_sweeps(list_);
    return *std::ranges::find_if(
        all, [&](const OwnSweep& each) { return contains(each.targets, target); });
  }

  // Of two sweeps that stay two.
  struct Refused {
    ViewId target;
    std::string sweeps;
    OwnVerdict verdict;
  };

  OwnVerdict obstacle(const OwnSweep& first, const OwnSweep& second, const OwnReads& before,
                      const OwnReads& after) const {
    for (const auto& [view, read] : after) {
      if (!contains(first.targets, view) || !read.elsewhere) continue;
      if (!tells_) return {"", false};
      return {"what it reads of " + names(first) + " it reads at its own index, but it reads " +
                  read.access,
              false, "accesses",
              "element " + read.element + " needs " + read.needed +
                  ", which the same loop may not have computed yet"};
    }
    for (const OwnSweep* each : {&first, &second}) {
      if (!has_tile(list_, *each)) continue;
      if (!tells_) return {"", false};
      return {"neither is computed in tiles, but " + names(*each) + " is"};
    }
    for (const OwnSweep* each : {&first, &second}) {
      if (auto verdict = told_in_order(*each)) return std::move(*verdict);
    }
    const auto both = first.targets.size() + second.targets.size();
    if (most_ && static_cast<std::int64_t>(both) > *most_) {
      return {"no more than " + std::to_string(*most_) +
                  (*most_ == 1 ? " array is" : " arrays are") +
                  " made at once, but these would be " + std::to_string(both),
              false, "recipe"};
    }
    if (const auto found = standing_between(work_, list_, first, second, before)) {
      return {"what is in between neither reads " + names(first) +
                  " nor changes what it is computed from, but " + found->what,
              false, "form", "", found->location};
    }
    return {"", true};
  }

  std::optional<OwnVerdict> told_in_order(const OwnSweep& sweep) const {
    const auto check = check_of(list_, sweep);
    if (!check) return std::nullopt;
    return OwnVerdict{
        "no element of them may be an error, which has to be told in order, but one of " +
            names(sweep) + " may: " + check->message,
        false, "form", "", check->location};
  }

  // Where one of them has one box, it is cut as the other one is.
  std::optional<Pairs> same_boxes(const OwnSweep& first, const OwnSweep& second) const {
    if (places_.other_axis(second.targets.front(), first.targets.front(), second.targets.front()))
      return std::nullopt;
    Pairs pairs;
    if (first.nests.size() == 1 || second.nests.size() == 1) {
      for (const std::size_t a : first.nests) {
        for (const std::size_t b : second.nests) pairs.emplace_back(a, b);
      }
      return pairs;
    }
    if (first.nests.size() != second.nests.size()) return std::nullopt;
    std::vector<std::size_t> left = first.nests;
    for (const std::size_t b : second.nests) {
      const auto same = std::ranges::find_if(left, [&](std::size_t a) {
        return places_.equal(second.targets.front(), *nest_at(list_, a).box,
                             *nest_at(list_, b).box);
      });
      if (same == left.end()) return std::nullopt;
      pairs.emplace_back(*same, b);
      left.erase(same);
    }
    return pairs;
  }

  // Why there are no such pairs.
  OwnVerdict other_boxes(const OwnSweep& first, const OwnSweep& second) const {
    const ViewId one = first.targets.front(), other = second.targets.front();
    const std::string same = "both are made by the same boxes, but ";
    const auto refused = [&](const std::string& what) {
      return OwnVerdict{same + what, false, "affine forms"};
    };
    if (const auto axis = places_.other_axis(other, one, other)) {
      return refused("along axis " + std::to_string(*axis) + " " +
                     work_.lengths(*axis, one, other));
    }
    if (first.nests.size() != second.nests.size()) {
      return refused(names(first) + " by " + std::to_string(first.nests.size()) + " and " +
                     names(second) + " by " + std::to_string(second.nests.size()));
    }
    for (const std::size_t b : second.nests) {
      const auto is_same = [&](std::size_t a) {
        return places_.equal(other, *nest_at(list_, a).box, *nest_at(list_, b).box);
      };
      if (std::ranges::any_of(first.nests, is_same)) continue;
      return refused("none of " + names(first) + " is known to be " +
                     work_.box_text(*nest_at(list_, b).box) + ", as one of " + names(second) +
                     " is");
    }
    return refused("two of " + names(second) + " are one of " + names(first));
  }

  // The nests of both stand where those of the second stood.
  void merge(const OwnSweep& first, const OwnSweep& second, const Pairs& pairs) {
    std::vector<std::pair<std::size_t, Statement>> made;  // and what it stands in front of
    std::size_t box = 0;
    here_.clear();
    for (const ViewId target : first.targets) {
      here_.emplace(target, work_.fresh_name(work_.name(target) + "_here"));
    }
    for (const auto& [a, b] : pairs) {
      Nest nest = merged(nest_at(list_, a), nest_at(list_, b), second.nests.size() == 1);
      nest.label = work_.function.name + ": " + names(first) + ", " + names(second);
      if (pairs.size() > 1) nest.label += ", box " + std::to_string(++box);
      const term::LocationId location = list_[a].location;
      add_statements(nest, list_[b].location, nest_at(list_, b));
      made.emplace_back(b, Statement{std::move(nest), location});
    }
    Statements all;
    for (std::size_t at = 0; at < list_.size(); ++at) {
      for (auto& [place, statement] : made) {
        if (place == at) all.push_back(std::move(statement));
      }
      if (std::ranges::count(first.nests, at) + std::ranges::count(second.nests, at) == 0)
        all.push_back(std::move(list_[at]));
    }
    list_ = std::move(all);
  }

  // The box is that of the one that is not cut.
  Nest merged(const Nest& first, const Nest& second, bool box_of_first) {
    Nest made = with_own_variables(work_.function, first);
    Nest next = with_own_variables(work_.function, second);
    std::map<VariableId, VariableId> indices;
    for (std::size_t axis = 0; axis < next.indices.size(); ++axis) {
      indices.emplace(next.indices[axis], made.indices[axis]);
    }
    rename(next, indices);
    if (!box_of_first) made.box = next.box;
    std::vector<Nest::Output> outputs;
    outputs.push_back({made.target, std::move(made.element)});
    for (Nest::Output& output : made.also) outputs.push_back(std::move(output));
    next.indices = made.indices;
    for (Nest::Output& output : outputs) keep_value(made, output, next);
    for (Statement& statement : next.body) made.body.push_back(std::move(statement));
    outputs.push_back({next.target, std::move(next.element)});
    for (Nest::Output& output : next.also) outputs.push_back(std::move(output));
    made.target = outputs.front().target;
    made.element = std::move(outputs.front().element);
    made.also.assign(std::make_move_iterator(outputs.begin() + 1),
                     std::make_move_iterator(outputs.end()));
    made.width = {};
    for (const std::string& step : next.made_by) add_step(made.made_by, step);
    add_step(made.made_by, "fuse");
    return made;
  }

  // The element as a variable, which the later nest reads instead.
  void keep_value(Nest& made, Nest::Output& output, Nest& reader) {
    const onf::Representation type{
        onf::Representation::Kind::scalar, block_of(work_.function, output.target).element, {}};
    const bool kept = output.element.kind == Expr::Kind::variable && output.element.type == type &&
                      onf::declared_in(made.body).contains(output.element.variable);
    Expr value;
    value.kind = Expr::Kind::variable;
    value.type = type;
    value.variable = kept ? output.element.variable : fresh({here_.at(output.target), type});
    bool any = false;
    const auto replace = [&](Expr& whole) {
      onf::each_part(whole, [&](Expr& e) {
        if (e.kind != Expr::Kind::load || e.view != output.target) return;
        const term::LocationId location = e.location;
        e = Expr(value);
        e.location = location;
        any = true;
      });
    };
    onf::each_in(
        reader.body, [](auto&) {}, replace);
    replace(reader.element);
    for (Nest::Output& other : reader.also) replace(other.element);
    if (!any || kept) return;
    value.location = output.element.location;
    made.body.push_back({onf::Let{value.variable, std::move(output.element)}, value.location});
    output.element = std::move(value);
  }

  VariableId fresh(onf::Variable variable) {
    work_.function.variables.push_back(std::move(variable));
    return static_cast<VariableId>(work_.function.variables.size() - 1);
  }

  OwnWork& work_;
  Statements& list_;
  std::optional<std::int64_t> most_;
  OwnPlaces places_;
  std::vector<Refused> refused_;
  bool tells_ = false;                  // why not: once it is known that no two can be one
  std::map<ViewId, std::string> here_;  // the names of elements that are read where they are made
};

// Is an array that nobody reads made all the same, and why?
OwnVerdict needed_for(const OwnWork& work, const Statements& list, const OwnSweep& sweep) {
  if (const auto check = check_of(list, sweep)) {
    return {"none of its elements may be an error, but one may: " + check->message, false, "form",
            "", check->location};
  }
  const OwnPlaces places(work.module, work.function);
  for (const ViewId view : sweep.targets) {
    if (places.certainly_fits(view)) continue;
    return {
        "it is no larger than an argument, so that there is room for it, but no argument is known "
        "to be as large as " +
            work.extents(view),
        false, "affine forms"};
  }
  return {"nobody reads it", true};
}

bool drop_one(OwnWork& work, Statements& list) {
  for (const OwnSweep& sweep : own_sweeps(list)) {
    const bool unread = std::ranges::all_of(
        sweep.targets, [&](ViewId view) { return uses_of(work.function.body, view) == 0; });
    if (!unread) continue;
    const ViewId target = sweep.targets.front();
    const OwnVerdict verdict = needed_for(work, list, sweep);
    work.record("drop", target, "stored", verdict.holds ? "not made" : "stored", verdict);
    if (!verdict.holds) continue;
    std::vector<std::size_t> places = sweep.nests;
    places.insert(places.end(), sweep.allocations.begin(), sweep.allocations.end());
    erase(list, places);
    for (const ViewId view : sweep.targets) name_lengths(work.function, view);
    return true;
  }
  return false;
}

}  // namespace

void drop_own(OwnWork& work) {
  each_list(work.function.body, [&](Statements& list) {
    while (drop_one(work, list)) continue;
  });
}

void fuse_own(OwnWork& work, std::optional<std::int64_t> most) {
  each_list(work.function.body, [&](Statements& list) {
    while (Fusion(work, list, most).once()) continue;
  });
}

}  // namespace rhopsi::schedule
