// The places of a term at which passes still have something to do, as a tree.
//
// A place is in the tree if the term there may hold a redex, so those above it are, too. Most
// of these are plain: no rule has to be tried there, and one way leads on. A run of plain
// places is a chain, of which the ends alone know each other, so that a walk goes from the first
// place of a chain to the one below its last in one step, and a chain is cut near its ends and
// joined with another one in constant time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/normalise/program.hpp"
#include "engine/normalise/reservation.hpp"

namespace rhopsi::normalise {

using Place = std::uint32_t;
inline constexpr Place no_place = ~Place{0};

class Places {
 public:
  struct Node {
    Handle term;
    Place above;
    std::uint32_t argument;  // of the term above
    Place first;             // of those below, in the order of arguments
    Place next;              // beside it
    Place previous;          // beside it; of the first one, the last one
    // Of the first plain place of a chain: the one below the last. Of a place that is not plain:
    // the first of the chain above it, itself if there is none.
    Place other_end;
    std::uint32_t ahead : 24;  // so many places above have been made due because of this one's
    bool used : 1;
    bool plain : 1;
    bool own : 1;      // the term is written to: nothing else refers to it
    bool closed : 1;   // what is below is not in the tree
    bool due : 1;      // rules have to be tried
    bool changed : 1;  // here or below in this pass
  };

  // Takes address space for `words`; `large_pages` as for Reservation.
  void begin(std::size_t words, bool& large_pages);
  void end();

  // Places that can be added before grow().
  std::size_t room() const { return capacity_ - used_; }
  // Room for so many more. False if there is no address space for it.
  bool grow(std::size_t count);
  // Words of memory, of what there is room for and of so many places.
  std::size_t words() const { return words_of(capacity_); }
  static std::size_t words_of(std::size_t places) { return places * node_words; }

  Node& operator[](Place place) { return nodes_[place]; }
  const Node& operator[](Place place) const { return nodes_[place]; }
  Place root() const { return root_; }

  // A place with nothing below, neither plain nor due: the last one below `above`, or the root.
  Place add(Place above, std::uint32_t argument, Handle term);
  // Makes a place, which is nowhere, the last one below `above`.
  void append(Place above, std::uint32_t argument, Place place);
  // Takes a place with what is below it out of the tree. `lowest` is the end of its chain.
  void detach(Place place, Place lowest);
  // Forgets a place with nothing below.
  void remove(Place place);
  void remove_below(Place place);
  // What is below `from`, which is nowhere and not plain, or whose chain ends at `lowest`, goes
  // below `place`, which has nothing there.
  void take_over(Place place, Place from, Place lowest);

  // The first place from here down that is not plain.
  Place lowest(Place place) const { return nodes_[place].plain ? nodes_[place].other_end : place; }
  bool has_one_below(Place place) const {
    const Place first = nodes_[place].first;
    return first != no_place && nodes_[first].next == no_place;
  }
  // That below `place` at an argument, if it is in the tree. Linear in the places there.
  Place below_at(Place place, std::uint32_t argument) const;
  // One place is below.
  void make_plain(Place place);
  // A plain place directly above `below`, which is not plain.
  void keep(Place place, Place below);
  // All that is below and at `place` refers to terms that others refer to as well.
  void disown(Place place);

  template <class Visit>
  void for_each_term(Visit visit) {
    for (Place i = 0; i < last_; ++i) {
      if (nodes_[i].used) visit(nodes_[i].term);
    }
  }

 private:
  static constexpr std::size_t node_words = sizeof(Node) / sizeof(std::uint32_t);
  static_assert(sizeof(Node) == 32);

  void unlink(Place place);
  void forget(Place place);

  std::optional<Reservation> memory_;
  Node* nodes_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  Place last_ = 0;         // places from here on have never been used
  Place free_ = no_place;  // by `next`
  Place root_ = no_place;
  std::vector<Place> open_;
};

}  // namespace rhopsi::normalise
