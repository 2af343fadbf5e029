#include "engine/normalise/places.hpp"

#include <new>

namespace rhopsi::normalise {

void Places::begin(std::size_t words, bool& large_pages) {
  end();
  memory_.emplace(words, large_pages);
  nodes_ = reinterpret_cast<Node*>(memory_->data());
}

void Places::end() {
  memory_.reset();
  nodes_ = nullptr;
  capacity_ = used_ = 0;
  last_ = 0;
  free_ = root_ = no_place;
}

bool Places::grow(std::size_t count) {
  const std::size_t wanted = capacity_ + count;
  if (wanted >= no_place || wanted * node_words > memory_->words()) return false;
  memory_->prepare(wanted * node_words, wanted * node_words);
  capacity_ = wanted;
  return true;
}

Place Places::add(Place above, std::uint32_t argument, Handle term) {
  Place place = free_;
  if (place != no_place) {
    free_ = nodes_[place].next;
  } else {
    place = last_++;
  }
  ++used_;
  Node* const node = new (nodes_ + place) Node{};
  node->term = term;
  node->first = no_place;
  node->other_end = place;
  node->used = true;
  append(above, argument, place);
  return place;
}

void Places::append(Place above, std::uint32_t argument, Place place) {
  Node& node = nodes_[place];
  node.above = above;
  node.argument = argument;
  node.next = no_place;
  node.previous = place;
  if (above == no_place) {
    root_ = place;
    return;
  }
  Node& parent = nodes_[above];
  if (parent.first == no_place) {
    parent.first = place;
    return;
  }
  node.previous = nodes_[parent.first].previous;
  nodes_[node.previous].next = place;
  nodes_[parent.first].previous = place;
}

void Places::unlink(Place place) {
  const Node& node = nodes_[place];
  if (node.above == no_place) {
    root_ = no_place;
    return;
  }
  Node& parent = nodes_[node.above];
  if (parent.first == place) {
    parent.first = node.next;
    if (node.next != no_place) nodes_[node.next].previous = node.previous;
    return;
  }
  nodes_[node.previous].next = node.next;
  nodes_[node.next != no_place ? node.next : parent.first].previous = node.previous;
}

void Places::forget(Place place) {
  nodes_[place].used = false;
  nodes_[place].next = free_;
  free_ = place;
  --used_;
}

void Places::detach(Place place, Place lowest) {
  unlink(place);
  nodes_[place].other_end = lowest;
  nodes_[lowest].other_end = place;
}

void Places::remove(Place place) {
  unlink(place);
  forget(place);
}

void Places::remove_below(Place place) {
  open_.clear();
  const auto open = [&](Place above) {
    for (Place i = nodes_[above].first; i != no_place; i = nodes_[i].next) open_.push_back(i);
  };
  open(place);
  nodes_[place].first = no_place;
  while (!open_.empty()) {
    const Place top = open_.back();
    open_.pop_back();
    open(top);
    forget(top);
  }
}

void Places::take_over(Place place, Place from, Place lowest) {
  const Node& node = nodes_[from];
  nodes_[place].first = node.first;
  for (Place i = node.first; i != no_place; i = nodes_[i].next) nodes_[i].above = place;
  if (node.plain) {
    nodes_[node.first].other_end = lowest;
    nodes_[lowest].other_end = node.first;
  }
  forget(from);
}

Place Places::below_at(Place place, std::uint32_t argument) const {
  for (Place i = nodes_[place].first; i != no_place; i = nodes_[i].next) {
    if (nodes_[i].argument == argument) return i;
  }
  return no_place;
}

void Places::make_plain(Place place) {
  const Place top = nodes_[place].other_end;
  const Place bottom = lowest(nodes_[place].first);
  nodes_[place].plain = true;
  nodes_[top].other_end = bottom;
  nodes_[bottom].other_end = top;
}

void Places::keep(Place place, Place below) {
  const Place top = nodes_[below].other_end;
  nodes_[below].other_end = below;
  nodes_[place].plain = false;
  nodes_[place].other_end = top;
  nodes_[top].other_end = place;
}

void Places::disown(Place place) {
  open_.assign(1, place);
  while (!open_.empty()) {
    const Place top = open_.back();
    open_.pop_back();
    nodes_[top].own = false;
    for (Place i = nodes_[top].first; i != no_place; i = nodes_[i].next) open_.push_back(i);
  }
}

}  // namespace rhopsi::normalise
