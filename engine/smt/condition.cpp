#include "engine/smt/condition.hpp"

#include <algorithm>

#include "engine/rewrite/reals.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::smt {

using term::Arithmetic;
using term::Control;
using term::Store;
using term::SymbolKind;
using term::TermId;

namespace {

// Definitions may be nested, and wrongly so in a circle; deeper terms are constants.
constexpr int deepest = 200;

bool gives_integer(Arithmetic meaning) {
  return meaning >= Arithmetic::add && meaning <= Arithmetic::length;
}

bool is_call(const term::Symbol& head) {
  return head.kind == SymbolKind::function || head.kind == SymbolKind::predicate;
}

}  // namespace

ConditionEncoding::ConditionEncoding(z3::context& context, const Store& store,
                                     const term::Interpretation& interpretation,
                                     std::span<const TermId> terms)
    : context_(context), store_(store), interpretation_(interpretation) {
  collect_integers(terms);
}

// What is added or compared by size has the sort of integers; equality alone says nothing, since
// reals have it as well.
void ConditionEncoding::collect_integers(std::span<const TermId> terms) {
  std::vector<TermId> work(terms.begin(), terms.end());
  std::set<TermId> seen;
  while (!work.empty()) {
    const TermId term = work.back();
    work.pop_back();
    if (!seen.insert(term).second) continue;
    const term::Symbol& head = store_.head(term);
    if (is_call(head)) {
      const Arithmetic meaning = rewrite::meaning_of(store_, interpretation_, store_.symbol(term));
      if (gives_integer(meaning)) integers_.insert(head.result);
      if (rewrite::interprets_integers(meaning)) {
        integers_.insert(head.parameters.begin(), head.parameters.end());
      }
      if (const auto definition = rewrite::definition_of(interpretation_, store_.symbol(term))) {
        work.push_back(*definition);
      }
    }
    const auto children = store_.children(term);
    work.insert(work.end(), children.begin(), children.end());
  }
}

bool ConditionEncoding::is_integer(TermId term) const {
  return integers_.contains(store_.sort(term));
}

z3::sort ConditionEncoding::sort_of(TermId term) {
  if (store_.sort(term) == store_.predicate_sort()) return context_.bool_sort();
  if (is_integer(term)) return context_.int_sort();
  return context_.uninterpreted_sort(sort_name(term).c_str());
}

// As in `signature_`: Z3's own texts of sorts and functions take as long as all the rest.
std::string ConditionEncoding::sort_name(TermId term) const {
  if (store_.sort(term) == store_.predicate_sort()) return "Bool";
  if (is_integer(term)) return "Int";
  return "sort" + std::to_string(static_cast<std::uint32_t>(store_.sort(term)));
}

z3::expr ConditionEncoding::truth(TermId term) { return encode(term, 0); }

z3::expr ConditionEncoding::encode(TermId term, int depth) {
  if (const auto found = made_.find(term); found != made_.end()) return found->second;
  z3::expr made(context_);
  if (depth > deepest) {
    made = opaque(term);
  } else if (auto known = interpreted(term, depth)) {
    made = *known;
  } else {
    made = unknown(term, depth);
  }
  made_.emplace(term, made);
  return made;
}

std::optional<z3::expr> ConditionEncoding::interpreted(TermId term, int depth) {
  const term::Symbol& head = store_.head(term);
  if (head.kind == SymbolKind::integer_literal && is_integer(term)) {
    return context_.int_val(head.integer);
  }
  if (store_.is(term, Control::if_)) {
    const auto children = store_.children(term);
    const std::vector<TermId> parts(children.begin(), children.end());
    const z3::expr then = encode(parts[1], depth + 1);
    const z3::expr otherwise = encode(parts[2], depth + 1);
    return z3::ite(encode(parts[0], depth + 1), then, otherwise);
  }
  if (!is_call(head)) return std::nullopt;
  const term::SymbolId symbol = store_.symbol(term);
  if (const auto length = rewrite::length_of_literal(store_, interpretation_, term)) {
    return context_.int_val(*length);
  }
  if (const auto definition = rewrite::definition_of(interpretation_, symbol)) {
    return encode(*definition, depth + 1);
  }
  const Arithmetic meaning = rewrite::meaning_of(store_, interpretation_, symbol);
  if (meaning == Arithmetic::none || meaning == Arithmetic::length) return std::nullopt;
  if (rewrite::compares_reals(store_, interpretation_, term)) {
    const auto value = rewrite::evaluate(store_, interpretation_, term, {});
    return value ? std::optional(context_.bool_val(*value != 0)) : std::nullopt;
  }
  if (term::is_of_reals(meaning)) return std::nullopt;
  const auto children = store_.children(term);
  const std::vector<TermId> parts(children.begin(), children.end());
  const bool compares = meaning == Arithmetic::equal || meaning == Arithmetic::not_equal;
  // Nothing is known of the equality of reals: a NaN is not equal to itself.
  if (compares && store_.sort(parts[0]) != store_.predicate_sort() && !is_integer(parts[0])) {
    return std::nullopt;
  }
  std::vector<z3::expr> operands;
  for (TermId part : parts) operands.push_back(encode(part, depth + 1));
  return gives_integer(meaning) ? numeric(meaning, operands) : logical(meaning, operands);
}

std::optional<z3::expr> ConditionEncoding::numeric(Arithmetic meaning,
                                                   const std::vector<z3::expr>& operands) {
  const z3::expr& a = operands[0];
  if (operands.size() == 1) {
    if (meaning == Arithmetic::add) return a;
    if (meaning == Arithmetic::subtract || meaning == Arithmetic::negate) return -a;
    if (meaning == Arithmetic::absolute) return z3::ite(a >= 0, a, -a);
    return std::nullopt;
  }
  const z3::expr& b = operands[1];
  switch (meaning) {
    case Arithmetic::add:
      return a + b;
    case Arithmetic::subtract:
      return a - b;
    case Arithmetic::multiply:
      return a * b;
    case Arithmetic::divide:
      return a / b;  // Euclidean: the remainder is not negative
    case Arithmetic::modulo:
      return z3::mod(a, b);
    case Arithmetic::minimum:
      return z3::ite(a <= b, a, b);
    case Arithmetic::maximum:
      return z3::ite(a >= b, a, b);
    default:
      return std::nullopt;
  }
}

std::optional<z3::expr> ConditionEncoding::logical(Arithmetic meaning,
                                                   const std::vector<z3::expr>& operands) {
  if (meaning == Arithmetic::true_) return context_.bool_val(true);
  if (meaning == Arithmetic::false_) return context_.bool_val(false);
  const z3::expr& a = operands[0];
  if (meaning == Arithmetic::not_) return !a;
  const z3::expr& b = operands[1];
  switch (meaning) {
    case Arithmetic::less:
      return a < b;
    case Arithmetic::less_equal:
      return a <= b;
    case Arithmetic::greater:
      return a > b;
    case Arithmetic::greater_equal:
      return a >= b;
    case Arithmetic::equal:
    case Arithmetic::iff:
      return a == b;
    case Arithmetic::not_equal:
      return a != b;
    case Arithmetic::and_:
      return a && b;
    case Arithmetic::or_:
      return a || b;
    case Arithmetic::implies:
      return z3::implies(a, b);
    default:
      return std::nullopt;
  }
}

// A function of its arguments of which nothing else is known.
z3::expr ConditionEncoding::unknown(TermId term, int depth) {
  const term::Symbol& head = store_.head(term);
  const bool literal =
      head.kind == SymbolKind::integer_literal || head.kind == SymbolKind::real_literal;
  const auto children = store_.children(term);
  if (head.kind == SymbolKind::control && !store_.is(term, Control::vector_)) return opaque(term);
  const std::string name = symbol_name(store_.symbol(term));
  if (children.empty()) {
    const z3::expr made = context_.constant(name.c_str(), sort_of(term));
    signature_ += name + ": " + sort_name(term) + "\n";
    if (made.is_int() || made.is_bool()) {
      constants_.emplace_back(store_.symbol(term), made);
    } else {
      only_constants_ = only_constants_ && literal;
    }
    return made;
  }
  only_constants_ = false;
  const std::vector<TermId> parts(children.begin(), children.end());
  z3::expr_vector arguments(context_);
  z3::sort_vector sorts(context_);
  std::string of_arguments;
  for (TermId part : parts) {
    arguments.push_back(encode(part, depth + 1));
    sorts.push_back(sort_of(part));
    of_arguments += " " + sort_name(part);
  }
  // Vectors of different lengths are different functions.
  const std::string full = name + "/" + std::to_string(parts.size());
  const z3::func_decl function = context_.function(full.c_str(), sorts, sort_of(term));
  signature_ += full + ":" + of_arguments + " -> " + sort_name(term) + "\n";
  return function(arguments);
}

z3::expr ConditionEncoding::opaque(TermId term) {
  only_constants_ = false;
  for (const auto& [other, made] : opaque_) {
    if (term::alpha_equal(store_, other, term)) return made;
  }
  const std::string name = "opaque" + std::to_string(opaque_.size());
  opaque_.emplace_back(term, context_.constant(name.c_str(), sort_of(term)));
  signature_ += name + ": " + sort_name(term) + "\n";
  return opaque_.back().second;
}

std::string ConditionEncoding::symbol_name(term::SymbolId symbol) {
  return names_.try_emplace(symbol, "f" + std::to_string(names_.size())).first->second;
}

std::optional<rewrite::Assignment> ConditionEncoding::read(const z3::model& model) const {
  if (!only_constants_) return std::nullopt;
  rewrite::Assignment assignment;
  for (const auto& [symbol, constant] : constants_) {
    const z3::expr value = model.eval(constant, true);
    std::int64_t number = 0;
    if (value.is_bool()) {
      number = value.is_true() ? 1 : 0;
    } else if (!value.is_numeral_i64(number)) {
      return std::nullopt;
    }
    assignment.emplace(symbol, number);
  }
  return assignment;
}

}  // namespace rhopsi::smt
