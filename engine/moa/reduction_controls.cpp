// Conditions, folds, tabulations and blocks.
#include <algorithm>
#include <array>
#include <unordered_set>

#include "engine/moa/reduction.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::moa {

using term::Builtin;
using term::LocationId;
using term::SymbolId;
using term::TermId;

namespace {

// Counts up to this, as those of axes are, are written out; longer ones stay loops.
constexpr std::int64_t most_unrolled = 8;
// Where each step needs its own number, as `take(p, k)` does, this many are written out.
constexpr std::int64_t most_numbered = 256;
// Where the elements are those of a list, each another one, this many are written out.
constexpr std::int64_t most_listed = 32;

}  // namespace

Value Reduction::builtin(Builtin builtin, TermId term, const Environment& environment) {
  switch (builtin) {
    case Builtin::true_:
      return expressions_.boolean(true);
    case Builtin::false_:
      return expressions_.boolean(false);
    case Builtin::equal:
    case Builtin::not_equal: {
      const std::vector<Value> sides = arguments_of(term, environment);
      const ExprId equal = equality(sides[0], sides[1], store_.location(term));
      return builtin == Builtin::equal ? equal : expressions_.apply(ScalarFunction::not_, {equal});
    }
    default:
      return connective(builtin, term, environment);
  }
}

// The right side is asked only where the left one leaves the answer open, and then under what
// the left one says.
ExprId Reduction::connective(Builtin builtin, TermId term, const Environment& environment) {
  const ExprId left = scalar(store_.children(term)[0], environment);
  const auto known = facts_.decide(left);
  if (builtin == Builtin::not_) {
    if (known) return expressions_.boolean(!*known);
    return expressions_.apply(ScalarFunction::not_, {left});
  }
  const TermId right_term = store_.children(term)[1];
  if (builtin == Builtin::iff) {
    const ExprId right = scalar(right_term, environment);
    return expressions_.apply(ScalarFunction::iff, {left, right});
  }
  const bool asks_if = builtin != Builtin::or_;  // the right side matters if the left one holds
  if (known && *known != asks_if) return expressions_.boolean(builtin != Builtin::and_);
  if (known) return scalar(right_term, environment);
  const ExprId right = under(left, asks_if, [&] { return scalar(right_term, environment); });
  const ScalarFunction function = builtin == Builtin::and_  ? ScalarFunction::and_
                                  : builtin == Builtin::or_ ? ScalarFunction::or_
                                                            : ScalarFunction::implies;
  const ExprId result = expressions_.apply(function, {left, right});
  if (const auto whole = facts_.decide(result)) return expressions_.boolean(*whole);
  return result;
}

ExprId Reduction::equality(const Value& left, const Value& right, LocationId location) {
  ExprId result = expressions_.boolean(true);
  if (const Vector* a = std::get_if<Vector>(&left)) {
    const Vector& b = std::get<Vector>(right);
    if (a->size() != b.size()) return expressions_.boolean(false);
    for (std::size_t k = 0; k < a->size(); ++k) {
      const ExprId same = expressions_.apply(ScalarFunction::equal, {(*a)[k], b[k]});
      result = expressions_.apply(ScalarFunction::and_, {result, same});
    }
  } else if (const ExprId* value = std::get_if<ExprId>(&left)) {
    result = expressions_.apply(ScalarFunction::equal, {*value, std::get<ExprId>(right)});
  } else {
    fail("E0532", "whole arrays cannot be compared inside an expression", "compare their elements",
         location);
  }
  if (const auto known = facts_.decide(result)) return expressions_.boolean(*known);
  return result;
}

Value Reduction::branch(TermId term, const Environment& environment) {
  const ExprId condition = scalar(store_.children(term)[0], environment);
  const TermId then_term = store_.children(term)[1];
  const TermId else_term = store_.children(term)[2];
  if (const auto known = facts_.decide(condition)) {
    return of_type(evaluate(*known ? then_term : else_term, environment), term, environment);
  }
  Value then = under(condition, true, [&] { return evaluate(then_term, environment); });
  Value otherwise = under(condition, false, [&] { return evaluate(else_term, environment); });
  const auto select = [&](ExprId a, ExprId b) { return expressions_.select(condition, a, b); };
  const auto select_all = [&](const Vector& a, const Vector& b) {
    if (a.size() != b.size()) {
      fail("E0531",
           "the branches have " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
               " axes, and the condition is not known before the run",
           "", store_.location(term));
    }
    Vector chosen;
    for (std::size_t k = 0; k < a.size(); ++k) chosen.push_back(select(a[k], b[k]));
    return chosen;
  };
  if (const ExprId* value = std::get_if<ExprId>(&then)) {
    return select(*value, std::get<ExprId>(otherwise));
  }
  if (const Vector* value = std::get_if<Vector>(&then)) {
    return select_all(*value, std::get<Vector>(otherwise));
  }
  ArrayValue choice;
  choice.kind = ArrayValue::Kind::choice;
  choice.shape =
      select_all(std::get<ArrayPointer>(then)->shape, std::get<ArrayPointer>(otherwise)->shape);
  choice.element = promoted(type_of(then), type_of(otherwise));
  choice.condition = condition;
  choice.arguments = {std::move(then), std::move(otherwise)};
  choice.location = store_.location(term);
  return make(std::move(choice));
}

// A number that promotes has the type of both branches, also where one of them is chosen now.
Value Reduction::of_type(Value value, TermId term, const Environment& environment) {
  const onf::Representation* found = library_.representation(store_.sort(term));
  if (found == nullptr) return value;
  if (found->kind == onf::Representation::Kind::array) {
    const ArrayPointer& array = std::get<ArrayPointer>(value);
    const Scalar type = types_.of(term, types_in(environment));
    if (array->element == type) return value;
    ArrayValue wider = *array;
    wider.kind = ArrayValue::Kind::choice;
    wider.condition = expressions_.boolean(true);
    wider.arguments = {value, value};
    wider.element = type;
    return make(std::move(wider));
  }
  if (!found->promotes) return value;
  return expressions_.converted(std::get<ExprId>(value), types_.of(term, types_in(environment)));
}

// Folds of integers are of index arithmetic and are written out where their length is known;
// folds of elements stay folds.
Value Reduction::fold(TermId term, const Environment& environment) {
  const LocationId location = store_.location(term);
  const ExprId count = scalar(store_.children(term)[0], environment);
  const onf::Representation* type = library_.representation(store_.sort(term));
  const onf::Primitive* primitive = library_.primitive(store_.head(term).operation);
  const auto known = expressions_.constant(count);
  const bool element = type != nullptr && (type->promotes || type->scalar != Scalar::int64);
  const bool scalar_function =
      primitive != nullptr && primitive->kind == onf::Primitive::Kind::scalar;
  const bool write_out =
      known && *known > 0 && *known <= most_unrolled && (!element || !scalar_function);
  if (write_out) return unrolled(term, environment, *known);
  // Nothing is asked of the elements of a fold that the facts leave empty.
  const ExprId some = expressions_.apply(ScalarFunction::less, {expressions_.integer(0), count});
  if (scalar_function && facts_.decide(some) == false) return fold_of_nothing(term, environment);
  if (!scalar_function && library_.is_array(store_.sort(term))) {
    if (auto folded = folded_array(term, environment, count)) return *folded;
  }
  if (!scalar_function) {
    fail("E0532",
         "a fold by `" + name(store_.head(term).operation) + "` over a length that is not known",
         "fold by an operation on scalars of the backend", location);
  }
  if (!known || *known > most_numbered || element) return looped(term, environment, count);
  const std::size_t depth = depth_;
  try {
    const ExprId loop = looped(term, environment, count);
    if (*known > most_listed || *known <= 0 || !chooses_by_number(loop)) return loop;
    return unrolled(term, environment, *known);
  } catch (const Failure& failure) {
    if (failure.problem.code != "E0531") throw;
    depth_ = depth;
    return unrolled(term, environment, *known);
  }
}

// Does it count over a list of numbers, as the components of a literal are chosen?
bool Reduction::chooses_by_number(ExprId expression) const {
  if (expressions_.reads(expression)) return false;
  std::unordered_set<VariableId> counted;
  expressions_.any(expression, [&](ExprId id) {
    if (expressions_[id].kind == Node::Kind::fold) counted.insert(expressions_[id].variable);
    return false;
  });
  return expressions_.any(expression, [&](ExprId id) {
    const Node& node = expressions_[id];
    if (node.kind != Node::Kind::apply || node.function != ScalarFunction::equal) return false;
    const Node& left = expressions_[node.operands[0]];
    return left.kind == Node::Kind::variable && counted.contains(left.variable) &&
           expressions_.constant(node.operands[1]).has_value();
  });
}

ExprId Reduction::looped(TermId term, const Environment& environment, ExprId count) {
  const SymbolId index = store_.bound(term)[0];
  const onf::Primitive* primitive = library_.primitive(store_.head(term).operation);
  const VariableId variable = expressions_.make_variable(name(index));
  const ExprId body = [&] {
    const Rounds rounds(*this, variable, count);
    const Environment inner{&environment, {{index, expressions_.variable(variable)}}};
    return scalar(store_.children(term)[1], inner);
  }();
  const ExprId folded = expressions_.fold(primitive->function, variable, count, body);
  const ExprId result = represented(folded, store_.sort(term));
  if (expressions_[folded].kind == Node::Kind::fold &&
      !expressions_.unit(primitive->function, expressions_[folded].type)) {
    const ExprId nonempty =
        expressions_.apply(ScalarFunction::less, {expressions_.integer(0), count});
    const std::string message =
        "a fold by `" + name(store_.head(term).operation) + "` of nothing has no value";
    const auto known = facts_.decide(nonempty);
    if (known != true && (limits_.assume_defined || ends_early_)) {
      demand(nonempty, message, store_.location(term), of_empty_folds);
    } else if (known != true) {
      fail("E0531", message, "", store_.location(term));
    }
  }
  return result;
}

ExprId Reduction::fold_of_nothing(TermId term, const Environment& environment) {
  const SymbolId operation = store_.head(term).operation;
  const ScalarFunction function = library_.primitive(operation)->function;
  TypeScope scope = types_in(environment);
  const Scalar type = types_.of(term, scope);
  scope.emplace_back(store_.bound(term)[0], Scalar::int64);
  const Scalar body = types_.of(store_.children(term)[1], scope);
  if (expressions_.unit(function, type)) {
    // That of the elements, which are truth values where the result is a number.
    const VariableId none = expressions_.make_variable(name(store_.bound(term)[0]));
    const ExprId any = body == Scalar::boolean
                           ? expressions_.boolean(true)
                           : expressions_.converted(expressions_.integer(0), type);
    const ExprId unit = expressions_.fold(function, none, expressions_.integer(0), any);
    return represented(unit, store_.sort(term));
  }
  undefined(of_empty_folds, "a fold by `" + name(operation) + "` of nothing has no value",
            store_.location(term));
}

// Arrays are folded in this way only, by an operation that has axioms.
Value Reduction::unrolled(TermId term, const Environment& environment, std::int64_t count) {
  const SymbolId operation = store_.head(term).operation;
  const SymbolId index = store_.bound(term)[0];
  const TermId body = store_.children(term)[1];
  const onf::Primitive* primitive = library_.primitive(operation);
  std::vector<Value> elements;
  for (std::int64_t k = 0; k < count; ++k) {
    const Environment inner{&environment, {{index, expressions_.integer(k)}}};
    elements.push_back(evaluate(body, inner));
  }
  // The product of the lengths of an array without elements is 0, however long the others are.
  if (primitive != nullptr && primitive->function == ScalarFunction::multiply) {
    std::ranges::stable_partition(elements, [this](const Value& value) {
      const ExprId* number = std::get_if<ExprId>(&value);
      return number != nullptr && expressions_[*number].type == Scalar::int64 &&
             expressions_.constant(*number) == 0;
    });
  }
  std::optional<Value> total;
  for (Value& next : elements) {
    if (!total) {
      total = std::move(next);
    } else if (primitive != nullptr) {
      const std::vector<ExprId> operands{std::get<ExprId>(*total), std::get<ExprId>(next)};
      total = represented(apply(primitive->function, operands,
                                *library_.representation(store_.sort(term)), store_.location(term)),
                          store_.sort(term));
    } else {
      total = applied(operation, {std::move(*total), std::move(next)}, store_.location(term),
                      environment.is_of_rule());
    }
  }
  return *total;
}

Value Reduction::forall(TermId term, const Environment& environment) {
  const LocationId location = store_.location(term);
  const SymbolId index = store_.bound(term)[0];
  const TermId body = store_.children(term)[1];
  Value extent = evaluate(store_.children(term)[0], environment);
  if (library_.is_array(store_.sort(term))) {
    ArrayValue table;
    table.kind = ArrayValue::Kind::tabled;
    const ExprId* length = std::get_if<ExprId>(&extent);
    table.shape = checked_lengths(length != nullptr ? Vector{*length} : std::get<Vector>(extent),
                                  "`" + term::to_string(store_, term) + "`", location);
    table.symbol = index;
    table.body = body;
    table.element = types_.of(term, types_in(environment));
    auto kept = std::make_shared<Environment>();
    kept->of_rule = environment.is_of_rule();
    for (const Environment* scope = &environment; scope != nullptr; scope = scope->parent) {
      kept->values.insert(kept->values.begin(), scope->values.begin(), scope->values.end());
    }
    table.environment = std::move(kept);
    table.location = location;
    return make(std::move(table));
  }
  const ExprId* count = std::get_if<ExprId>(&extent);
  if (count == nullptr) {
    fail("E0532", "this `forall` goes over the components of a length, not over indices", "",
         location);
  }
  if (store_.sort(term) == store_.predicate_sort()) {
    return forall_predicate(term, *count, environment);
  }
  const auto known = expressions_.constant(*count);
  if (!known) {
    fail("E0531", "the number of components of this index vector is not known", "", location);
  }
  if (*known < 0 && path_.empty()) {
    undefined("E0611", "an index vector of " + std::to_string(*known) + " components", location);
  }
  Vector components;
  for (std::int64_t k = 0; k < *known; ++k) {
    const Environment inner{&environment, {{index, expressions_.integer(k)}}};
    components.push_back(scalar(body, inner));
  }
  return components;
}

// Written out: each is asked for only where those before it hold. What they need is demanded, since
// one that certainly does not hold drops the others.
ExprId Reduction::forall_unrolled(TermId term, std::int64_t count, const Environment& environment) {
  const SymbolId index = store_.bound(term)[0];
  const EndsEarly early(*this, collected_);
  ExprId all = expressions_.boolean(true);
  for (std::int64_t k = 0; k < count; ++k) {
    const Environment inner{&environment, {{index, expressions_.integer(k)}}};
    const auto ask = [&] { return scalar(store_.children(term)[1], inner); };
    const ExprId here = expressions_.constant(all) ? ask() : under(all, true, ask);
    if (facts_.decide(here) == false) return expressions_.boolean(false);
    all = expressions_.apply(ScalarFunction::and_, {all, here});
  }
  return all;
}

// The condition at an index below `count`. All that its elements ask for is demanded, since
// programs would test it at every index; with `unmet` it is put there.
Reduction::Counted Reduction::counted(TermId term, ExprId count, const Environment& environment,
                                      std::vector<ExprId>* unmet) {
  const SymbolId index = store_.bound(term)[0];
  const VariableId variable = expressions_.make_variable(name(index));
  std::optional<Collected> collected = collected_;
  if (unmet != nullptr) collected = Collected{unmet, variable, path_.size()};
  const EndsEarly early(*this, collected);
  const Rounds rounds(*this, variable, count);
  const Environment inner{&environment, {{index, expressions_.variable(variable)}}};
  const ExprId body = scalar(store_.children(term)[1], inner);
  return {variable, body, facts_.decide(body) == true};
}

// A count that is one of two small numbers, `if c then 0 else 2`: written out for either, so that
// what leads to a number is known of each index below it.
std::optional<ExprId> Reduction::forall_chosen(TermId term, ExprId count,
                                               const Environment& environment) {
  const Node choice = expressions_[count];
  if (choice.kind != Node::Kind::select) return std::nullopt;
  const ExprId condition = choice.operands[0];
  std::array<std::int64_t, 2> counts{};
  for (std::size_t k = 0; k < 2; ++k) {
    const auto known = expressions_.constant(choice.operands[k + 1]);
    if (!known || *known > most_unrolled) return std::nullopt;
    counts[k] = *known;
  }
  ExprId all = expressions_.boolean(true);
  for (std::size_t k = 0; k < 2; ++k) {
    const ExprId here = k == 0 ? condition : expressions_.apply(ScalarFunction::not_, {condition});
    const ExprId holds =
        under(condition, k == 0, [&] { return forall_unrolled(term, counts[k], environment); });
    all = expressions_.apply(ScalarFunction::and_,
                             {all, expressions_.apply(ScalarFunction::implies, {here, holds})});
  }
  return all;
}

// It is decided at the first index where it does not hold: what is asked for at later ones need
// not exist. So the tests on entry go as far as that index, which is found without asking for
// anything that is not there,
//   rounds = min(count, fold minimum (k < count) (if there(k) and body(k) then count else k + 1))
ExprId Reduction::forall_predicate(TermId term, ExprId count, const Environment& environment) {
  const auto known = expressions_.constant(count);
  if (known && *known <= most_unrolled) return forall_unrolled(term, *known, environment);
  if (const auto chosen = forall_chosen(term, count, environment)) return *chosen;
  std::vector<ExprId> unmet;
  const Counted all = counted(term, count, environment, &unmet);
  if (all.certain) {
    if (!unmet.empty()) counted(term, count, environment, nullptr);
    return expressions_.boolean(true);
  }
  const ExprId index = expressions_.variable(all.variable);
  ExprId holds = all.body;
  for (auto it = unmet.rbegin(); it != unmet.rend(); ++it) {
    holds = expressions_.apply(ScalarFunction::and_, {*it, holds});
  }
  if (!unmet.empty()) {
    const ExprId next = expressions_.add(index, expressions_.integer(1));
    const ExprId first = expressions_.fold(ScalarFunction::minimum, all.variable, count,
                                           expressions_.select(holds, count, next));
    const ExprId rounds = expressions_.apply(ScalarFunction::minimum, {count, first});
    counted(term, rounds, environment, nullptr);
  }
  return expressions_.fold(ScalarFunction::and_, all.variable, count, holds);
}

// A value block: its declarations in order, then its value.
Value Reduction::block(TermId term, const Environment& environment) {
  Environment inner;
  inner.parent = &environment;
  const std::size_t count = store_.children(term).size();
  for (std::size_t k = 0; k < count; ++k) {
    const TermId statement = store_.children(term)[k];
    if (store_.is(statement, term::Control::value)) {
      return evaluate(store_.children(statement)[0], inner);
    }
    if (!store_.is(statement, term::Control::declare) || store_.children(statement).size() != 2) {
      fail("E0532", "this statement has no place in an expression", only_values,
           store_.location(statement));
    }
    const SymbolId variable = store_.symbol(store_.children(statement)[0]);
    Value value = evaluate(store_.children(statement)[1], inner);
    inner.values.emplace_back(variable, std::move(value));
  }
  fail("E0532", "this block has no value", "", store_.location(term));
}

}  // namespace rhopsi::moa
