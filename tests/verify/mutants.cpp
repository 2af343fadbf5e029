#include "tests/verify/mutants.hpp"

#include <functional>
#include <optional>

#include "engine/term/operations.hpp"

namespace rhopsi::verify {

using term::Position;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;

namespace {

class Making {
 public:
  Making(term::Store& store, const term::Theory& theory, std::vector<Mutant>& made)
      : store_(store), theory_(theory), made_(made) {}

  void add(const term::Axiom& axiom, const term::Claim& claim) {
    axiom_ = &axiom;
    claim_ = &claim;
    walk("left", claim.left, [](term::Claim& c, TermId t) { c.left = t; });
    if (claim.right) walk("right", *claim.right, [](term::Claim& c, TermId t) { c.right = t; });
    if (claim.condition) {
      walk("condition", *claim.condition, [](term::Claim& c, TermId t) { c.condition = t; });
    }
  }

 private:
  using Put = std::function<void(term::Claim&, TermId)>;

  void walk(const std::string& part, TermId whole, const Put& put) {
    Position position;
    visit(part, whole, whole, position, put);
  }

  void visit(const std::string& part, TermId whole, TermId term, Position& position,
             const Put& put) {
    for (const TermId other : alternatives(term)) {
      Mutant mutant{claim_->name + ": " + term::to_string(store_, term) + " => " +
                        term::to_string(store_, other) + " in the " + part,
                    axiom_, *claim_};
      put(mutant.claim, term::replace_at(store_, whole, position, other));
      made_.push_back(std::move(mutant));
    }
    const std::size_t count = store_.children(term).size();
    for (std::size_t k = 0; k < count; ++k) {
      position.push_back(static_cast<std::uint32_t>(k));
      visit(part, whole, store_.children(term)[k], position, put);
      position.pop_back();
    }
  }

  std::vector<TermId> alternatives(TermId term) {
    std::vector<TermId> found;
    const term::Symbol head = store_.head(term);
    const auto kept = store_.children(term);
    const std::vector<TermId> children(kept.begin(), kept.end());
    if (head.kind == SymbolKind::variable) {
      for (SymbolId each : axiom_->parameters) {
        if (each == store_.symbol(term) || store_[each].result != head.result) continue;
        found.push_back(store_.make(each, {}));
      }
    } else if (head.kind == SymbolKind::integer_literal) {
      for (std::int64_t step : {-1, 1}) {
        found.push_back(store_.make(store_.integer_literal(head.integer + step, head.result), {}));
      }
    } else if (head.kind == SymbolKind::function || head.kind == SymbolKind::predicate) {
      if (head.parameters.empty()) return found;
      for (const term::Callable& callable : theory_.callables) {
        const term::Symbol& other = store_[callable.symbol];
        const bool same = other.kind == head.kind && other.parameters == head.parameters &&
                          other.result == head.result && callable.symbol != store_.symbol(term);
        if (same) found.push_back(store_.make(callable.symbol, children));
      }
      if (found.size() > 3) found.resize(3);
    }
    return found;
  }

  term::Store& store_;
  const term::Theory& theory_;
  std::vector<Mutant>& made_;
  const term::Axiom* axiom_ = nullptr;
  const term::Claim* claim_ = nullptr;
};

}  // namespace

std::vector<Mutant> mutants_of(term::Store& store, const term::Theory& theory,
                               const std::vector<const term::Axiom*>& axioms) {
  std::vector<Mutant> made;
  Making making(store, theory, made);
  for (const term::Axiom* axiom : axioms) {
    for (const term::Claim& claim : term::claims_of(store, *axiom)) making.add(*axiom, claim);
  }
  return made;
}

}  // namespace rhopsi::verify
