#include "engine/verify/everywhere.hpp"

#include <algorithm>
#include <functional>

namespace rhopsi::verify {

using term::SymbolId;

namespace {

constexpr std::size_t all_mixed = 7;
constexpr std::size_t most_different = 3;

class MixtureFinder {
 public:
  explicit MixtureFinder(const std::vector<SymbolId>& promoting) : promoting_(promoting) {}

  std::vector<std::vector<SymbolId>> run() {
    choose(0);
    std::ranges::stable_sort(found_, std::greater<>(), &std::vector<SymbolId>::size);
    return std::move(found_);
  }

 private:
  void choose(std::size_t next) {
    const std::size_t reals = next - chosen_.size();
    const bool many = promoting_.size() > all_mixed;
    if (many && chosen_.size() > most_different && reals > most_different) return;
    if (next == promoting_.size()) {
      if (!chosen_.empty()) found_.push_back(chosen_);
      return;
    }
    chosen_.push_back(promoting_[next]);
    choose(next + 1);
    chosen_.pop_back();
    choose(next + 1);
  }

  const std::vector<SymbolId>& promoting_;
  std::vector<SymbolId> chosen_;
  std::vector<std::vector<SymbolId>> found_;
};

bool settled(const Verdict& verdict) {
  return verdict.outcome == Outcome::proved || verdict.says_nothing;
}

}  // namespace

std::vector<std::vector<SymbolId>> integer_mixtures(const std::vector<SymbolId>& promoting) {
  return MixtureFinder(promoting).run();
}

AgreementVerdict prove_everywhere(const moa::Library& library,
                                  const std::vector<SymbolId>& parameters, const term::Claim& claim,
                                  const std::vector<const term::Axiom*>& invariants,
                                  const ProofLimits& limits) {
  const auto asked = [&](const std::vector<SymbolId>& integers) {
    AgreementVerdict made{prove(library, parameters, claim, invariants, limits, integers),
                          integers};
    const Theories& theories = made.verdict.theories;
    const bool of_doubles =
        theories.holds_in(smt::Theory::any) || theories.holds_in(smt::Theory::ieee);
    if (!claim.condition || made.verdict.outcome != Outcome::proved || of_doubles) return made;
    term::Claim bare = claim;
    bare.condition.reset();
    const Verdict without = prove(library, parameters, bare, invariants, limits, integers);
    if (settled(without)) return made;
    made.in_floating_point = true;
    made.verdict.outcome = Outcome::unknown;
    made.verdict.reason = "it holds of real numbers (" + to_string(theories) +
                          "), and conditions are decided in floating point";
    return made;
  };
  AgreementVerdict first = asked({});
  if (!first.holds()) return first;
  for (const std::vector<SymbolId>& integers : integer_mixtures(first.verdict.promoting)) {
    AgreementVerdict mixed = asked(integers);
    if (!mixed.holds()) return mixed;
  }
  return first;
}

}  // namespace rhopsi::verify
