#include "frontend/driver/judge.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "backends/reference/arrays.hpp"
#include "backends/reference/definitions.hpp"
#include "backends/reference/evaluator.hpp"
#include "backends/reference/numbers.hpp"
#include "backends/reference/scalars.hpp"
#include "engine/term/operations.hpp"
#include "frontend/driver/value_difference.hpp"

namespace rhopsi::driver {

using onf::Primitive;
using onf::Representation;
using reference::Array;
using reference::Index;
using reference::Value;
using term::SymbolId;
using term::TermId;
using Ruling = Judgement::Kind;

// One of the two evaluators.
class Judge::Evaluation {
 public:
  Evaluation(term::Store& store, const term::Theory& theory, const onf::PrimitiveTable& table) {
    reference::DefinitionLimits limits;
    limits.elements = 100'000;
    definitions_ = std::make_unique<reference::Definitions>(store, theory, table, limits);
  }
  Evaluation(const term::Store& store, const term::Theory& theory, const onf::PrimitiveTable& table,
             reference::Options options)
      : program_(std::make_unique<reference::Evaluator>(store, theory, table, std::move(options))) {
  }

  tl::expected<Value, reference::Error> operator()(TermId term,
                                                   const std::map<SymbolId, Value>& values) {
    return definitions_ ? definitions_->evaluate(term, values) : program_->evaluate(term, values);
  }

 private:
  std::unique_ptr<reference::Definitions> definitions_;
  std::unique_ptr<reference::Evaluator> program_;
};

namespace {

// What the values are to blame for, and not the evaluators.
bool is_of_the_values(const reference::Error& error) {
  namespace codes = reference::codes;
  for (const char* code :
       {codes::assertion, codes::guard, codes::index_range, codes::stale_padding, codes::shapes,
        codes::division_by_zero, codes::integer_range, codes::empty_fold}) {
    if (error.code == code) return true;
  }
  return false;
}

// Definitions have no place for them.
bool has_statements(const term::Store& store, TermId term) {
  bool found = false;
  term::for_each_subterm(store, term, [&](TermId subterm) {
    found = found || store.is(subterm, term::Control::assign) ||
            store.head(subterm).kind == term::SymbolKind::procedure;
    return !found;
  });
  return found;
}

bool has_statements(const term::Store& store, const term::Claim& claim) {
  return std::ranges::any_of(term::terms_of(claim),
                             [&](TermId each) { return has_statements(store, each); });
}

std::string access_text(const term::Store& store, const reference::Access& access) {
  return fmt::format("it reads element {} of {}, whose shape is {}",
                     value_text(Value(Index(access.index))), term::to_string(store, access.array),
                     value_text(Value(Index(access.shape))));
}

Judgement without_value(const reference::Error& error) {
  if (is_of_the_values(error)) return {Ruling::nothing_said, {}};
  return {Ruling::not_computed, error.message};
}

}  // namespace

Judge::Judge(term::Store& store, const term::Theory& theory, const onf::PrimitiveTable& promoting,
             const onf::PrimitiveTable& real, const std::vector<SymbolId>& parameters,
             const term::Claim& claim, const std::vector<const term::Axiom*>& invariants,
             const verify::Domain* domain)
    : store_(store),
      theory_(theory),
      promoting_(promoting),
      real_(real),
      claim_(claim),
      domain_(domain) {
  for (const term::Axiom* axiom : invariants) {
    for (term::Claim& each : term::claims_of(store, *axiom)) {
      invariants_.emplace_back(axiom->parameters[0], std::move(each));
    }
  }
  find_operations();
  choose_evaluator();
  find_unknowns(parameters);
}

Judge::~Judge() = default;

// ---------------------------------------------------------------- what is unknown

// Those of the claim and of the invariants, of the axioms about them, of bodies and guards, and
// what externals require.
void Judge::find_operations() {
  std::map<SymbolId, std::vector<TermId>> rights;
  for (const term::Rule& rule : term::rules_of(store_, theory_).rules) {
    for (SymbolId each : term::operations_in(store_, rule.left)) rights[each].push_back(rule.right);
  }
  std::set<SymbolId> seen;
  const auto add = [&](TermId term) {
    for (SymbolId each : term::operations_in(store_, term)) {
      if (seen.insert(each).second) operations_.push_back(each);
    }
  };
  const auto add_claim = [&](const term::Claim& claim) {
    add(claim.left);
    if (claim.right) add(*claim.right);
    if (claim.condition) add(*claim.condition);
  };
  add_claim(claim_);
  if (domain_ != nullptr) {
    for (TermId each : domain_->conditions) add(each);
    if (domain_->guard) add(*domain_->guard);
    if (domain_->shape) add(*domain_->shape);
  }
  for (const auto& [parameter, claim] : invariants_) add_claim(claim);
  for (std::size_t k = 0; k < operations_.size(); ++k) {
    const auto found = rights.find(operations_[k]);
    if (found != rights.end()) std::ranges::for_each(found->second, add);
    const term::Callable* callable = theory_.find(operations_[k]);
    if (callable == nullptr) continue;
    if (callable->guard) add(*callable->guard);
    if (callable->body) add(*callable->body);
    if (!callable->external) continue;
    for (const auto& operation : callable->external->block->operations) {
      if (operation.required && seen.insert(operation.symbol).second) {
        operations_.push_back(operation.symbol);
      }
    }
  }
}

std::vector<TermId> Judge::bodies() const {
  std::vector<TermId> found;
  for (const SymbolId operation : operations_) {
    const term::Callable* callable = theory_.find(operation);
    if (callable == nullptr) continue;
    if (callable->guard) found.push_back(*callable->guard);
    if (callable->body) found.push_back(*callable->body);
  }
  return found;
}

// Which evaluator gives a meaning to all of them.
void Judge::choose_evaluator() {
  std::set<Primitive::Kind> kinds;
  for (SymbolId operation : operations_) {
    const term::Callable* callable = theory_.find(operation);
    if (callable == nullptr || !callable->external) continue;
    const auto found = onf::primitive_of(store_, theory_, *callable, real_);
    if (found) kinds.insert(found->kind);
  }
  using enum Primitive::Kind;
  const bool own_shapes = kinds.contains(shape);
  as_program_ =
      (kinds.contains(load) && !own_shapes) || std::ranges::any_of(kinds, [](Primitive::Kind kind) {
        return kind == index || kind == extent || kind == pointwise || kind == whole_array ||
               kind == mutate || kind == schedule || kind == parameter;
      });
  over_domain_ = as_program_ && !own_shapes;
  as_program_ = as_program_ || has_statements(store_, claim_) ||
                std::ranges::any_of(operations_, [&](SymbolId operation) {
                  const term::Callable* callable = theory_.find(operation);
                  return callable != nullptr && callable->body &&
                         store_[operation].kind == term::SymbolKind::function &&
                         has_statements(store_, *callable->body);
                });
  if (!over_domain_) return;
  // Elsewhere in the theory arrays may have shapes of their own.
  std::erase_if(theory_.callables, [&](const term::Callable& callable) {
    const auto found = onf::primitive_of(store_, theory_, callable, real_);
    return found && found->kind == shape;
  });
}

void Judge::add_unknown(SymbolId symbol, bool constant) {
  const term::SortId sort = store_[symbol].result;
  std::optional<Representation> found;
  if (sort == store_.predicate_sort()) {
    found = Representation{Representation::Kind::scalar, onf::Scalar::boolean, {}, false};
  } else {
    found = onf::representation_of(store_, theory_, sort, table());
  }
  if (!found) {
    problem_ = "nothing says what values the type " + store_.name(sort) + " has";
  } else if (found->kind == Representation::Kind::opaque) {
    problem_ = "values of the type " + store_.name(sort) + " are made by C++ alone";
  } else {
    unknowns_.push_back({symbol, *found, constant});
  }
}

void Judge::find_unknowns(const std::vector<SymbolId>& parameters) {
  for (SymbolId symbol : parameters) add_unknown(symbol, false);
  std::set<SymbolId> defined;
  for (const term::Rule& rule : term::rules_of(store_, theory_).rules) {
    if (store_.children(rule.left).empty()) defined.insert(store_.symbol(rule.left));
  }
  for (SymbolId symbol : operations_) {
    const term::Callable* callable = theory_.find(symbol);
    if (callable == nullptr || callable->body || !store_[symbol].parameters.empty()) continue;
    if (defined.contains(symbol)) continue;
    if (callable->external) {
      const auto found = onf::primitive_of(store_, theory_, *callable, real_);
      if (!found || found->kind != Primitive::Kind::parameter) continue;
    }
    add_unknown(symbol, true);
  }
}

// ---------------------------------------------------------------- values

term::SortId Judge::integer_sort() const {
  for (const term::Type& type : theory_.types) {
    const auto found = onf::representation_of(store_, theory_, type.sort, table());
    if (found && found->kind == Representation::Kind::scalar && !found->promotes &&
        found->scalar == onf::Scalar::int64) {
      return type.sort;
    }
  }
  return store_.predicate_sort();
}

// Gives the operation that value in the theory.
bool Judge::define(SymbolId symbol, const Value& value) {
  term::Callable* callable = theory_.find(symbol);
  const term::SortId sort = store_[symbol].result;
  const auto integer = [&](std::int64_t number, term::SortId of) {
    return store_.make(store_.integer_literal(number, of), {});
  };
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    callable->body = integer(*number, sort);
  } else if (const auto* real = std::get_if<double>(&value)) {
    callable->body = store_.make(store_.real_literal(fmt::format("{}", *real), sort), {});
  } else if (const auto* truth = std::get_if<bool>(&value); truth != nullptr) {
    const auto which = *truth ? term::Builtin::true_ : term::Builtin::false_;
    callable->body = store_.make(term::builtin_symbol(store_, which, store_.predicate_sort()), {});
  } else if (const auto* index = std::get_if<Index>(&value)) {
    std::vector<TermId> components;
    for (std::int64_t each : *index) components.push_back(integer(each, integer_sort()));
    callable->body = store_.make(store_.control(term::Control::vector_, sort), components);
  } else {
    return false;
  }
  return true;
}

// An evaluator for what is constant in the sample.
void Judge::prepare(const Sample& sample) {
  Sample constants;
  constants.domain = sample.domain;
  for (const Unknown& unknown : unknowns_) {
    if (unknown.constant) constants.values[unknown.symbol] = sample.values.at(unknown.symbol);
  }
  if (evaluation_ && constants.values == prepared_.values && constants.domain == prepared_.domain) {
    return;
  }
  evaluation_.reset();  // before what it reads changes
  reference::Options options;
  if (sample.domain) options.domain = *sample.domain;
  for (const auto& [symbol, value] : constants.values) {
    if (theory_.find(symbol)->external) {
      const auto* real = std::get_if<double>(&value);
      const auto* number = std::get_if<std::int64_t>(&value);
      if (real != nullptr) options.parameters[store_[symbol].name] = *real;
      if (number != nullptr) options.parameters[store_[symbol].name] = *number;
    } else if (!define(symbol, value)) {
      problem_ = "an operation without arguments, " + store_[symbol].name +
                 ", would need values that no literal says";
    }
  }
  prepared_ = std::move(constants);
  evaluation_ = as_program_
                    ? std::make_unique<Evaluation>(store_, theory_, table(), std::move(options))
                    : std::make_unique<Evaluation>(store_, theory_, table());
}

// ---------------------------------------------------------------- judging

bool Judge::invariants_hold(const Sample& sample) {
  for (const auto& [parameter, claim] : invariants_) {
    for (const auto& [symbol, value] : sample.values) {
      if (store_[symbol].result != store_[parameter].result) continue;
      const auto left = (*evaluation_)(claim.left, {{parameter, value}});
      if (!left) return false;
      if (!claim.right) {
        if (!std::get<bool>(*left)) return false;
        continue;
      }
      const auto right = (*evaluation_)(*claim.right, {{parameter, value}});
      if (!right || !same(*left, *right)) return false;
    }
  }
  return true;
}

Judgement Judge::compare(const Sample& sample) {
  Evaluation& evaluate = *evaluation_;
  if (!invariants_hold(sample)) return {};
  if (claim_.condition) {
    const auto condition = evaluate(*claim_.condition, sample.values);
    if (!condition) return without_value(condition.error());
    if (!std::get<bool>(*condition)) return {};
  }
  const auto left = evaluate(claim_.left, sample.values);
  if (!left) return without_value(left.error());
  if (!claim_.right) {
    if (std::get<bool>(*left)) return {Ruling::holds, {}, false, *left};
    return {Ruling::fails, "it is false"};
  }
  const auto right = evaluate(*claim_.right, sample.values);
  if (!right) {
    if (!is_of_the_values(right.error())) return {Ruling::not_computed, right.error().message};
    return {Ruling::fails,
            "the left side is " + value_text(*left) +
                ", the right side has no value: " + right.error().message,
            true};
  }
  if (same(*left, *right)) return {Ruling::holds, {}, false, *left};
  return difference(*left, *right);
}

// Where the definition need have no value: what to say of the sample.
std::optional<Judgement> Judge::outside(const Sample& sample) {
  Evaluation& evaluate = *evaluation_;
  if (!invariants_hold(sample)) return Judgement{};
  std::vector<TermId> conditions = domain_->conditions;
  if (domain_->guard) conditions.push_back(*domain_->guard);
  for (TermId each : conditions) {
    const auto condition = evaluate(each, sample.values);
    if (!condition) return without_value(condition.error());
    if (!std::get<bool>(*condition)) return Judgement{};
  }
  if (!domain_->shape) return std::nullopt;
  const auto shape = evaluate(*domain_->shape, sample.values);
  if (!shape) return without_value(shape.error());
  const Index& lengths = std::get<Index>(*shape);
  const Index& index = std::get<Index>(sample.values.at(*domain_->index));
  const auto inside = [](std::int64_t at, std::int64_t length) { return 0 <= at && at < length; };
  const bool within = index.size() == lengths.size() && std::ranges::equal(index, lengths, inside);
  return within ? std::nullopt : std::optional<Judgement>(Judgement{});
}

Judgement Judge::judge_domain(const Sample& sample) {
  if (auto judgement = outside(sample)) return std::move(*judgement);
  const auto right = (*evaluation_)(domain_->right, sample.values);
  if (!right) {
    const reference::Error& error = right.error();
    const bool wrong = error.code == reference::codes::guard || error.access ||
                       error.code == reference::codes::index_range;
    if (!wrong) return without_value(error);
    return {Ruling::fails, error.access ? access_text(store_, *error.access)
                                        : "the right side has no value: " + error.message};
  }
  const Index* lengths = std::get_if<Index>(&*right);
  if (domain_->part != verify::Domain::Part::shape || lengths == nullptr)
    return {Ruling::holds, {}};
  const auto negative = std::ranges::find_if(*lengths, [](std::int64_t each) { return each < 0; });
  if (negative == lengths->end()) return {Ruling::holds, {}};
  return {Ruling::fails, fmt::format("its shape is {}: the length on axis {} is negative",
                                     value_text(*right), negative - lengths->begin())};
}

Judgement Judge::judge(const Sample& sample) {
  prepare(sample);
  if (!problem_.empty()) return {Ruling::not_computed, problem_};
  if (domain_ != nullptr) return judge_domain(sample);
  const std::uint64_t before = reference::inexact_results();
  const std::uint64_t poles = reference::poles();
  Judgement judgement = compare(sample);
  judgement.pole = reference::poles() != poles;
  judgement.exact = !as_program_ && !judgement.real && reference::inexact_results() == before;
  return judgement;
}

void fill(Sample& sample, Samples& samples, const Judge& judge, bool constant) {
  samples.begin(sample.domain);
  for (const bool array : {true, false}) {
    for (const Judge::Unknown& unknown : judge.unknowns()) {
      const bool is_array = unknown.representation.kind == Representation::Kind::array;
      if (unknown.constant != constant || is_array != array) continue;
      sample.values[unknown.symbol] = *samples.of(unknown.representation);
    }
  }
}

std::vector<std::pair<std::string, std::string>> named_values(const term::Store& store,
                                                              const Judge& judge,
                                                              const Sample& sample) {
  std::vector<std::pair<std::string, std::string>> values;
  if (sample.domain) values.emplace_back("the domain", value_text(*sample.domain));
  for (const bool constant : {false, true}) {
    for (const Judge::Unknown& unknown : judge.unknowns()) {
      if (unknown.constant != constant) continue;
      const std::string name = store[unknown.symbol].name + (constant ? "()" : "");
      const Value& value = sample.values.at(unknown.symbol);
      const auto* array = std::get_if<Array>(&value);
      // Integers and reals are told by their digits.
      const bool truths = array != nullptr && array->element == onf::Scalar::boolean;
      values.emplace_back(name, value_text(value) + (truths ? ", of bool" : ""));
    }
  }
  return values;
}

}  // namespace rhopsi::driver
