#include "engine/analysis/unify.hpp"

#include <algorithm>
#include <map>

namespace rhopsi::analysis {

bool match_into(const TermBank& bank, Term pattern, Term term, Substitution& sigma) {
  if (bank.is_variable(pattern)) {
    const int variable = bank.variable_of(pattern);
    if (const Term* bound = sigma.find(variable)) return *bound == term;
    if (bank.variable_sort(variable) != bank.sort(term)) return false;
    sigma.bind(variable, term);
    return true;
  }
  if (bank.ground(pattern)) return pattern == term;
  if (bank.is_variable(term) || bank.head(pattern) != bank.head(term)) return false;
  for (std::size_t i = 0; i < bank.arguments(pattern).size(); ++i) {
    if (!match_into(bank, bank.arguments(pattern)[i], bank.arguments(term)[i], sigma)) return false;
  }
  return true;
}

std::optional<Substitution> match(const TermBank& bank, Term pattern, Term term) {
  Substitution sigma;
  if (!match_into(bank, pattern, term, sigma)) return std::nullopt;
  return sigma;
}

namespace {

// Bindings may speak of variables that are bound themselves, until they are resolved.
class Unification {
 public:
  explicit Unification(TermBank& bank) : bank_(bank) {}

  bool solve(Term left, Term right) {
    left = walk(left);
    right = walk(right);
    if (left == right) return true;
    if (bank_.is_variable(left)) return bind(left, right);
    if (bank_.is_variable(right)) return bind(right, left);
    if (bank_.head(left) != bank_.head(right)) return false;
    for (std::size_t i = 0; i < bank_.arguments(left).size(); ++i) {
      if (!solve(bank_.arguments(left)[i], bank_.arguments(right)[i])) return false;
    }
    return true;
  }

  Substitution resolved() {
    Substitution out;
    for (const auto& [variable, term] : bindings_.bindings()) out.bind(variable, resolve(term));
    return out;
  }

 private:
  Term walk(Term term) const {
    while (bank_.is_variable(term)) {
      const Term* bound = bindings_.find(bank_.variable_of(term));
      if (!bound) break;
      term = *bound;
    }
    return term;
  }

  bool bind(Term variable, Term term) {
    if (bank_.sort(variable) != bank_.sort(term)) return false;
    if (reaches(term, variable)) return false;
    bindings_.bind(bank_.variable_of(variable), term);
    return true;
  }

  bool reaches(Term term, Term variable) const {
    term = walk(term);
    if (term == variable) return true;
    if (bank_.is_variable(term) || bank_.ground(term)) return false;
    return std::ranges::any_of(bank_.arguments(term),
                               [&](Term each) { return reaches(each, variable); });
  }

  Term resolve(Term term) {
    if (bank_.ground(term)) return term;
    if (const auto known = resolved_.find(term); known != resolved_.end()) return known->second;
    Term out = walk(term);
    if (!bank_.is_variable(out)) {
      std::vector<Term> arguments(bank_.arguments(out).begin(), bank_.arguments(out).end());
      for (Term& each : arguments) each = resolve(each);
      out = bank_.make(bank_.head(out), arguments);
    }
    resolved_.emplace(term, out);
    return out;
  }

  TermBank& bank_;
  Substitution bindings_;
  std::unordered_map<Term, Term> resolved_;
};

// Terms over variables that are marked with a number k: x at k stands for x sigma mu^k. Solving
// left at 1 = right at 0 by unification, where a binding of x at k holds at x at k + j with
// everything raised by j, gives sigma and mu. (Kapur, Musser, Narendran, Stillman 1991.) Here a
// variable is bound only at its lowest mark, and the number of steps is bounded.
class SemiUnification {
 public:
  explicit SemiUnification(TermBank& bank) : bank_(bank) {}

  std::optional<SemiUnifier> solve(Term left, Term right) {
    const std::vector<int> own = variables_of_both(left, right);
    if (!equal({left, 1}, {right, 0})) return std::nullopt;
    return solution(own);
  }

 private:
  struct Marked {
    Term term;
    int mark;
  };
  struct Binding {
    int mark;  // x at this mark ...
    Marked value;
  };

  std::vector<int> variables_of_both(Term left, Term right) const {
    std::vector<int> out = variables(bank_, left);
    for (int each : variables(bank_, right)) {
      if (std::ranges::find(out, each) == out.end()) out.push_back(each);
    }
    return out;
  }

  Marked walk(Marked term) {
    while (bank_.is_variable(term.term) && ++steps_ < limit) {
      const auto bound = bindings_.find(bank_.variable_of(term.term));
      if (bound == bindings_.end() || bound->second.mark > term.mark) break;
      const int raise = term.mark - bound->second.mark;
      term = {bound->second.value.term, bound->second.value.mark + raise};
    }
    return term;
  }

  bool equal(Marked left, Marked right) {
    if (++steps_ > limit) return false;
    left = walk(left);
    right = walk(right);
    if (left.term == right.term && (left.mark == right.mark || bank_.ground(left.term))) {
      return true;
    }
    if (bank_.is_variable(left.term) && bank_.is_variable(right.term)) {
      if (left.term == right.term)
        return left.mark > right.mark ? bind(left, right) : bind(right, left);
      return left.mark >= right.mark ? bind(left, right) : bind(right, left);
    }
    if (bank_.is_variable(left.term)) return bind(left, right);
    if (bank_.is_variable(right.term)) return bind(right, left);
    if (bank_.head(left.term) != bank_.head(right.term)) return false;
    for (std::size_t i = 0; i < bank_.arguments(left.term).size(); ++i) {
      if (!equal({bank_.arguments(left.term)[i], left.mark},
                 {bank_.arguments(right.term)[i], right.mark})) {
        return false;
      }
    }
    return true;
  }

  bool bind(Marked variable, Marked value) {
    if (bank_.sort(variable.term) != bank_.sort(value.term)) return false;
    if (!bank_.is_variable(value.term) && reaches(value, variable, 0)) return false;
    const int number = bank_.variable_of(variable.term);
    const auto old = bindings_.find(number);
    if (old == bindings_.end()) {
      bindings_.emplace(number, Binding{variable.mark, value});
      return true;
    }
    // A lower mark replaces a higher one, whose equation is solved again.
    const Binding before = old->second;
    old->second = {variable.mark, value};
    return equal({variable.term, before.mark}, before.value);
  }

  // Whether the value contains the variable at its mark or above, so that no finite term fits.
  bool reaches(Marked term, Marked variable, int depth) {
    if (++steps_ > limit || depth > 200) return true;
    term = walk(term);
    if (bank_.is_variable(term.term)) {
      return term.term == variable.term && term.mark >= variable.mark;
    }
    if (bank_.ground(term.term)) return false;
    for (Term each : bank_.arguments(term.term)) {
      if (reaches({each, term.mark}, variable, depth + 1)) return true;
    }
    return false;
  }

  // x at 0 becomes x sigma over fresh variables for those unbound at each mark; mu raises marks.
  std::optional<SemiUnifier> solution(const std::vector<int>& own) {
    SemiUnifier out;
    for (int each : own) {
      const auto value = expand({bank_.variable(each), 0}, 0);
      if (!value) return std::nullopt;
      out.sigma.bind(each, *value);
    }
    for (std::size_t i = 0; i < made_.size(); ++i) {  // expanding makes more
      if (made_.size() > 50) return std::nullopt;
      const auto [variable, mark, name] = made_[i];
      const auto value = expand({bank_.variable(variable), mark + 1}, 0);
      if (!value) return std::nullopt;
      if (*value != bank_.variable(name)) out.mu.bind(name, *value);
    }
    return out;
  }

  std::optional<Term> expand(Marked term, int depth) {
    if (++steps_ > limit || depth > 200) return std::nullopt;
    term = walk(term);
    if (bank_.ground(term.term)) return term.term;
    if (bank_.is_variable(term.term)) return name(bank_.variable_of(term.term), term.mark);
    std::vector<Term> arguments(bank_.arguments(term.term).begin(),
                                bank_.arguments(term.term).end());
    for (Term& each : arguments) {
      const auto value = expand({each, term.mark}, depth + 1);
      if (!value) return std::nullopt;
      each = *value;
    }
    return bank_.make(bank_.head(term.term), arguments);
  }

  // A free variable at mark k is the image of itself at k - 1 under mu. Only the lowest marks
  // can be freely chosen; each gets a name of its own and mu sends it to the next one.
  std::optional<Term> name(int variable, int mark) {
    for (const Made& each : made_) {
      if (each.variable == variable && each.mark == mark) return bank_.variable(each.name);
    }
    // Unbound at every mark: mu may leave it as it is.
    if (!bindings_.contains(variable)) return bank_.variable(variable);
    const int fresh = bank_.fresh_variable(bank_.variable_sort(variable));
    made_.push_back({variable, mark, fresh});
    return bank_.variable(fresh);
  }

  struct Made {
    int variable;
    int mark;
    int name;
  };
  static constexpr int limit = 2000;
  TermBank& bank_;
  std::map<int, Binding> bindings_;
  std::vector<Made> made_;
  int steps_ = 0;
};

}  // namespace

std::optional<Substitution> unify(TermBank& bank, Term left, Term right) {
  Unification unification(bank);
  if (!unification.solve(left, right)) return std::nullopt;
  return unification.resolved();
}

bool unify_apart(TermBank& bank, Term left, Term right) {
  Substitution renaming;
  return unify(bank, left, rename(bank, right, renaming)).has_value();
}

Term rename(TermBank& bank, Term term, Substitution& renaming) {
  for (int each : variables(bank, term)) {
    if (renaming.find(each)) continue;
    const int fresh = bank.fresh_variable(bank.variable_sort(each));
    renaming.bind(each, bank.variable(fresh));
  }
  return apply(bank, term, renaming);
}

std::optional<SemiUnifier> semi_unify(TermBank& bank, Term left, Term right) {
  SemiUnification unification(bank);
  auto found = unification.solve(left, right);
  if (!found) return std::nullopt;
  const Term image = apply(bank, apply(bank, left, found->sigma), found->mu);
  if (image != apply(bank, right, found->sigma)) return std::nullopt;  // bounded, so checked
  return found;
}

}  // namespace rhopsi::analysis
