#include "frontend/driver/refutation.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include <nlohmann/json.hpp>

#include "engine/term/operations.hpp"
#include "frontend/driver/judge.hpp"
#include "frontend/driver/type_mixtures.hpp"

namespace rhopsi::driver {
namespace {

using Ruling = Judgement::Kind;

// Integers of the claim, and of the bodies that it comes to, that small values need not meet, and
// their neighbours. Of long programs the first ones, so that each has its turn.
std::vector<std::int64_t> numbers_named(const term::Store& store, const term::Claim& claim,
                                        const Judge& judge) {
  constexpr std::int64_t small = 3;
  constexpr std::size_t most = 60;
  std::vector<std::int64_t> found;
  std::vector<term::TermId> terms = term::terms_of(claim);
  const std::size_t own = terms.size();
  std::ranges::move(judge.bodies(), std::back_inserter(terms));
  for (std::size_t k = 0; k < terms.size() && (k < own || found.size() < most); ++k) {
    const term::TermId each = terms[k];
    term::for_each_subterm(store, each, [&](term::TermId part) {
      const term::Symbol& head = store.head(part);
      if (head.kind != term::SymbolKind::integer_literal) return true;
      const std::int64_t number = head.integer;
      if (number >= -small && number <= small) return true;
      for (std::int64_t near : {number, number > INT64_MIN ? number - 1 : number,
                                number < INT64_MAX ? number + 1 : number}) {
        if (std::ranges::find(found, near) == found.end()) found.push_back(near);
      }
      return true;
    });
  }
  return found;
}

SampleOptions with_numbers(SampleOptions options, std::vector<std::int64_t> numbers) {
  std::ranges::move(numbers, std::back_inserter(options.numbers));
  return options;
}

class Searching {
 public:
  Searching(const term::Store& store, const term::Claim& claim, Judge& judge, const Search& search)
      : store_(store),
        judge_(judge),
        search_(search),
        samples_(search.seed, with_numbers(search.samples, numbers_named(store, claim, judge))) {
    tried_.problem = judge_.problem();
    tried_.as_program = judge_.as_program();
    for (const Judge::Unknown& each : judge_.unknowns()) {
      if (each.representation.promotes) promoting_.push_back(each.symbol);
    }
    tried_.numbers = !promoting_.empty();
  }

  Tried run() {
    if (!tried_.problem.empty()) return std::move(tried_);
    const bool varies =
        judge_.over_domain() || std::ranges::any_of(judge_.unknowns(), &Judge::Unknown::constant);
    constexpr std::size_t rounds_of_constants = 40;
    const std::size_t rounds = varies ? rounds_of_constants : 1;
    for (std::size_t round = 0; round < rounds && !over(); ++round) {
      const Sample base = constants();
      for (std::size_t k = 0; k < search_.tries / rounds && !over(); ++k) {
        // Each round has its share, so that no constant takes all.
        if (tried_.spoke * rounds >= search_.spoke * (round + 1)) break;
        look(rest_of(base));
      }
    }
    if (tried_.spoke == 0 && search_.meeting) try_all(search_.meeting());
    return std::move(tried_);
  }

  Tried run_by(const verify::Model& model) {
    if (tried_.problem.empty()) try_all(model);
    return std::move(tried_);
  }

  Tried run_by_types() {
    if (tried_.as_program && promoting_.empty()) return std::move(tried_);
    if (tried_.problem.empty()) find_bases();
    for (const Types& types : type_mixtures(promoting_.size())) {
      if (over()) break;
      try_types(types);
    }
    // Nothing could be computed.
    if (tried_.spoke == 0 && !tried_.cut_short && !tried_.unmet) tried_.unmet.emplace();
    return std::move(tried_);
  }

 private:
  // What cannot be computed for many values in turn cannot be computed.
  bool over() {
    constexpr std::size_t patience = 200;
    if (tried_.refutation || !judge_.problem().empty() || tried_.spoke >= search_.spoke ||
        (tried_.spoke == 0 && not_computed_ >= patience)) {
      return true;
    }
    tried_.cut_short = search_.end && std::chrono::steady_clock::now() >= *search_.end;
    return tried_.cut_short;
  }

  Sample constants() {
    Sample sample;
    if (judge_.over_domain()) sample.domain = samples_.domain();
    fill(sample, samples_, judge_, true);
    return sample;
  }

  Sample rest_of(Sample sample) {
    fill(sample, samples_, judge_, false);
    return sample;
  }

  // Other values with the numbers of the model; nothing where these are too large.
  std::optional<Sample> sample_of(const verify::Model& model) {
    Sample sample = rest_of(constants());
    for (const auto& [symbol, numbers] : model.numbers) {
      const auto value = sample.values.find(symbol);
      if (value != sample.values.end() && !samples_.take(numbers, value->second)) {
        return std::nullopt;
      }
    }
    if (search_.integers != nullptr) take_elements(model, sample);
    return sample;
  }

  void take_elements(const verify::Model& model, Sample& sample) const {
    for (const term::SymbolId symbol : promoting_) {
      const bool integer = std::ranges::find(*search_.integers, symbol) != search_.integers->end();
      reference::Value& value = sample.values.at(symbol);
      if (!integer) value = converted(value, onf::Scalar::float64);
    }
    for (const verify::Model::Element& each : model.elements) {
      const auto value = sample.values.find(each.symbol);
      if (value != sample.values.end()) put(each.index, each.value, value->second);
    }
  }

  void try_all(const verify::Model& model) {
    constexpr int rounds = 40;  // what the model leaves open is other in each
    for (int round = 0; !model.empty() && round < rounds && !over(); ++round) {
      const auto sample = sample_of(model);
      if (!sample) return;
      look(*sample);
    }
  }

  // The claim speaks of the sample, and holds or, if it does not, is refuted.
  bool look(const Sample& sample, std::optional<reference::Value>* left = nullptr) {
    Judgement judgement = judge(sample);
    if (judgement.kind == Ruling::nothing_said) return false;
    if (judgement.kind == Ruling::not_computed) {
      tried_.problem = std::move(judgement.text);
      ++not_computed_;
      return false;
    }
    ++tried_.spoke;
    if (left != nullptr) *left = std::move(judgement.value);
    if (judgement.kind == Ruling::fails) shrink(sample, std::move(judgement.text));
    return true;
  }

  Judgement judge(const Sample& sample) {
    Judgement judgement = judge_.judge(sample);
    if (judgement.kind != Ruling::fails) return judgement;
    if (search_.both_sides && judgement.without_value) judgement.kind = Ruling::nothing_said;
    if (search_.exact && !judgement.exact) judgement.kind = Ruling::holds;
    if (search_.of_integers && by_rounding(sample, judgement)) judgement.kind = Ruling::holds;
    if (judgement.kind == Ruling::fails && !is_enough(sample, judgement)) {
      judgement.kind = Ruling::holds;
    }
    return judgement;
  }

  // A difference of reals, where it may be one of their rounding alone.
  bool is_enough(const Sample& sample, const Judgement& judgement) {
    using Reals = Search::Reals;
    if (search_.reals == Reals::poles) return judgement.pole && judgement.apart;
    if (search_.reals == Reals::last_digits || !judgement.real || judgement.types) return true;
    if (search_.reals == Reals::apart) return judgement.apart;
    if (judgement.rounding) return false;
    if (search_.reals == Reals::more) return true;
    // What the same values as reals do not differ in, the other types have made.
    const Types reals(promoting_.size(), onf::Scalar::float64);
    const Judgement of_reals = judge_.judge(as(reals, sample));
    return of_reals.kind == Ruling::holds || of_reals.rounding;
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
    tried_.sample = std::move(sample);
  }

  // ---------------------------------------------------------------- mixtures of types

  static bool is_empty(const reference::Value& value) {
    const auto* array = std::get_if<reference::Array>(&value);
    return array != nullptr && std::ranges::find(array->shape, 0) != array->shape.end();
  }

  // Of arrays without elements a claim says little.
  bool says_much(const Sample& sample, const std::optional<reference::Value>& left) const {
    if (left && is_empty(*left)) return false;
    return std::ranges::none_of(
        promoting_, [&](term::SymbolId each) { return is_empty(sample.values.at(each)); });
  }

  // Integers that the claim speaks of, by the shapes and numbers of which it does so of other types
  // too.
  void find_bases() {
    const std::size_t wanted = promoting_.empty() ? 1 : 4;
    std::vector<Sample> lesser;
    const auto add = [&](const Sample& sample) {
      std::optional<reference::Value> left;
      if (!look(sample, &left)) return;
      (says_much(sample, left) ? bases_ : lesser).push_back(sample);
    };
    constexpr std::size_t rounds = 10;  // of constants
    for (std::size_t k = 0; k < search_.tries && bases_.size() < wanted && !over(); ++k) {
      if (k % (search_.tries / rounds + 1) == 0) base_ = constants();
      add(rest_of(base_));
    }
    if (bases_.empty() && search_.meeting && !over()) {
      model_ = search_.meeting();
      for (std::size_t k = 0; k < 2 * wanted && bases_.size() < wanted && !model_.empty(); ++k) {
        const auto sample = sample_of(model_);
        if (!sample || over()) break;
        add(*sample);
      }
    }
    if (!bases_.empty()) return;
    lesser.resize(std::min(lesser.size(), wanted));
    bases_ = std::move(lesser);
    poor_ = true;
  }

  void try_types(const Types& types) {
    bool met = try_at_bases(types);
    constexpr std::size_t attempts = 200;
    for (std::size_t k = 0; k < attempts && !met && !over(); ++k) {
      met = speaks_of(as(types, rest_of(base_)));
    }
    if (met || tried_.unmet || over()) return;
    tried_.unmet.emplace();
    for (std::size_t k = 0; k < types.size(); ++k) {
      *tried_.unmet +=
          (k == 0 ? "" : ", ") + store_[promoting_[k]].name + " of " + onf::to_string(types[k]);
    }
  }

  bool try_at_bases(const Types& types) {
    bool met = false;
    for (const Sample& base : bases_) {
      met = (!over() && speaks_of(as(types, base))) || met;
      for (Range range : {Range::natural, Range::whole}) {
        if (!over()) met = speaks_of(redrawn(types, base, range)) || met;
      }
    }
    if (!bases_.empty()) try_empty(types, bases_.front());
    if (bases_.size() > 1) try_empty(types, bases_[1]);
    return met;
  }

  // One array without elements beside others that have some: where nothing is to be folded, there
  // stands what the type has for that.
  void try_empty(const Types& types, const Sample& base) {
    for (term::SymbolId symbol : promoting_) {
      const auto* array = std::get_if<reference::Array>(&base.values.at(symbol));
      if (array == nullptr || base.domain) continue;
      for (std::size_t axis = 0; axis < array->shape.size(); ++axis) {
        Sample sample = base;
        reference::Index shape = array->shape;
        shape[axis] = 0;
        sample.values.at(symbol) =
            reference::make_array(shape, reference::make_elements(array->element, 0));
        for (Range range : {Range::negative, Range::natural}) {
          if (!over()) look(redrawn(types, sample, range));
        }
      }
    }
  }

  bool speaks_of(const Sample& sample) {
    std::optional<reference::Value> left;
    return look(sample, &left) && (poor_ || says_much(sample, left));
  }

  // Values of these types: the same, or others.
  Sample as(const Types& types, Sample sample) const {
    for (std::size_t k = 0; k < types.size(); ++k) {
      reference::Value& value = sample.values.at(promoting_[k]);
      value = converted(value, types[k]);
    }
    return sample;
  }
  Sample redrawn(const Types& types, Sample sample, Range range) {
    for (std::size_t k = 0; k < types.size(); ++k) {
      reference::Value& value = sample.values.at(promoting_[k]);
      value = samples_.redrawn(value, types[k], range);
    }
    return sample;
  }

  const term::Store& store_;
  Judge& judge_;
  const Search& search_;
  Samples samples_;
  Tried tried_;
  std::size_t not_computed_ = 0;
  std::vector<term::SymbolId> promoting_;  // unknowns
  std::vector<Sample> bases_;              // of which the claim speaks
  bool poor_ = false;                      // they have no elements
  Sample base_;                            // values for what is constant
  verify::Model model_;
};

}  // namespace

std::string assignments(const std::vector<std::pair<std::string, std::string>>& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    text += (text.empty() ? "" : ", ") + name + " = " + value;
  }
  return text;
}

nlohmann::ordered_json json_of(const Refutation& refutation) {
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  for (const auto& [name, value] : refutation.values) values[name] = value;
  return {{"values", std::move(values)}, {"difference", refutation.difference}};
}

Refutation refutation_of(const nlohmann::ordered_json& json) {
  Refutation made;
  made.difference = json.at("difference").get<std::string>();
  for (const auto& [name, value] : json.at("values").items()) {
    made.values.emplace_back(name, value.get<std::string>());
  }
  return made;
}

Tried refute_by(const verify::Model& model, term::Store& store, const term::Theory& theory,
                const Tables& tables, const std::vector<term::SymbolId>& parameters,
                const term::Claim& claim, const std::vector<const term::Axiom*>& invariants,
                const Search& search) {
  Judge judge(store, theory, tables.promoting, tables.real, parameters, claim, invariants,
              search.domain);
  return Searching(store, claim, judge, search).run_by(model);
}

Tried refute(term::Store& store, const term::Theory& theory, const Tables& tables,
             const std::vector<term::SymbolId>& parameters, const term::Claim& claim,
             const std::vector<const term::Axiom*>& invariants, const Search& search) {
  Judge judge(store, theory, tables.promoting, tables.real, parameters, claim, invariants,
              search.domain);
  return Searching(store, claim, judge, search).run();
}

Tried refute_by_types(term::Store& store, const term::Theory& theory, const Tables& tables,
                      const std::vector<term::SymbolId>& parameters, const term::Claim& claim,
                      const std::vector<const term::Axiom*>& invariants, const Search& search) {
  Judge judge(store, theory, tables.promoting, tables.real, parameters, claim, invariants);
  Search whole = search;
  whole.spoke = std::numeric_limits<std::size_t>::max();
  return Searching(store, claim, judge, whole).run_by_types();
}

bool fails_for(const Sample& sample, term::Store& store, const term::Theory& theory,
               const Tables& tables, const std::vector<term::SymbolId>& parameters,
               const term::Claim& claim, const std::vector<const term::Axiom*>& invariants) {
  Judge judge(store, theory, tables.promoting, tables.real, parameters, claim, invariants);
  return judge.problem().empty() && judge.judge(sample).kind == Ruling::fails;
}

}  // namespace rhopsi::driver
