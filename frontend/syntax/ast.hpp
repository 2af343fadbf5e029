// The abstract syntax of one package, as it was written: names are unresolved,
// operators are already calls of `_op_` and `op_`, and every node knows its span.
//
// The tree is plain data. Nothing here refers to the engine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "frontend/syntax/source.hpp"

namespace rhopsi::syntax {

// A name with the place where it stands. `text` is the plain spelling: an
// identifier, a symbol name such as `_+_` or `-_`, or a dotted package name.
struct Name {
  std::string text;
  Span span;
};

// ---------------------------------------------------------------- expressions

struct Expr;
using ExprPtr = std::shared_ptr<Expr>;

struct TypeRef {
  Name name;
  bool variadic = false;  // `T...`, in parameters only
};

// `x`, `x : T`. A bare integer such as `1` is also read as Literal; elaboration
// looks for a variable of that spelling first.
struct Variable {
  Name name;
  std::optional<TypeRef> cast;
};

// `1`, `2.5`, `1.5e-3`. `text` is the spelling. `1 : T` carries a cast.
struct Literal {
  enum class Kind { integer, real };
  Kind kind;
  std::string text;
  std::optional<TypeRef> cast;
};

// `[0, 1, 1]`.
struct VectorLiteral {
  std::vector<ExprPtr> elements;
  std::optional<TypeRef> cast;
};

// `xs...` among the arguments of a call: the pack's members in order.
struct PackExpansion {
  Name name;
};

// `f(args) [: T]`; operators arrive here as calls of `_+_`, `-_`.
// `is_procedure_call` is true for `call p(args)`.
struct Call {
  Name callee;
  std::vector<ExprPtr> arguments;
  std::optional<TypeRef> cast;
  bool is_procedure_call = false;
  bool from_operator = false;  // written infix or prefix
};

// `if c then a else b`.
struct If {
  ExprPtr condition;
  ExprPtr then_branch;
  ExprPtr else_branch;
};

// `{ e; ... }`; a block with a direct `value` is a value block.
struct Block {
  std::vector<ExprPtr> statements;
};

// `var [obs] x [: T] [= e]`.
struct Declaration {
  Name name;
  bool is_constant = false;
  std::optional<TypeRef> type;
  ExprPtr initial;  // null where absent
};

// `x = e`.
struct Assignment {
  Name target;
  ExprPtr value;
};

// `assert e`, `assert c => l == r` (the implication is an ordinary call of `_=>_`).
struct Assert {
  ExprPtr condition;
};

// `value e`.
struct Value {
  ExprPtr result;
};

struct Skip {};

// `for i in lo .. hi { }`: i = lo, ..., hi - 1.
struct For {
  Name variable;
  ExprPtr low;
  ExprPtr high;
  ExprPtr body;
};

// `iterate n p(args)`.
struct Iterate {
  ExprPtr count;
  ExprPtr call;
};

// `while c bound n { }`: at most n rounds.
struct While {
  ExprPtr condition;
  ExprPtr bound;
  ExprPtr body;
};

// `fold op (k < n) e [: T]` and `forall (i < shape) e [: T]`.
struct Fold {
  Name operation;
  Name variable;
  ExprPtr count;
  ExprPtr body;
};
struct Forall {
  Name variable;
  ExprPtr shape;
  ExprPtr body;
  std::optional<TypeRef> cast;
};

struct Expr {
  using Node =
      std::variant<Variable, Literal, VectorLiteral, PackExpansion, Call, If, Block, Declaration,
                   Assignment, Assert, Value, Skip, For, Iterate, While, Fold, Forall>;
  Node node;
  Span span;

  // Takes the tree apart without recursion: operator chains may be very long.
  ~Expr();
};

// --------------------------------------------------------------- declarations

enum class Mode { obs, upd, out };

struct Parameter {
  Name name;
  TypeRef type;
  std::optional<Mode> mode;  // as written; procedures only
};

enum class CallableKind { axiom, theorem, function, predicate, procedure };

struct CallableDecl {
  CallableKind kind;
  Name name;
  std::vector<Parameter> parameters;
  std::optional<TypeRef> result;
  ExprPtr guard;  // null where absent
  ExprPtr body;   // an expression (`= e;`) or a Block; null where only declared
  bool required = false;
  Span span;
};

// `type T;`, `type T...;` (a pack of types), `type T literals integer, real, vector;`.
struct TypeDecl {
  Name name;
  bool required = false;
  bool pack = false;
  bool integer_literals = false;
  bool real_literals = false;  // implies integer literals
  bool vector_literals = false;
  Span span;
};

// -------------------------------------------------------------------- modules

// One item of a renaming block: `a => b`, or the name of a named renaming.
struct RenamingItem {
  Name source;                 // or the named renaming's name
  std::optional<Name> target;  // absent for a named renaming
};

// `[ ... ]` total, `[[ ... ]]` partial.
struct RenamingBlock {
  std::vector<RenamingItem> items;
  bool partial = false;
  Span span;
};

struct ModuleExpr;
using ModulePtr = std::shared_ptr<ModuleExpr>;

struct UseDecl {
  ModulePtr module;
  bool require = false;  // `require M;`
  Span span;
};

using BodyItem = std::variant<TypeDecl, CallableDecl, UseDecl>;

struct ModuleBody {
  std::vector<BodyItem> items;
};
struct ModuleName {
  Name name;  // possibly dotted
};
struct SignatureOf {
  ModulePtr module;  // grammar: a name; a general module expression is accepted
};
// A strategy, or one of its arguments: `word` is a strategy's, a number or a name.
struct StrategyExpr {
  Name word;
  std::vector<StrategyExpr> arguments;
};
// `rewrite T with R N`, `rewrite T with R by S N`.
struct Rewrite {
  ModulePtr target;
  ModulePtr rules;
  std::optional<StrategyExpr> strategy;
  std::uint64_t bound = 0;  // of passes; with a strategy, of steps
  Span bound_span;
};
struct Implement {
  ModulePtr generator;
  ModulePtr target;
};
// `external C++ path.name M`. `attributes` is what stood in CUDA's brackets, verbatim.
struct External {
  Name backend;
  std::string attributes;
  Name path;
  ModulePtr module;
};

struct ModuleExpr {
  using Node = std::variant<ModuleBody, ModuleName, SignatureOf, Rewrite, Implement, External>;
  Node node;
  std::vector<RenamingBlock> renamings;  // applied left to right to the result so far
  Span span;
};

enum class ModuleKind { concept_, implementation, signature, program };

struct ModuleDecl {
  ModuleKind kind;
  Name name;
  ModulePtr definition;
  Span span;
};
struct RenamingDecl {
  Name name;
  RenamingBlock block;
  Span span;
};
// `satisfaction N = A [with W] models|approximates B`.
struct SatisfactionDecl {
  Name name;
  ModulePtr model;
  ModulePtr with;  // null where absent
  ModulePtr specification;
  bool approximates = false;
  Span span;
};

// `max_planes = 4`. The value is a number or a word.
struct StepArgument {
  Name name;
  Name value;
};
// One item of a schedule: a step, or another schedule that it uses.
struct ScheduleItem {
  Name word;  // possibly dotted where it is used
  std::vector<StepArgument> arguments;
  bool use = false;
  bool required = false;  // `require fuse;`
  Span span;
};
// `schedule N [for P] [on f] = { ... }`.
struct ScheduleDecl {
  Name name;
  std::optional<Name> program;   // possibly dotted; absent: any
  std::optional<Name> callable;  // absent: all
  std::vector<ScheduleItem> items;
  Span span;
};

using TopDecl = std::variant<ModuleDecl, RenamingDecl, SatisfactionDecl, ScheduleDecl>;

struct Package {
  Name name;
  std::vector<Name> imports;
  std::vector<TopDecl> declarations;
};

}  // namespace rhopsi::syntax
