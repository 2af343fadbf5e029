#include "frontend/driver/refutation.hpp"

#include <algorithm>

#include "frontend/driver/judge.hpp"

namespace rhopsi::driver {
namespace {

using Ruling = Judgement::Kind;

class Searching {
 public:
  Searching(const term::Store& store, Judge& judge, const Search& search)
      : store_(store),
        judge_(judge),
        search_(search),
        samples_(search.seed, search.beyond, search.of_types) {}

  Tried run() {
    tried_.problem = judge_.problem();
    tried_.as_program = judge_.as_program();
    if (!tried_.problem.empty()) return std::move(tried_);
    const auto promotes = [](const Judge::Unknown& unknown) {
      return unknown.representation.promotes;
    };
    if (search_.of_types && std::ranges::none_of(judge_.unknowns(), promotes)) {
      return std::move(tried_);
    }
    const bool varies =
        judge_.over_domain() || std::ranges::any_of(judge_.unknowns(), &Judge::Unknown::constant);
    constexpr std::size_t rounds_of_constants = 40;
    const std::size_t rounds = varies ? rounds_of_constants : 1;
    for (std::size_t round = 0; round < rounds && !over(); ++round) {
      Sample base;
      if (judge_.over_domain()) base.domain = samples_.domain();
      fill(base, samples_, judge_, true);
      for (std::size_t k = 0; k < search_.tries / rounds && !over(); ++k) {
        // Each round has its share, so that no constant takes all.
        if (tried_.spoke * rounds >= search_.spoke * (round + 1)) break;
        Sample sample = base;
        fill(sample, samples_, judge_, false);
        look(sample);
      }
    }
    return std::move(tried_);
  }

  Tried run_by(const verify::Model& model) {
    tried_.problem = judge_.problem();
    tried_.as_program = judge_.as_program();
    constexpr int rounds = 20;  // what the model leaves open is other in each
    for (int round = 0; tried_.problem.empty() && round < rounds && !over(); ++round) {
      Sample sample;
      if (judge_.over_domain()) sample.domain = samples_.domain();
      fill(sample, samples_, judge_, true);
      fill(sample, samples_, judge_, false);
      for (const auto& [symbol, numbers] : model) {
        const auto value = sample.values.find(symbol);
        if (value != sample.values.end() && !samples_.take(numbers, value->second)) {
          return std::move(tried_);
        }
      }
      look(sample);
    }
    return std::move(tried_);
  }

 private:
  // What cannot be computed for many values in turn cannot be computed.
  bool over() {
    constexpr std::size_t patience = 200;
    if (tried_.refutation || tried_.spoke >= search_.spoke ||
        (tried_.spoke == 0 && not_computed_ >= patience)) {
      return true;
    }
    tried_.cut_short = search_.end && std::chrono::steady_clock::now() >= *search_.end;
    return tried_.cut_short;
  }

  void look(const Sample& sample) {
    Judgement judgement = judge(sample);
    if (judgement.kind == Ruling::nothing_said) return;
    if (judgement.kind == Ruling::not_computed) {
      tried_.problem = std::move(judgement.text);
      ++not_computed_;
      return;
    }
    ++tried_.spoke;
    if (judgement.kind == Ruling::fails) shrink(sample, std::move(judgement.text));
  }

  Judgement judge(const Sample& sample) {
    Judgement judgement = judge_.judge(sample);
    if (search_.both_sides && judgement.without_value) judgement.kind = Ruling::nothing_said;
    if (search_.of_integers && judgement.kind == Ruling::fails && by_rounding(sample, judgement)) {
      judgement.kind = Ruling::holds;
    }
    if (search_.of_types && judgement.kind == Ruling::fails && judgement.real && !judgement.types) {
      judgement.kind = Ruling::holds;
    }
    return judgement;
  }

  // What reals differ in as well, of which the claim is proved, their rounding has made.
  bool by_rounding(const Sample& sample, const Judgement& judgement) {
    if (judgement.rounding || !judgement.real) return judgement.rounding;
    const Judgement of_reals = judge_.judge(with_reals(sample));
    return of_reals.kind == Ruling::fails && !of_reals.rounding;
  }

  // Goes down as long as something smaller refutes too.
  void shrink(Sample sample, std::string difference) {
    std::size_t left = search_.shrinking;
    for (bool changed = true; changed && left > 0;) {
      changed = false;
      for (Sample& less : smaller(sample)) {
        if (left == 0) break;
        --left;
        Judgement judgement = judge(less);
        if (judgement.kind != Ruling::fails) continue;
        sample = std::move(less);
        difference = std::move(judgement.text);
        changed = true;
        break;
      }
    }
    tried_.refutation = Refutation{named_values(store_, judge_, sample), std::move(difference)};
  }

  const term::Store& store_;
  Judge& judge_;
  const Search& search_;
  Samples samples_;
  Tried tried_;
  std::size_t not_computed_ = 0;
};

}  // namespace

Tried refute_by(const verify::Model& model, term::Store& store, const term::Theory& theory,
                const Tables& tables, const std::vector<term::SymbolId>& parameters,
                const term::Claim& claim, const std::vector<const term::Axiom*>& invariants,
                const Search& search) {
  Judge judge(store, theory, tables.promoting, tables.real, parameters, claim, invariants,
              search.domain);
  return Searching(store, judge, search).run_by(model);
}

Tried refute(term::Store& store, const term::Theory& theory, const Tables& tables,
             const std::vector<term::SymbolId>& parameters, const term::Claim& claim,
             const std::vector<const term::Axiom*>& invariants, const Search& search) {
  Judge judge(store, theory, tables.promoting, tables.real, parameters, claim, invariants,
              search.domain);
  return Searching(store, judge, search).run();
}

}  // namespace rhopsi::driver
