// One body being elaborated. Internal to this folder; see body.hpp for the interface.
//
// Statements are elaborated in order, each expression as a unit of overload
// resolution of its own (readings.hpp). A null result means that an error was
// reported; elaboration goes on behind it to find others.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/elaborate/body.hpp"
#include "frontend/elaborate/environment.hpp"
#include "frontend/elaborate/readings.hpp"

namespace rhopsi::elaborate {

// Has the block a direct `value`?
bool has_value(const syntax::Block& block);

class BodyElaborator {
 public:
  BodyElaborator(const Scope& scope, const Parameters& parameters,
                 syntax::Diagnostics& diagnostics);

  // --- body.cpp: whole bodies
  std::optional<term::TermId> function_body(const syntax::Expr& body, term::SortId result);
  std::optional<term::TermId> procedure_body(const syntax::Expr& body);
  std::optional<term::TermId> axiom_body(const syntax::Expr& body);

 private:
  using MaybeTerm = std::optional<term::TermId>;

  struct Statements {
    std::vector<term::TermId> terms;
    std::vector<term::SymbolId> declared;
    const syntax::Expr* value = nullptr;  // `value e` at the end of a value block
    bool broken = false;
  };
  // An argument as written, or a member of an expanded pack.
  struct Item {
    const syntax::Expr* expr;
    std::optional<term::SymbolId> member;
  };
  // An expression whose parts are being analysed.
  struct Frame {
    const syntax::Expr* expr = nullptr;
    std::vector<Item> items;
    std::size_t next = 0;
    std::vector<NodeId> done;
    Statements block;
    term::SymbolId index{};
    MaybeTerm count;
    bool broken = false;
  };

  // --- expressions.cpp
  MaybeTerm expression(const syntax::Expr& expr, term::SortId expected);
  MaybeTerm expression(const syntax::Expr& expr);  // whatever sort is its best
  // Loop bounds: all of one sort with integer literals, Int by preference.
  std::vector<MaybeTerm> bounds(const std::vector<const syntax::Expr*>& exprs);
  NodeId analyse(const syntax::Expr& root, Readings& into);
  // The node of a leaf; null where the frame was filled and its parts come first.
  std::optional<NodeId> enter(const syntax::Expr& expr, Readings& into, Frame& frame);
  bool enter_parts(const syntax::Expr& expr, Frame& frame);
  NodeId leave(Frame& frame, Readings& into);
  NodeId leave_call(Frame& frame, Readings& into);
  NodeId leave_if(Frame& frame, Readings& into);
  NodeId leave_fold(Frame& frame, Readings& into);
  NodeId leave_forall(Frame& frame, Readings& into);
  NodeId leave_block(Frame& frame, Readings& into);
  void enter_block(const syntax::Block& block, Frame& frame);
  void enter_binder(const syntax::Name& variable, const syntax::ExprPtr& count,
                    const syntax::ExprPtr& element, Frame& frame);
  NodeId variable(const syntax::Variable& variable, const syntax::Expr& expr, Readings& into);
  NodeId literal(const LiteralText& text, const syntax::Expr& expr, Readings& into);
  NodeId vector(const syntax::VectorLiteral& vector, const syntax::Expr& expr, Readings& into);
  std::optional<NodeId> large_negative(const syntax::Call& call, const syntax::Expr& expr,
                                       Readings& into);
  std::optional<LiteralText> literal_of(const syntax::Expr& expr) const;
  NodeId cast(NodeId node, const std::optional<syntax::TypeRef>& type, Readings& into);
  NodeId local_node(const Local& local, const syntax::Expr& expr, Readings& into);
  NodeId member_node(const Item& item, Readings& into);
  std::vector<Item> expanded(const std::vector<syntax::ExprPtr>& arguments);
  // The node's term at `sort`, or the message why it has none.
  MaybeTerm resolve(Readings& readings, NodeId root, term::SortId sort);
  MaybeTerm resolve_best(Readings& readings, NodeId root);

  // --- statements.cpp
  // The statements of a block, in the scope that is open. A direct `value` is left
  // to the caller.
  Statements statements(const syntax::Block& block, bool value_allowed);
  MaybeTerm statement(const syntax::Expr& expr);
  MaybeTerm unused(const syntax::Expr& expr);
  bool is_value(const syntax::Expr& expr) const;
  bool names_a_value(const std::string& name, std::size_t arguments) const;
  MaybeTerm statement_block(const syntax::Block& block, const syntax::Expr& expr);
  MaybeTerm block_of(MaybeTerm statement, const syntax::Expr& expr);
  MaybeTerm branch(const syntax::Expr& expr);
  MaybeTerm declaration(const syntax::Declaration& declaration, const syntax::Expr& expr,
                        Statements& block);
  struct Initial {
    MaybeTerm term;
    std::optional<term::SortId> sort;
    std::vector<term::SortId> sorts = {};  // that the value can have, where no type is declared
    bool broken = false;
  };
  MaybeTerm untyped_value(const syntax::Expr& expr, std::vector<term::SortId>& sorts);
  Initial initial_value(const syntax::Declaration& declaration, const syntax::Expr& expr);
  term::TermId variable_term(term::SymbolId variable, const syntax::Span& span);
  MaybeTerm assignment(const syntax::Name& target, const syntax::Span& target_span,
                       const syntax::Expr& value, const syntax::Expr& expr);
  MaybeTerm claimed(const syntax::Expr& expr);
  MaybeTerm sequence(const syntax::Block& block, const syntax::Expr& expr);
  MaybeTerm branch_of_if(const syntax::Expr& part);
  MaybeTerm if_statement(const syntax::Expr& expr);
  MaybeTerm for_statement(const syntax::For& loop, const syntax::Expr& expr);
  MaybeTerm iterate_statement(const syntax::Iterate& loop, const syntax::Expr& expr);
  MaybeTerm while_statement(const syntax::While& loop, const syntax::Expr& expr);
  MaybeTerm make_statement(term::Control control, const std::vector<MaybeTerm>& children,
                           const syntax::Expr& expr, const std::vector<term::SymbolId>& bound = {});

  // --- calls.cpp: procedures, modes
  MaybeTerm procedure_call(const syntax::Call& call, const syntax::Expr& expr);
  struct Argument {
    NodeId node;
    const syntax::Expr* expr;
    std::optional<Local> local;  // where the argument is a plain variable
  };
  std::vector<Argument> arguments_of(const syntax::Call& call, Readings& readings);
  std::optional<term::SymbolId> choose_procedure(const syntax::Call& call, const Readings& readings,
                                                 const std::vector<Argument>& arguments);
  bool check_mode(const Argument& argument, term::Mode mode, term::SymbolId procedure);
  bool check_aliases(const term::Symbol& procedure, const std::vector<Argument>& arguments);
  bool check_assignable(const Local& local, const syntax::Span& span);
  bool check_assigned(const Local& local, const syntax::Span& span);
  void unknown_procedure(const syntax::Call& call, const Readings& readings,
                         const std::vector<NodeId>& arguments);

  // --- expression_errors.cpp
  syntax::Diagnostic& error(const char* code, const syntax::Span& span, std::string message,
                            std::string note = {});
  std::optional<term::SortId> type(const syntax::TypeRef& reference);
  void unknown_variable(const syntax::Name& name);
  // `known` is what else is said where no name is near.
  void unknown_operation(const syntax::Name& name, const std::string& known = {});
  // The same of a call: which operations take its arguments.
  void unknown_operation(const syntax::Name& name, const Readings& readings,
                         const std::vector<NodeId>& arguments, bool procedure);
  std::vector<std::string> takers(const syntax::Name& name, const Readings& readings,
                                  const std::vector<NodeId>& arguments, bool procedures) const;
  // Why no overload takes the arguments; `callees` are those that might have.
  void no_overload(const syntax::Name& callee, const std::vector<term::SymbolId>& callees,
                   const Readings& readings, const std::vector<NodeId>& arguments);
  std::string other_type(const syntax::Expr* source, term::SortId wanted) const;
  std::string with_other_arguments(const Readings& readings, NodeId node,
                                   term::SortId expected) const;
  std::vector<std::string> conversions(const std::vector<term::SymbolId>& callees,
                                       const Readings& readings,
                                       const std::vector<NodeId>& arguments) const;
  std::vector<std::string> conversions(const std::vector<term::SortId>& from,
                                       term::SortId to) const;
  void wrong_sort(const Readings& readings, NodeId node, term::SortId expected);
  void ambiguous(const Readings& readings, const Ambiguity& ambiguity);
  std::string sort_name(term::SortId sort) const;
  std::string sorts_of(const Readings& readings, NodeId node) const;
  std::string described(term::SymbolId callee) const;
  bool check_name_free(const syntax::Name& name);
  bool is_refused(const syntax::Name& callee) const;
  // One level more of what is followed by recursion: blocks, branches, loops, counts and
  // vectors. Parentheses, operators and chains of `else if` are not. False, and an error,
  // where it is one level too many.
  class Level {
   public:
    Level(BodyElaborator& elaborator, const syntax::Span& span);
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    explicit operator bool() const { return fits_; }

   private:
    std::size_t& depth_;
    bool fits_ = true;
  };

  const Scope& scope_;
  term::Store& store_;
  syntax::Diagnostics& diagnostics_;
  const Parameters& parameters_;
  Environment environment_;
  // Blocks around the current statement, for "used before its declaration".
  struct OpenBlock {
    const syntax::Block* block;
    std::size_t next;  // the statement that is being elaborated
  };
  std::vector<OpenBlock> open_blocks_;
  std::size_t depth_ = 0;  // levels around the current place
  bool in_axiom_ = false;
  // Within statements that an axiom says something about: the number of value blocks around them.
  std::optional<std::size_t> sequence_depth_;
};

}  // namespace rhopsi::elaborate
