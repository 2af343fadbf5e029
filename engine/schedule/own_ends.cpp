// The ends of rows by themselves: where places along a row are compared, `u[i, max(j - 1, 0)]`, or
// go around, `u[i, (j + 2) mod n]`, all elements but a few at either end compare alike and read
// within the row, and have a box in which nothing is compared.
#include <algorithm>
#include <set>
#include <utility>

#include "engine/onf/along_row.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/folded.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/row_blocks.hpp"
#include "engine/onf/verify.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/own_sweeps.hpp"
#include "engine/schedule/own_variables.hpp"

namespace rhopsi::schedule {

using onf::AlongRow;
using onf::Expr;
using onf::Interval;
using onf::Nest;
using onf::of_integers;
using onf::ScalarFunction;
using onf::Statements;

namespace {

// What reaches further into a row is no end of it.
constexpr std::int64_t most_at_an_end = 16;

// The greatest integer that is at most the value, without what it has of the index, over `by` > 0.
Expr whole_quotient(const AlongRow& value, std::int64_t by) {
  AlongRow over = value;
  const auto divides = [&](const auto& term) { return term.second % by == 0; };
  if (!std::ranges::all_of(over.terms, divides))
    return of_integers(ScalarFunction::divide, without_index(value), onf::integer(by));
  for (auto& [term, factor] : over.terms) factor /= by;
  over.constant = onf::floor_of(over.constant, by);
  return without_index(over);
}

// A nest as it is between the ends of rows.
class BetweenEnds {
 public:
  BetweenEnds(const OwnPlaces& places, const Nest& nest)
      : places_(places), at_(nest.target), row_(nest.box->back()), inner_(nest), names_(nest) {
    rewrite();
  }

  const Nest& nest() const { return inner_; }
  // Where it begins and ends along the row: the greatest of these, and the least.
  const std::vector<Expr>& begins() const { return begins_; }
  const std::vector<Expr>& ends() const { return ends_; }

 private:
  void rewrite() {
    onf::Let* named = nullptr;
    const auto form = [&](auto& statement) {
      using Form = std::decay_t<decltype(statement)>;
      named = nullptr;
      if constexpr (std::is_same_v<Form, onf::Let>) named = &statement;
    };
    onf::each_in(inner_.body, form, [&](Expr& e) {
      e = between(std::move(e));
      const bool names_it = named != nullptr && named->value && &*named->value == &e;
      if (names_it && named->constant) names_.define(named->variable, e);
    });
    drop_decided(inner_.body);
    inner_.element = between(std::move(inner_.element));
    for (Nest::Output& output : inner_.also) output.element = between(std::move(output.element));
  }

  // Tests of what holds there.
  static void drop_decided(Statements& body) {
    std::erase_if(body, [](const onf::Statement& statement) {
      const auto* check = std::get_if<onf::Check>(&statement.form);
      return check != nullptr && check->condition.kind == Expr::Kind::boolean &&
             check->condition.integer != 0;
    });
    const auto within = [](auto& statement) {
      if constexpr (requires { drop_decided(statement.body); }) drop_decided(statement.body);
      if constexpr (requires { drop_decided(statement.then); }) {
        drop_decided(statement.then);
        drop_decided(statement.otherwise);
      }
    };
    for (onf::Statement& statement : body) std::visit(within, statement.form);
  }

  Expr between(Expr e) {
    for (Expr& operand : e.operands) operand = between(std::move(operand));
    e = onf::folded(std::move(e));
    if (e.kind != Expr::Kind::apply || e.operands.size() != 2) return e;
    if (e.function == ScalarFunction::modulo && e.type.scalar == onf::Scalar::int64)
      return within(e);
    const bool least = e.function == ScalarFunction::minimum;
    if (!least && e.function != ScalarFunction::maximum) {
      const auto known = compared(e);
      return known ? onf::truth(*known, e.location) : e;
    }
    // Where both are the same it is either of them.
    for (const std::size_t k : {0, 1}) {
      const auto found = at_most_between(e.operands[k], e.operands[1 - k], 0);
      if (!found || !found->holds) continue;
      add(*found);
      return Expr(e.operands[least ? k : 1 - k]);
    }
    return e;
  }

  // A remainder is what is divided where that is neither negative nor as great as the divisor.
  Expr within(Expr& e) {
    const auto from = at_most_between(onf::integer(0), e.operands[0], 0);
    const auto to = at_most_between(e.operands[0], e.operands[1], 1);
    if (!from || !to || !from->holds || !to->holds) return std::move(e);
    add(*from);
    add(*to);
    return Expr(e.operands[0]);
  }

  std::optional<bool> compared(const Expr& e) {
    const auto is_at_most = [&](std::size_t first, std::int64_t gap) {
      const auto found = at_most_between(e.operands[first], e.operands[1 - first], gap);
      if (found) add(*found);
      return found ? std::optional(found->holds) : std::nullopt;
    };
    switch (e.function) {
      case ScalarFunction::less:
        return is_at_most(0, 1);
      case ScalarFunction::less_equal:
        return is_at_most(0, 0);
      case ScalarFunction::greater:
        return is_at_most(1, 1);
      case ScalarFunction::greater_equal:
        return is_at_most(1, 0);
      case ScalarFunction::equal:
      case ScalarFunction::not_equal:
        for (const std::size_t k : {0, 1}) {
          const auto apart = at_most_between(e.operands[k], e.operands[1 - k], 1);
          if (!apart || !apart->holds) continue;
          add(*apart);
          return e.function == ScalarFunction::not_equal;
        }
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  // Whether something holds between the ends, if these are at least so far away.
  struct Found {
    bool holds;
    std::optional<Expr> begin = {}, end = {};
  };

  // left + gap <= right.
  std::optional<Found> at_most_between(const Expr& left, const Expr& right,
                                       std::int64_t gap) const {
    const auto low = names_.along(left), high = names_.along(right);
    auto value = low && high ? sum(*low, *high, -1) : std::nullopt;
    if (value) value = sum(*value, {0, gap}, 1);
    if (!value || value->index == 0) return std::nullopt;
    // A quotient is at most 0 as long as what is divided is less than the divisor.
    const std::int64_t divisor = std::exchange(value->over, 1);
    value = sum(*value, {0, 1 - divisor}, 1);
    if (!value) return std::nullopt;
    const bool falls = value->index < 0;
    const std::int64_t by = falls ? -value->index : value->index;
    // A value that grows is at most 0 up to here, and one that falls from here on.
    const auto shifted = falls ? sum(*value, {0, by - 1}, 1) : sum({0, by}, *value, -1);
    return shifted ? changes_at(whole_quotient(*shifted, by), falls) : std::nullopt;
  }

  // What holds from `place` on, if `behind`, or else before it.
  std::optional<Found> changes_at(Expr place, bool behind) const {
    const Expr reach = onf::integer(most_at_an_end);
    if (at_most(place, of_integers(ScalarFunction::add, row_.low, reach))) {
      if (at_most(place, row_.low)) return Found{behind};
      return Found{behind, std::move(place), {}};
    }
    if (at_most(of_integers(ScalarFunction::subtract, row_.high, reach), place)) {
      if (at_most(row_.high, place)) return Found{!behind};
      return Found{!behind, {}, std::move(place)};
    }
    return std::nullopt;
  }
  void add(const Found& found) {
    if (found.begin) add(begins_, *found.begin);
    if (found.end) add(ends_, *found.end);
  }
  bool at_most(const Expr& left, const Expr& right) const {
    return places_.at_most(at_, left, right);
  }

  // But for what another one is a reason for.
  void add(std::vector<Expr>& places, const Expr& place) const {
    const bool last = &places == &ends_;
    const auto follows = [&](const Expr& one, const Expr& other) {
      return last ? at_most(other, one) : at_most(one, other);
    };
    if (std::ranges::any_of(places, [&](const Expr& other) { return follows(place, other); }))
      return;
    std::erase_if(places, [&](const Expr& other) { return follows(other, place); });
    places.push_back(place);
  }

  const OwnPlaces& places_;
  onf::ViewId at_;
  Interval row_;
  Nest inner_;
  onf::RowNames names_;
  std::vector<Expr> begins_, ends_;
};

bool goes_by_turns(const Statements& list, std::size_t at) {
  return nest_at(list, at).row_blocks || onf::row_blocks_at(list, at).size() > 1;
}

bool is_plain(const Statements& list, std::size_t at) {
  const Nest& nest = nest_at(list, at);
  return !nest.box->empty() && !nest.tile && nest.loops.empty() && nest.strip == 0 &&
         !goes_by_turns(list, at);
}

// Which of the nests are split that may be, by their numbers in the order of the text.
struct WhichEnds {
  std::optional<std::set<std::size_t>> only;  // or all
  std::size_t met = 0;
};

class SplittingEnds {
 public:
  SplittingEnds(OwnWork& work, Statements& list, WhichEnds& attempt)
      : work_(work), list_(list), attempt_(attempt), places_(work.module, work.function) {}

  void run() {
    for (std::size_t at = 0; at < list_.size(); ++at) {
      const auto* nest = std::get_if<Nest>(&list_[at].form);
      if (nest == nullptr || !nest->box || !is_plain(list_, at)) continue;
      std::size_t count = 1;
      const BetweenEnds between(places_, *nest);
      for (const bool plainly : {true, false}) {
        const std::vector<std::vector<Interval>> boxes = parts(*nest, between, plainly);
        if (boxes.size() < 2 || !covers(at, boxes)) continue;
        const std::size_t number = attempt_.met++;
        if (attempt_.only && !attempt_.only->contains(number)) break;
        split(at, between, boxes);
        count = boxes.size();
        break;
      }
      take_rounds_own(work_, nest_at(list_, at));
      at += count - 1;
    }
  }

 private:
  // The boxes of the nest in place of its own, the one between the ends first; empty where there
  // are none. `plainly`: without what is certain of where they end, which may hide from other
  // places that they cover the row.
  std::vector<std::vector<Interval>> parts(const Nest& nest, const BetweenEnds& between,
                                           bool plainly) const {
    const Interval& row = nest.box->back();
    if (between.begins().size() > 1 || between.ends().size() > 1) return {};
    const bool begins = !between.begins().empty(), ends = !between.ends().empty();
    const auto extreme = [&](const Expr& a, const Expr& b, bool least) {
      if (plainly && places_.at_most(nest.target, a, b)) return least ? a : b;
      if (plainly && places_.at_most(nest.target, b, a)) return least ? b : a;
      return of_integers(least ? ScalarFunction::minimum : ScalarFunction::maximum, a, b);
    };
    const Expr first = begins ? extreme(between.begins().front(), row.low, false) : row.low;
    const Expr begun = begins ? extreme(first, row.high, true) : row.low;
    const Expr last = ends ? extreme(between.ends().front(), row.high, true) : row.high;
    std::vector<std::vector<Interval>> made;
    const auto add = [&](const Expr& low, const Expr& high) {
      made.push_back(*nest.box);
      made.back().back() = {low, high};
    };
    add(first, last);
    if (begins) add(row.low, begun);
    if (ends) add(extreme(last, begun, false), row.high);
    return made;
  }

  // Do these boxes cover the array, with those of its other nests?
  bool covers(std::size_t at, const std::vector<std::vector<Interval>>& boxes) const {
    std::vector<std::vector<Interval>> all = boxes;
    const onf::ViewId target = nest_at(list_, at).target;
    for (const OwnSweep& sweep : own_sweeps(list_)) {
      if (std::ranges::count(sweep.nests, at) == 0) continue;
      for (const std::size_t other : sweep.nests) {
        if (other != at) all.push_back(*nest_at(list_, other).box);
      }
      return places_.covers(target, all);
    }
    return false;
  }

  void split(std::size_t at, const BetweenEnds& between,
             const std::vector<std::vector<Interval>>& boxes) {
    onf::Statement whole = list_[at];
    auto& nest = std::get<Nest>(whole.form);
    add_step(nest.made_by, "bind");
    const std::string axis = work_.function.variables[onf::number(nest.indices.back())].name;
    work_.record("bind", nest.target, "one loop along " + axis,
                 "the ends of " + axis + " by themselves",
                 {"places along " + axis + " are compared near its ends alone", true, "intervals"});
    std::vector<onf::Statement> made;
    for (std::size_t k = 0; k < boxes.size(); ++k) {
      onf::Statement part = whole;
      Nest of = k == 0 ? between.nest() : with_own_variables(work_.function, nest);
      of.made_by = nest.made_by;
      of.box = boxes[k];
      of.joined = k > 0 || nest.joined;
      of.width = {};  // chosen behind all steps
      part.form = std::move(of);
      made.push_back(std::move(part));
    }
    list_.erase(list_.begin() + std::ptrdiff_t(at));
    list_.insert(list_.begin() + std::ptrdiff_t(at), std::make_move_iterator(made.begin()),
                 std::make_move_iterator(made.end()));
  }

  OwnWork& work_;
  Statements& list_;
  WhichEnds& attempt_;
  OwnPlaces places_;
};

// How much the verifier cannot decide of the module with this function.
std::size_t undecided(onf::Module module, onf::FunctionId id, const onf::Function& function) {
  module.functions[onf::number(id)] = function;
  return onf::verify(module).size();
}

struct EndsTried {
  onf::Function function;
  std::vector<Step> steps;
  std::set<OwnWork::Recorded> recorded;
  std::size_t met;  // nests that may be split
};

EndsTried tried(const OwnWork& work, const std::optional<std::set<std::size_t>>& only) {
  OwnWork made{work.module, work.id, work.function, work.steps, work.recorded};
  WhichEnds attempt{only};
  each_list(made.function.body,
            [&](Statements& list) { SplittingEnds(made, list, attempt).run(); });
  return {std::move(made.function), std::move(made.steps), std::move(made.recorded), attempt.met};
}

}  // namespace

// A part of a nest may be harder to decide than all of it: its ends are other ones. Such a nest
// stays whole.
void split_ends_own(OwnWork& work) {
  constexpr std::size_t most_tried = 12;
  const auto take = [&](EndsTried made) {
    work.function = std::move(made.function);
    work.steps = std::move(made.steps);
    work.recorded = std::move(made.recorded);
  };
  EndsTried all = tried(work, std::nullopt);
  if (all.met == 0) return take(std::move(all));
  const std::size_t before = undecided(work.module, work.id, work.function);
  const auto decides = [&](const EndsTried& made) {
    return undecided(work.module, work.id, made.function) <= before;
  };
  if (decides(all)) return take(std::move(all));
  std::set<std::size_t> kept;
  for (std::size_t number = 0; number < std::min(all.met, most_tried); ++number) {
    std::set<std::size_t> more = kept;
    more.insert(number);
    if (decides(tried(work, more))) kept = std::move(more);
  }
  take(tried(work, kept));
}

}  // namespace rhopsi::schedule
