// A row of statements that may become a function: what it names, reads, sets and declares. Internal
// to this folder.
#pragma once

#include <map>
#include <set>
#include <type_traits>
#include <vector>

#include "engine/onf/each_expression.hpp"

namespace rhopsi::schedule {

// Calls `view` and `variable` with every place that names one. `Body`: Statements, const or not.
template <class Body, class View, class Variable>
void each_name(Body& body, const View& view, const Variable& variable) {
  const auto form = [&](auto& s) {
    using Form = std::decay_t<decltype(s)>;
    if constexpr (std::is_same_v<Form, onf::Share>) {
      view(s.target), view(s.source);
    } else if constexpr (std::is_same_v<Form, onf::Call>) {
      if (s.target) view(*s.target);
    } else if constexpr (std::is_same_v<Form, onf::Nest>) {
      view(s.target);
      for (auto& output : s.also) view(output.target);
      for (auto& index : s.indices) variable(index);
    } else if constexpr (requires { view(s.target); }) {
      view(s.target);
    } else if constexpr (requires { view(s.view); }) {
      view(s.view);
    }
    if constexpr (requires { variable(s.variable); }) variable(s.variable);
    if constexpr (requires { variable(s.index); }) variable(s.index);
  };
  onf::each_in(body, form, [&](auto& whole) {
    onf::each_part(whole, [&](auto& e) {
      if (onf::names_view(e)) view(e.view);
      if (e.kind == onf::Expr::Kind::variable) variable(e.variable);
    });
  });
}

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

 private:
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
  void step(const onf::Share& s);
  void step(const onf::Call& s);
  void step(const onf::Scope& s);
  template <class Other>
  void step(const Other&) {}

  const onf::Module& module_;
};

// Nests, operations and calls in the row; a call counts one, the others two.
int weight_of(const onf::Statements& row);

}  // namespace rhopsi::schedule
