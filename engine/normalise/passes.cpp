// Passes over a term. Between passes it is known where the next one has something to do
// (places.hpp), and so a pass costs what it changes and what may be changed because of that, not
// the way there.
//
// Terms at places are as they are now: what changes below one is written into it. The first time
// it is copied for that, since others may refer to it.
#include <algorithm>

#include "engine/normalise/machine.hpp"

namespace rhopsi::normalise {
namespace {

constexpr std::uint64_t places_between_looks = 16384;
constexpr std::size_t least_places = 16;
constexpr std::size_t most_places_more = 16384;
constexpr std::size_t most_place_words = std::size_t{1} << 34;

}  // namespace

// Room for more places, within the bound on memory: the arena ends where it has to.
void Machine::grow_places() {
  const auto fits = [&](std::size_t more) {
    const std::size_t besides = stack_words() + places_.words() + places_.words_of(more);
    return static_cast<std::size_t>(free_ - heap_) + besides <= bounds_.bytes / sizeof(Handle);
  };
  const std::size_t used = places_.words() / places_.words_of(1);
  std::size_t more = std::max(places_at_once(), std::min(used / 8, most_places_more));
  if (!fits(more)) more = places_at_once();
  if (!fits(more)) {
    limit_ = end_ = free_;
    if (!collect(nullptr, 0)) return;
  }
  if (!fits(more) || !places_.grow(more)) {
    stop_ = Stop::memory;
    return;
  }
  end_ = std::min(end_, heap_ + arena_share());
  limit_ = std::min(limit_, end_);
  note_peak();
}

// Whether a pass may go on: for what it does at one place there is memory then.
bool Machine::may_go_on() {
  if (++visits_ % places_between_looks == 0) late(nullptr);
  if (stop_ == Stop::normal_form && places_.room() < places_at_once()) grow_places();
  if (free_ > end_ && stop_ == Stop::normal_form) collect(nullptr, 0);
  return stop_ == Stop::normal_form;
}

// The most places that may be added before it is asked again whether there is room.
std::size_t Machine::places_at_once() const {
  return std::max<std::size_t>(least_places, program_.most_below);
}

// The term at `place` is a new one: it becomes the argument of the one above, and what is copied
// for that the argument of the next. False if there is no room and it may not be collected.
bool Machine::write_up(bool may_collect) {
  while (unwritten_ != no_place) {
    const Place place = unwritten_;
    const Place above = places_[place].above;
    if (above == no_place) {
      roots_[0] = places_[place].term;
      unwritten_ = no_place;
      return true;
    }
    if (!places_[above].own) {
      const std::size_t words = program_.arity[symbol(places_[above].term)] + std::size_t{1};
      if (!may_collect && free_ + words > space_end()) return false;
      Handle* const node = may_collect ? take_collecting(words) : take(words);
      if (unwritten_ != place) continue;  // a collection has come first, and gone on from here
      std::copy_n(heap_ + places_[above].term, words, node);
      places_[above].term = static_cast<Handle>(node - heap_);
      places_[above].own = true;
      unwritten_ = above;
    } else {
      unwritten_ = no_place;
    }
    heap_[places_[above].term + 1 + places_[place].argument] = places_[place].term;
  }
  return true;
}

// The arguments at `place` that may hold a redex.
void Machine::open(Place place) {
  places_[place].closed = false;
  const auto all = arguments(places_[place].term);
  for (std::uint32_t i = 0; i < all.size(); ++i) add_closed(place, i, all[i]);
}

void Machine::add_closed(Place above, std::uint32_t argument, Handle term) {
  if ((heap_[term] & reducible) == 0) return;
  const Place place = places_.add(above, argument, term);
  places_[place].closed = true;
  places_[place].due = true;
}

// Takes the places of what the rule moves out from below its redex, and forgets the others.
void Machine::take_moved(Place redex, const Moves& moves) {
  carried_.places.assign(moves.variables, {no_place, no_place});
  auto& ways = carried_.left;
  ways.assign(1, {redex, redex, static_cast<std::uint32_t>(moves.left.size())});
  for (std::uint32_t i = 1; i < moves.left.size(); ++i) {
    while (ways.back().end <= i) ways.pop_back();
    const Carried::Left above = ways.back();
    const Moves::Node& node = moves.left[i];
    Carried::Left way{no_place, no_place, node.end};
    if (above.place != no_place) way.place = places_.below_at(above.place, node.argument);
    if (way.place != no_place) {
      way.lowest = places_[above.place].plain ? above.lowest : places_.lowest(way.place);
      if (node.variable != Moves::no_variable && !places_[way.place].closed) {
        places_.detach(way.place, way.lowest);
        carried_.places[node.variable] = {way.place, way.lowest};
      }
    }
    ways.push_back(way);
  }
  places_.remove_below(redex);
}

// Which nodes of the right side lead to a place that has been moved.
bool Machine::mark_moved(const Moves& moves) {
  const auto& nodes = moves.right;
  auto& leads = carried_.leads;
  leads.assign(nodes.size(), 0);
  for (std::uint32_t i = static_cast<std::uint32_t>(nodes.size()); i-- > 0;) {
    if (nodes[i].variable != Moves::no_variable) {
      leads[i] = carried_.places[nodes[i].variable].place != no_place ? 1 : 0;
      continue;
    }
    for (std::uint32_t j = i + 1; j < nodes[i].end; j = nodes[j].end) {
      leads[i] |= leads[j];
    }
  }
  return !leads.empty() && leads[0] != 0;
}

// A rule has been applied at `place`, below which there are places: those in what it has moved are
// where that is now, and those between are new. Of them nothing but the rule has ever seen the
// terms.
void Machine::carry_over(Place place, const Moves& moves) {
  take_moved(place, moves);
  if (!mark_moved(moves)) return;
  places_[place].closed = false;
  places_[place].own = true;
  const auto& nodes = moves.right;
  if (nodes[0].variable != Moves::no_variable) {
    const Carried::Top from = carried_.places[nodes[0].variable];
    places_[place].own = places_[from.place].own;
    places_.take_over(place, from.place, from.lowest);
    return;
  }
  auto& ways = carried_.right;
  ways.assign(1, {place, 0, 1, nodes[0].end});
  while (!ways.empty()) {
    Carried::Right& way = ways.back();
    const auto all = arguments(places_[way.place].term);
    if (way.argument == all.size()) {
      ways.pop_back();
      continue;
    }
    const Place above = way.place;
    const std::uint32_t argument = way.argument++;
    if (way.node >= way.end || nodes[way.node].argument != argument) {
      add_closed(above, argument, all[argument]);
      continue;
    }
    const std::uint32_t node = way.node;
    way.node = nodes[node].end;
    if (carried_.leads[node] == 0) {
      add_closed(above, argument, all[argument]);
    } else if (nodes[node].variable != Moves::no_variable) {
      places_.append(above, argument, carried_.places[nodes[node].variable].place);
    } else {
      const Place next = places_.add(above, argument, all[argument]);
      places_[next].own = true;
      places_[next].due = true;
      ways.push_back({next, 0, node + 1, nodes[node].end});
    }
  }
}

// What is above has to be tried again, as far up as left sides look down.
void Machine::call_above(Place place) {
  Place below = place;
  for (std::uint32_t left = program_.pattern_depth - 1; left > 0; --left) {
    const Place above = places_[below].above;
    if (above == no_place) return;
    Places::Node& node = places_[above];
    if (node.due && node.ahead >= left) return;
    if (node.plain) places_.keep(above, below);
    node.due = true;
    node.ahead = left;
    below = above;
  }
}

// A rule at `place`, if one applies.
void Machine::try_at(Place place) {
  places_[place].due = false;
  places_[place].ahead = 0;
  if ((heap_[places_[place].term] & reducible) == 0) return;
  if (recording_ && places_[place].first != no_place) places_.disown(place);
  const auto result = contract(places_[place].term);
  if (!result) return;
  if (recording_) steps_.push_back({last_rule_, places_[place].term});
  const bool more = (heap_[*result] & reducible) != 0;
  Places::Node& node = places_[place];
  node.term = *result;
  node.own = false;
  node.closed = more;
  node.due = more;
  node.changed = true;
  pass_changes_ = true;
  if (node.first != no_place) carry_over(place, program_.moves[last_rule_]);
  unwritten_ = place;
  write_up(true);
  call_above(place);
}

bool Machine::looks_deep(Place place) const {
  return program_.looks_deep[symbol(places_[place].term)];
}

// A pass comes to `place`.
void Machine::arrive(Place place, bool from_top) {
  if (from_top && (places_[place].due || looks_deep(place))) try_at(place);
  if (stop_ != Stop::normal_form) return;
  if ((heap_[places_[place].term] & reducible) == 0) {
    // Normal, also where a condition, or a place with the same term, has found that out.
    places_.remove_below(place);
    places_[place].closed = false;
    places_[place].due = false;
  } else if (places_[place].closed) {
    open(place);
  }
}

// A pass leaves `place`, to which `above` is the next one up that is not plain. What may still
// hold a redex stays for the next pass.
void Machine::leave(Place place, Place above, bool from_top) {
  Places::Node& node = places_[place];
  if (node.changed && above != no_place) places_[above].changed = true;
  const bool deep = looks_deep(place);
  if (from_top && node.changed && deep && (heap_[node.term] & reducible) != 0) node.due = true;
  node.changed = false;
  if (node.due) return;
  if (node.first != no_place) {
    if (!deep && places_.has_one_below(place)) places_.make_plain(place);
    return;
  }
  do {
    const Place next = places_[place].above;
    mark_normal(places_[place].term);
    places_.remove(place);
    place = next;
  } while (place != above);
}

void Machine::pass(bool from_top) {
  Place place = places_.lowest(places_.root());
  bool arriving = true;
  while (place != no_place && may_go_on()) {
    if (arriving) {
      arrive(place, from_top);
      if (stop_ != Stop::normal_form) return;
      if (places_[place].first != no_place) {
        place = places_.lowest(places_[place].first);
        continue;
      }
    }
    if (!from_top && (places_[place].due || looks_deep(place))) try_at(place);
    if (stop_ != Stop::normal_form) return;
    const Places::Node& top = places_[places_[place].other_end];
    const Place next = top.next;
    const Place above = top.above;
    leave(place, above, from_top);
    arriving = next != no_place;
    place = arriving ? places_.lowest(next) : above;
  }
}

Handle Machine::passes(Handle term, bool from_top) {
  roots_.assign(1, term);
  const std::size_t most = std::min(bounds_.bytes / sizeof(Handle), most_place_words);
  places_.begin(most + places_.words_of(places_at_once()), large_pages_);
  if (may_go_on()) {
    add_closed(no_place, 0, roots_[0]);
    while (places_.root() != no_place && stop_ == Stop::normal_form) {
      pass_changes_ = false;
      pass(from_top);
      if (pass_changes_) ++passes_;
    }
  }
  note_peak();
  places_.end();
  unwritten_ = no_place;
  const Handle result = roots_[0];
  roots_.clear();
  return result;
}

}  // namespace rhopsi::normalise
