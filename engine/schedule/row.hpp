// A row of statements that may become a function: what it names, reads, sets and declares. Internal
// to this folder.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "engine/onf/each_name.hpp"

namespace rhopsi::schedule {

// How often what is named is named.
struct Mentions {
  std::map<onf::ViewId, std::size_t> views;
  std::map<onf::VariableId, std::size_t> variables;
};
Mentions mentions_of(const onf::Statements& body);

// What a row of statements does with an array that is not its own.
struct Use {
  bool read_first = false;  // before the row has set it
  bool written = false;
  bool known = false;
};

// The arrays of a row in the order in which they are named, and which of them it declares. The row
// has statements that `build` can follow alone. Linear.
class Uses {
 public:
  Uses(const onf::Module& module, const onf::Statements& row);

  std::vector<onf::ViewId> order;
  std::map<onf::ViewId, Use> of;
  std::set<onf::ViewId> declared;
  std::set<onf::VariableId> variables;  // that it reads
  std::set<onf::VariableId> inner;      // that it declares
  bool one_sided = false;               // does a branch write an array on one side alone?

 private:
  std::set<onf::ViewId> written() const;
  void read(onf::ViewId view);
  void write(onf::ViewId view);
  Use& named(onf::ViewId view);
  void read(const onf::Expr& whole);
  void follow(const onf::Statements& row);
  void step(const onf::Declare& s);
  void step(const onf::Allocate& s);
  void step(const onf::Refill& s);
  void step(const onf::Mutate& s);
  void step(const onf::Nest& s);
  void step(const onf::Let& s);
  void step(const onf::Whole& s);
  void step(const onf::RowFold& s);
  void step(const onf::Share& s);
  void step(const onf::Call& s);
  void step(const onf::Scope& s);
  void step(const onf::If& s);
  template <class Other>
  void step(const Other&) {}

  const onf::Module& module_;
};

// Nests, operations and calls in the row; a call counts one, the others two.
int weight_of(const onf::Statements& row);

// Are there statements over arrays on both sides of the branch?
bool has_two_sides(const onf::If& branch);

// May the branch, which stands in the body, become a choice in each element of the arrays that it
// gives a value? It asks for a number, which cannot fail, and has little in it. Either there are
// other statements over arrays beside it, which it would part, or arrays are computed on both
// sides, so that nothing is gone through in vain.
bool is_choice(const onf::Statements& body, const onf::If& branch);

// Gives a function that is made of a row, and that has the names of the whole function around it,
// variables and arrays of its own instead. `uses`: those of the row.
void take_own_names(onf::Function& part, const onf::Function& whole, const Uses& uses);

}  // namespace rhopsi::schedule
