// The symbolic evaluation of an array expression by the rules of a library.
//
// Integers, elements and truth values are expressions, index vectors are vectors of them, and
// arrays are calls that have not been evaluated: of an array only its shape and single elements
// are ever asked, and rules answer. So every intermediate array is gone when the element of the
// whole is there.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "engine/moa/element_types.hpp"
#include "engine/moa/facts.hpp"
#include "engine/moa/library.hpp"

namespace rhopsi::moa {

struct ArrayValue;
using ArrayPointer = std::shared_ptr<const ArrayValue>;
using Value = std::variant<ExprId, Vector, ArrayPointer>;

// Values of variables, innermost last; an environment sees those of its parent.
struct Environment {
  const Environment* parent = nullptr;
  std::vector<std::pair<term::SymbolId, Value>> values;
  bool of_rule = false;  // of the right side of one, or of its condition

  const Value* find(term::SymbolId variable) const;
  // That of the outermost scope.
  bool is_of_rule() const { return parent == nullptr ? of_rule : parent->is_of_rule(); }
};

struct ArrayValue {
  enum class Kind : std::uint8_t {
    leaf,    // `leaf`
    listed,  // `components`, of rank 1; or a single one, of rank 0
    call,    // `symbol` of `arguments`
    choice,  // `condition` chooses one of the two arrays in `arguments`
    tabled,  // `body` at the index `symbol`, in `environment`
    folded,  // `function` over the elements of the one array in `arguments`, `variable` counting
             // up to `condition`
  };
  Kind kind = Kind::leaf;
  std::uint32_t id = 0;
  Scalar element = Scalar::int64;  // of every element, whatever conditions choose
  Vector shape;
  LeafId leaf{};
  Vector components;
  term::SymbolId symbol{};
  ScalarFunction function{};
  VariableId variable{};
  std::vector<Value> arguments;
  ExprId condition{};
  term::TermId body{};
  std::shared_ptr<const Environment> environment;
  term::LocationId location{};
};

// Thrown inside this folder; reduce() returns what it holds.
struct Failure {
  Problem problem;
};

class Reduction {
 public:
  Reduction(const Library::Contents& library, NormalForm& form, const Limits& limits);

  ArrayPointer leaf(LeafId leaf);
  // An operation without arguments whose value the program's run gives.
  void constant(term::SymbolId operation, Value value);
  // From here on these terms are that leaf, which has the given shape.
  void store(std::span<const term::TermId> terms, LeafId leaf, const Vector& shape);
  ArrayPointer array(term::TermId term, const Environment& environment);
  // The value of a number, the components of an index vector.
  Vector numbers(term::TermId term, const Environment& environment);
  ExprId element(const ArrayPointer& array, const Vector& index);
  // A guard of `subject`: certain, or an assumption of the form, or a Failure.
  void require(term::TermId guard, const Environment& environment, const std::string& subject,
               term::LocationId location);
  Facts& facts() { return facts_; }

  // What follows is of an element, of which there may be none.
  void enter_element() {
    ++rounds_;
    enter_context();
  }
  // What follows is asked in another context than what went before: facts have changed.
  void enter_context() { context_ = ++contexts_; }

 private:
  // reduction.cpp
  Value evaluate(term::TermId term, const Environment& environment);
  Value evaluate_head(term::TermId term, const Environment& environment);
  ExprId scalar(term::TermId term, const Environment& environment);
  Vector vector(term::TermId term, const Environment& environment);
  Value literal(term::TermId term);
  Value listed(term::TermId term, const Environment& environment);
  ArrayPointer make(ArrayValue value);
  Scalar type_of(const Value& value) const;
  TypeScope types_in(const Environment& environment) const;
  std::optional<ExprId> known_element(const Leaf& leaf, const Vector& index) const;
  ExprId below(ExprId index, ExprId count);
  ExprId computed_element(const ArrayPointer& array, const Vector& index);
  ExprId accessed(const ArrayPointer& array, const Vector& index, const Environment& environment,
                  term::LocationId location);
  ExprId component(const Vector& vector, ExprId at, term::LocationId location);
  ExprId chosen(const Vector& options, ExprId at);
  template <class Body>
  auto under(ExprId condition, bool positive, Body body);
  static constexpr const char* only_values =
      "a body that is computed as an expression declares variables with their values and ends with "
      "`value`; assignments and loops stand in procedures";
  [[noreturn]] void fail(const char* code, std::string message, std::string advice,
                         term::LocationId location) const;
  [[noreturn]] void undefined(const char* code, std::string message,
                              term::LocationId location) const;
  std::string name(term::SymbolId symbol) const;

  // reduction_calls.cpp
  Value call(term::TermId term, const Environment& environment);
  Value applied(term::SymbolId symbol, std::vector<Value> arguments, term::LocationId location,
                bool of_rule);
  Value primitive(const onf::Primitive& primitive, term::TermId term,
                  const Environment& environment);
  Value array_call(term::SymbolId symbol, std::vector<Value> arguments, term::LocationId location);
  Value meaning(term::SymbolId symbol, std::vector<Value> arguments, term::LocationId location,
                bool of_rule);
  std::optional<Value> by_rules(const Equations& equations, term::SymbolId symbol,
                                std::span<const Value> arguments, const Vector* index,
                                bool of_rule = true);
  std::vector<Value> arguments_of(term::TermId term, const Environment& environment);
  ExprId apply(ScalarFunction function, std::span<const ExprId> operands,
               const onf::Representation& result, term::LocationId location);
  bool may_wrap(ScalarFunction function, std::span<const ExprId> operands);
  ExprId remainder(ExprId value, ExprId divisor);
  bool is_given(ExprId term) const;
  bool has_given_factor(ExprId term) const;
  bool orders_integers(ScalarFunction function, term::TermId term) const;
  void check_reach(std::span<const ExprId> operands, term::LocationId location);
  void check_divisor(ExprId divisor, term::LocationId location);
  void check_conversion(ExprId value, Scalar type, term::LocationId location);
  ExprId converted(ExprId value, Scalar type);
  void check_overflow(ScalarFunction function, std::span<const ExprId> operands,
                      term::LocationId location) const;
  ExprId represented(ExprId value, term::SortId sort);
  std::string shape_of(term::SymbolId symbol) const;
  [[noreturn]] void no_rule(const std::string& subject, bool stated,
                            term::LocationId location) const;

  // reduction_controls.cpp
  Value builtin(term::Builtin builtin, term::TermId term, const Environment& environment);
  ExprId connective(term::Builtin builtin, term::TermId term, const Environment& environment);
  ExprId equality(const Value& left, const Value& right, term::LocationId location);
  Value branch(term::TermId term, const Environment& environment);
  Value of_type(Value value, term::TermId term, const Environment& environment);
  Value fold(term::TermId term, const Environment& environment);
  bool chooses_by_number(ExprId expression) const;
  ExprId looped(term::TermId term, const Environment& environment, ExprId count);
  ExprId fold_of_nothing(term::TermId term, const Environment& environment);
  Value unrolled(term::TermId term, const Environment& environment, std::int64_t count);
  // reduction_folds.cpp
  std::optional<ArrayPointer> folded_array(term::TermId term, const Environment& environment,
                                           ExprId count);
  std::optional<ScalarFunction> pointwise_function(term::SymbolId operation, const Vector& shape,
                                                   Scalar element, term::LocationId location);
  ExprId folded_element(const ArrayValue& array, const Vector& index);
  Value forall(term::TermId term, const Environment& environment);
  ExprId forall_predicate(term::TermId term, ExprId count, const Environment& environment);
  ExprId forall_unrolled(term::TermId term, std::int64_t count, const Environment& environment);
  std::optional<ExprId> forall_chosen(term::TermId term, ExprId count,
                                      const Environment& environment);
  struct Counted {
    VariableId variable;
    ExprId body;
    bool certain;  // it holds at every index
  };
  Counted counted(term::TermId term, ExprId count, const Environment& environment,
                  std::vector<ExprId>* unmet);
  Value block(term::TermId term, const Environment& environment);

  // reduction_guards.cpp
  // Of conditions: the same whether they certainly do not hold, or turn out not to when they are
  // tested.
  static constexpr const char* of_guards = "E0608";
  static constexpr const char* of_lengths = "E0611";
  static constexpr const char* of_components = "E0609";
  static constexpr const char* of_divisors = "E0612";
  static constexpr const char* of_reach = "E0613";
  static constexpr const char* of_empty_folds = "E0614";
  // What is said where a condition does not hold; numbers that only the run knows, whose values
  // are told between the pieces of the text.
  struct Complaint {
    Complaint(std::string text) : message(std::move(text)), pieces{message} {}
    Complaint(const char* text) : Complaint(std::string(text)) {}
    Complaint& say(const std::string& text);
    // A number that `message` shows as `text`.
    Complaint& tell(ExprId number, const std::string& text);

    std::string message;
    std::vector<std::string> pieces;  // one more than numbers
    Vector numbers = {};
    VariableId index{};  // as in an assumption
    ExprId count{};
    std::vector<Assumption::Claim> claims = {};
  };
  void check_guard(const term::Callable& callable, std::span<const Value> arguments,
                   term::LocationId location);
  void require(term::TermId guard, const Environment& environment, const Complaint& before,
               term::LocationId location);
  bool require_each(term::TermId guard, const Environment& environment, const Complaint& before,
                    term::LocationId location);
  bool decide_each(term::TermId guard, const Environment& environment, const Complaint& before,
                   term::LocationId location);
  void claim_each(term::TermId guard, const Environment& environment, const Complaint& before,
                  Complaint& complaint);
  void demand(ExprId condition, const Complaint& complaint, term::LocationId location,
              const char* code = of_guards);
  void test_on_entry(ExprId condition, const Complaint& complaint, term::LocationId location,
                     const char* code = of_guards);
  std::size_t recorded() const;
  void forget_from(std::size_t count);
  Vector checked_lengths(Vector shape, const std::string& subject, term::LocationId location);
  ExprId on_entry(ExprId condition);
  ExprId under_path(ExprId condition, std::size_t path) const;
  ExprId for_all(ExprId condition, std::optional<VariableId> outer);
  ExprId at_all(ExprId condition, VariableId variable);
  bool is_reached();
  std::vector<VariableId> free_variables(ExprId expression) const;
  Complaint subject(const term::Callable& callable, std::span<const Value> arguments) const;
  Complaint explain(term::TermId condition, const Environment& environment,
                    const Complaint& before);
  Complaint explain_comparison(term::TermId condition, const Environment& environment,
                               const Complaint& before);
  std::optional<std::string> axes_text(term::TermId side, const Environment& environment);
  void tell(Complaint& complaint, const Value& value);
  std::string shown(ExprId value);
  struct Extent {
    term::TermId array;
    std::int64_t axis;
    bool counted;  // the axis is the index of a condition on all axes
  };
  std::optional<Extent> extent_of(term::TermId side, const Environment& environment);
  std::optional<std::string> compared_extents(term::TermId condition,
                                              const Environment& environment);

  class Inside;
  class Rounds;
  class EndsEarly;

  struct Key {
    std::uint32_t array;
    std::uint32_t context;
    Vector index;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  void allow_depth_of(term::TermId term);

  const Library::Contents& library_;
  const term::Store& store_;
  NormalForm& form_;
  Expressions& expressions_;
  Limits limits_;
  std::size_t nodes_;  // that were there before
  Facts facts_;
  ElementTypes types_;
  std::map<Key, ExprId> elements_;
  std::unordered_map<term::SymbolId, Value> constants_;
  std::unordered_map<term::TermId, ArrayPointer> stored_;
  std::map<std::string, std::size_t> uses_;  // rule -> its place in form_.uses
  std::uint32_t arrays_ = 0;
  std::uint32_t context_ = 0;
  std::uint32_t contexts_ = 0;
  std::size_t depth_ = 0;
  const char* stack_base_ = static_cast<const char*>(__builtin_frame_address(0));
  std::size_t rounds_ = 0;  // loops and elements around the present place, which may be none
  struct Loop {
    VariableId variable;
    ExprId some;   // it has rounds
    bool certain;  // that, from outside: within it is a fact
  };
  std::vector<Loop> loops_;   // those of them that are folds and conditions, outer ones first
  std::vector<ExprId> path_;  // the conditions under which the present place is evaluated
  // Where what a place asks for is collected instead of tested: of a condition on all indices.
  struct Collected {
    std::vector<ExprId>* conditions;
    VariableId variable;  // the index; those within it are closed over
    std::size_t path;     // the conditions that lead to it
  };
  std::optional<Collected> collected_;
  bool ends_early_ = false;  // within a condition on all indices, which is decided at one of them
};

// Facts and context are as they were afterwards, however the place is left.
class Reduction::Inside {
 public:
  explicit Inside(Reduction& self)
      : self_(self),
        mark_(self.facts_.mark()),
        context_(std::exchange(self.context_, ++self.contexts_)) {}
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() {
    self_.facts_.restore(mark_);
    self_.context_ = context_;
  }

 private:
  Reduction& self_;
  Facts::Mark mark_;
  std::uint32_t context_;
};

// Within a loop over 0 <= variable < count.
class Reduction::Rounds {
 public:
  Rounds(Reduction& self, VariableId variable, ExprId count) : self_(self), inside_(self) {
    const ExprId zero = self.expressions_.integer(0);
    const ExprId some = self.expressions_.apply(ScalarFunction::less, {zero, count});
    ++self.rounds_;
    self.loops_.push_back({variable, some, self.facts_.decide(some) == true});
    self.facts_.range(variable, zero, count);
  }
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;
  ~Rounds() {
    self_.loops_.pop_back();
    --self_.rounds_;
  }

 private:
  Reduction& self_;
  Inside inside_;
};

// Within a condition on all indices; what it asks for is collected there, where that is given.
class Reduction::EndsEarly {
 public:
  EndsEarly(Reduction& self, const std::optional<Collected>& collected)
      : self_(self),
        collected_(std::exchange(self.collected_, collected)),
        ends_early_(std::exchange(self.ends_early_, true)) {}
  EndsEarly(const EndsEarly&) = delete;
  EndsEarly& operator=(const EndsEarly&) = delete;
  ~EndsEarly() {
    self_.collected_ = collected_;
    self_.ends_early_ = ends_early_;
  }

 private:
  Reduction& self_;
  std::optional<Collected> collected_;
  bool ends_early_;
};

// Runs `body` with the condition (or its negation) among the facts.
template <class Body>
auto Reduction::under(ExprId condition, bool positive, Body body) {
  const Facts::Mark mark = facts_.mark();
  const std::uint32_t outer = std::exchange(context_, ++contexts_);
  facts_.assume(condition, positive);
  path_.push_back(positive ? condition : expressions_.apply(ScalarFunction::not_, {condition}));
  struct Leave {
    Reduction& self;
    Facts::Mark mark;
    std::uint32_t outer;
    ~Leave() {
      self.path_.pop_back();
      self.facts_.restore(mark);
      self.context_ = outer;
    }
  } leave{*this, mark, outer};
  return body();
}

}  // namespace rhopsi::moa
