// Lowering of programs whose arrays have shapes of their own.
//
// Statements are followed in order, with what is known at each place: which array each variable
// is, its number of axes and its lengths, and conditions that hold. The right side of each
// assignment is reduced to its normal form (engine/moa), which becomes a fresh block with one
// nest per box. Arrays are never changed once they are written: a variable that a loop or a branch
// assigns has a view of its own, which is shared with the array that it has become.
//
//   u = u + rotate(u, 0, 1)
//   =>
//   allocate u2: float64 [length(u, 0)]
//   nest nested (i) in [0, length(u, 0) - 1) "step: u2, box 1" ...
//
// Procedures that are called are part of their caller. Internal to this folder.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/lower/computation.hpp"
#include "engine/lower/context.hpp"
#include "engine/lower/form_nests.hpp"
#include "engine/moa/plan.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::lower {

// What one entry of a program is lowered with.
class ShapedBody {
 public:
  ShapedBody(Context& context, const moa::Library& library, const Callable& callable,
             onf::FunctionId id);

  // The number of axes of each array argument, where it follows from the entry's guard or is
  // given; the names of the others. E0514 where more than one is possible.
  std::vector<std::string> find_ranks();
  bool lower();

 private:
  using Meaning = moa::Place::Meaning;

  // A number whose value changes: the variables that hold it, one per component.
  struct Slots {
    std::vector<onf::VariableId> variables;
  };
  // What is known at one place of the program.
  struct State {
    std::map<SymbolId, Meaning> meanings;
    std::vector<moa::ExprId> facts;
  };
  // How a variable that several ways assign goes on: its new view, by what lengths.
  struct Carried {
    SymbolId symbol;
    onf::ViewId view;
    moa::LeafId leaf;
    bool same_lengths;
  };

  // --- shaped.cpp
  void declare_arguments();
  void declare_array_argument(std::size_t number, const term::Symbol& variable);
  void know_table(const std::string& name, moa::LeafId array);
  void filter_ranks(const std::vector<TermId>& parts, const std::vector<SymbolId>& arrays,
                    std::vector<std::vector<std::size_t>>& candidates);
  std::vector<SymbolId> arrays_read() const;
  bool possible(TermId guard, const std::vector<std::size_t>& ranks);
  void adopt_known_lengths();
  void body_statements();
  void finish();
  bool keeps_rank(term::SymbolId parameter, onf::ViewId view, moa::LeafId leaf);
  void return_value(TermId term);

  // --- shaped_values.cpp
  // Reduces and lowers what is prepared; nothing after a problem, which has been reported.
  std::optional<moa::LeafId> array(TermId term, const std::string& name);
  std::optional<std::vector<moa::ExprId>> numbers(TermId term, std::vector<Expr>& values);
  template <class Form>
  bool passes(const Form& form, LocationId location);
  bool folds_elements(moa::ExprId value) const;
  Expr computed_in_kernel(moa::NormalForm form, Computation& compute, moa::ExprId value,
                          LocationId location);
  std::optional<Expr> number(TermId term, moa::ExprId* known = nullptr);
  bool require(TermId guard, const std::string& subject, LocationId location);
  TermId prepared(TermId term);
  TermId with_calls_inlined(TermId term);
  TermId inlined(TermId term);
  bool needs_statements(SymbolId symbol);
  bool takes_statements(TermId term);
  moa::Place place_for(TermId term) const;
  Computation computation(const moa::NormalForm& form, LocationId location);
  void test(Computation& compute, Graph& graph, const moa::Assumption& assumption);
  void test_all(const moa::NormalForm& form, LocationId location);
  void report(const moa::Problem& problem, LocationId location);
  moa::LeafId new_leaf(const std::string& name, onf::Scalar element, moa::Vector lengths,
                       onf::ViewId view, SymbolId variable);
  moa::LeafId own_lengths(const std::string& name, onf::Scalar element, std::size_t rank,
                          onf::ViewId view, SymbolId variable);
  static std::vector<Expr> own_extents(onf::ViewId view, std::size_t rank);
  onf::ViewId new_view(const std::string& name, onf::Scalar element,
                       std::optional<std::vector<Expr>> extents, std::size_t rank,
                       LocationId location);
  moa::ExprId new_parameter(const std::string& name, onf::Scalar type, Expr value);
  onf::VariableId new_variable(const std::string& name, onf::Scalar type, LocationId location);
  Expr of(onf::VariableId variable) const;
  moa::Vector lengths_of(moa::LeafId leaf) const;
  bool has_domain() const { return domain_ || stack_; }
  moa::Vector lengths_of_domain() const;
  moa::Vector without_stacked(moa::Vector lengths) const;
  bool lasting(const moa::Vector& lengths) const;

  // --- shaped_terms.cpp
  bool set_once(SymbolId variable);
  TermId written_out(TermId term);
  bool may_be_of_domain(const moa::Vector& lengths) const;
  bool keeps_meaning(SymbolId variable) const;
  bool is_part(const moa::NormalForm& form);
  TermId pinned(TermId term);
  bool stands_for(SymbolId target, TermId term, LocationId location);

  static double weight_of(const moa::Expressions& expressions, moa::ExprId element);

  // --- shaped_names.cpp
  bool is_costly(const moa::NormalForm& form) const;
  bool names_what_is_read_again(TermId call);

  // --- shaped_statements.cpp
  void statement(TermId term);
  void statements(TermId block);
  void declare(TermId term);
  void assign(SymbolId target, TermId value, LocationId location);
  void set_numbers(SymbolId target, const std::vector<Expr>& values,
                   const std::vector<moa::ExprId>& known, LocationId location);
  void make_slots(SymbolId target, std::size_t count, LocationId location);
  void read_again(SymbolId target);
  void mean(SymbolId target, moa::Vector components);
  void fix(Expr& value, moa::ExprId& known, const std::string& name, LocationId location);
  void procedure_call(TermId term);
  void bind_argument(const Callable& callee, std::size_t number, TermId argument);
  void take_back(SymbolId to, SymbolId from, LocationId location);
  void check_statement(TermId term);
  void move(std::vector<std::pair<onf::ViewId, onf::ViewId>> moves);

  // --- shaped_flow.cpp
  void if_statement(TermId term);
  void merge(const std::vector<SymbolId>& assigned, const State& before, State then, State other,
             onf::Statements& then_body, onf::Statements& other_body, LocationId location);
  void for_statement(TermId term);
  void iterate_statement(TermId term);
  void while_statement(TermId term);
  void loop(const std::vector<SymbolId>& assigned, LocationId location,
            const std::function<onf::Statements()>& rounds,
            const std::function<void(onf::Statements)>& emit_loop);
  Carried carry(SymbolId symbol, bool same_lengths, LocationId location);
  std::vector<Carried> carry(const std::vector<SymbolId>& assigned,
                             const std::set<SymbolId>& changing, LocationId location);
  bool compare_rounds(const std::vector<Carried>& carried, std::set<SymbolId>& changing,
                      LocationId location);
  void after_loop(const std::vector<SymbolId>& assigned, State head);
  void find_assigned(TermId term, std::set<SymbolId>& found) const;
  std::vector<SymbolId> assigned_in(TermId term) const;
  std::optional<std::vector<Expr>> extents_of(moa::LeafId leaf) const;
  bool same_lengths(const moa::Vector& left, const moa::Vector& right) const;
  bool is_array_sort(term::SortId sort) const;

  // --- shaped_rounds.cpp
  // Does the round of that number, from 0, run? Nothing where that is open. It is asked where the
  // round begins, and sets what the round begins with.
  using Runs = std::function<std::optional<bool>(std::size_t round)>;
  struct LoopRounds {
    std::vector<SymbolId> assigned;
    Runs runs;
    TermId body;
    bool by_index = false;  // no two rounds are the same, because the body reads their number
  };
  // The rounds that were followed because they certainly run.
  struct FirstRounds {
    std::optional<bool> certain;  // does the loop run at all?
    std::size_t followed = 0;     // 0 too where they leave everything as they find it
    bool ended = false;           // there is no other round
    State state;                  // behind them
    std::unordered_map<SymbolId, Slots> slots;
    onf::Statements statements;
  };
  // Lowers a loop; `lower_from` does so for what is left behind that many rounds. doubtful_ where
  // it fails and may not run.
  bool written_out(TermId body, SymbolId index, ExprId low, ExprId high);
  void lower_loop(const LoopRounds& loop, const std::function<void(std::size_t)>& lower_from);
  // Nothing where there is nothing more to lower: the loop does not run, or one of its first rounds
  // was reported.
  std::optional<FirstRounds> first_rounds(const LoopRounds& loop);
  FirstRounds follow_rounds(const LoopRounds& loop);
  bool leaves_as_found(const std::vector<SymbolId>& assigned, const State& before) const;
  std::optional<bool> round_of_for(std::size_t round, SymbolId index, moa::ExprId low,
                                   moa::ExprId high);
  std::optional<bool> round_of_iterate(std::size_t round, moa::ExprId count);
  std::optional<bool> round_of_while(std::size_t round, TermId condition, moa::ExprId bound);
  std::optional<bool> decided(moa::ExprId condition) const;
  bool same_as(const State& before, SymbolId symbol) const;

  const term::Store& store() const { return context_.store; }
  std::vector<TermId> children(TermId term) const {
    const auto found = context_.store.children(term);
    return {found.begin(), found.end()};
  }
  onf::Statements collected(const std::function<void()>& emit);
  template <class Form>
  void emit(Form form, LocationId location) {
    statements_->push_back(onf::Statement{std::move(form), location});
  }
  bool failed() const { return context_.failed(); }
  onf::ViewId view_of(moa::LeafId leaf) const { return views_[moa::number(leaf)]; }

  Context& context_;
  const moa::Library& library_;
  const Callable& callable_;
  onf::FunctionId id_;
  onf::Function function_;
  Computation::Known known_;
  IndexNames index_names_;
  std::vector<std::size_t> ranks_;     // of the array arguments, in their order
  moa::Place base_;                    // expressions, arrays and parameters so far
  std::optional<moa::LeafId> domain_;  // the array whose lengths a domain has, and so many more
  std::vector<std::int64_t> more_;
  std::optional<moa::LeafId> stack_;  // else the one that is taken apart, and has them then
  std::vector<onf::ViewId> views_;    // of the arrays
  std::map<moa::VariableId, Expr> parameters_;
  std::set<moa::VariableId> changing_;  // parameters that read what is assigned
  std::unordered_map<SymbolId, Slots> slots_;
  std::map<SymbolId, bool> needs_statements_;
  std::set<SymbolId> unset_indices_;  // have slots from their first value on
  onf::Statements first_;             // what the body begins with: slots that any part may set
  term::Substitution terms_;          // what variables of arrays stand for that are none
  std::optional<std::set<SymbolId>> assigned_anywhere_;  // but where they are declared
  State state_;
  onf::Statements* statements_ = nullptr;
  std::vector<SymbolId> inlining_;
  std::size_t following_ = 0;       // loops around this place whose rounds are followed one by one
  std::size_t round_ = 0;           // the one that is followed, from 0
  std::int64_t rounds_around_ = 1;  // of the loops around that are written out, together
  std::size_t rounds_left_ = 256;   // that may still be followed, in all loops together
  bool doubtful_ = false;           // what failed there may be what no run comes to
};

// Every entry of the program, or those of `options`, into the context's module.
void lower_shaped(Context& context);

}  // namespace rhopsi::lower
