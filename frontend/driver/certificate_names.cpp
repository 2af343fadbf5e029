// New names for what a certificate holds.
#include <algorithm>
#include <set>

#include "frontend/driver/certifier.hpp"

namespace rhopsi::driver {

using term::SymbolId;
using term::TermId;

namespace {

class CertificateNames {
 public:
  CertificateNames(term::Store& store, const term::Renaming& renaming)
      : store_(store), renamer_(store, renaming) {}

  void rename(CertifiedStep& step) {
    rename(step.derivation);
    for (check::State& each : step.before) rename(each);
    std::set<SymbolId> asked;
    for (SymbolId each : step.asked) asked.insert(renamer_.symbol(each));
    step.asked = std::move(asked);
  }

 private:
  void rename(SymbolId& symbol) { symbol = renamer_.symbol(symbol); }
  void rename(TermId& term) { term = renamer_.term(term); }
  template <class Each>
  void rename(std::vector<Each>& list) {
    for (Each& each : list) rename(each);
  }
  template <class Value>
  void rename(std::optional<Value>& value) {
    if (value) rename(*value);
  }

  void rename(check::Parts& parts) {
    rename(parts.body);
    rename(parts.guard);
  }

  void rename(check::State& state) {
    rename(state.callable);
    rename(state.parameters);
    rename(state.parts);
  }

  void rename(check::Axiom& axiom) {
    rename(axiom.variables);
    rename(axiom.left);
    rename(axiom.right);
    rename(axiom.condition);
  }

  void rename(check::Lemma& lemma) {
    rename(lemma.variables);
    rename(lemma.statement);
    rename(lemma.condition);
  }

  void rename(check::Operation& operation) {
    rename(operation.symbol);
    rename(operation.parameters);
    rename(operation.guard);
    rename(operation.body);
  }

  void rename(check::LemmaUse& use) { rename(use.binding); }

  void rename(check::Unfolding& unfolding) {
    rename(unfolding.binding);
    rename(unfolding.before);
    rename(unfolding.after);
  }

  void rename(check::Step& step) {
    rename(step.binding);
    rename(step.before);
    rename(step.after);
    rename(step.condition);
    rename(step.lemmas);
    rename(step.unfoldings);
  }

  void rename(check::Pass& pass) {
    rename(pass.steps);
    std::erase_if(pass.steps,
                  [&](const check::Step& step) { return identical(step.before, step.after); });
  }

  void rename(check::Run& run) {
    rename(run.callable);
    rename(run.parameters);
    rename(run.from);
    rename(run.to);
    rename(run.passes);
    std::erase_if(run.passes, [](const check::Pass& pass) { return pass.steps.empty(); });
  }

  void rename(check::Definition& definition) {
    rename(definition.callable);
    rename(definition.parameters);
    rename(definition.body);
    rename(definition.guard);
  }

  void rename(check::Derivation& derivation) {
    rename(derivation.changes);
    rename(derivation.axioms);
    rename(derivation.lemmas);
    rename(derivation.operations);
    rename(derivation.runs);
    rename(derivation.definitions);
    std::erase_if(derivation.runs, [](const check::Run& run) { return run.passes.empty(); });
    join(derivation.operations);
  }

  // What two operations of one name are known for is known of the one.
  static void join(std::vector<check::Operation>& operations) {
    std::vector<check::Operation> joined;
    for (check::Operation& each : operations) {
      const auto known = std::ranges::find(joined, each.symbol, &check::Operation::symbol);
      if (known == joined.end()) {
        joined.push_back(std::move(each));
        continue;
      }
      if (known->meaning == term::Arithmetic::none) known->meaning = each.meaning;
      if (known->array == term::ArrayFunction::none) known->array = each.array;
      if (!known->guard && !known->body) {
        known->parameters = each.parameters;
        known->guard = each.guard;
        known->body = each.body;
      }
    }
    operations = std::move(joined);
  }

  // Equal up to places, the names of bound variables included.
  bool identical(TermId left_root, TermId right_root) const {
    std::vector<std::pair<TermId, TermId>> pending{{left_root, right_root}};
    std::set<std::pair<TermId, TermId>> seen;
    while (!pending.empty()) {
      const auto [left, right] = pending.back();
      pending.pop_back();
      if (left == right || !seen.emplace(left, right).second) continue;
      const auto ours = store_.children(left);
      const auto theirs = store_.children(right);
      if (store_.symbol(left) != store_.symbol(right) || ours.size() != theirs.size() ||
          !std::ranges::equal(store_.bound(left), store_.bound(right))) {
        return false;
      }
      for (std::size_t i = 0; i < ours.size(); ++i) pending.emplace_back(ours[i], theirs[i]);
    }
    return true;
  }

  const term::Store& store_;
  term::Renamer renamer_;
};

}  // namespace

void rename(term::Store& store, CertifiedStep& step, const term::Renaming& renaming) {
  CertificateNames(store, renaming).rename(step);
}

}  // namespace rhopsi::driver
