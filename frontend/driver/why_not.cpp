#include "frontend/driver/why_not.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "engine/check/replacement.hpp"
#include "engine/rewrite/attempt.hpp"
#include "engine/rewrite/derivation.hpp"
#include "engine/rewrite/lemmas.hpp"
#include "engine/rewrite/shape_oracle.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/excerpt.hpp"
#include "frontend/driver/nearest.hpp"

namespace rhopsi::driver {

using rewrite::Attempt;
using term::TermId;

namespace {

constexpr std::size_t most_of_place = 200;  // of a term
constexpr std::size_t most_places = 20;     // of one callable

struct Place {
  bool in_guard = false;
  term::Position position;
};

std::string to_string(const Place& place) {
  std::string text = place.in_guard ? "guard" : "body";
  for (const std::uint32_t child : place.position) text += "." + std::to_string(child);
  return text;
}

// "body.0.1", with or without what it begins with.
std::optional<Place> read_place(std::string text) {
  Place place;
  if (text == "body" || text == "guard") return Place{text == "guard", {}};
  if (text.starts_with("guard.")) place.in_guard = true;
  for (const char* root : {"body.", "guard."}) {
    if (text.starts_with(root)) text.erase(0, std::string(root).size());
  }
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    std::uint32_t child = 0;
    const auto [stop, failure] = std::from_chars(text.data() + begin, text.data() + end, child);
    if (failure != std::errc() || stop != text.data() + end) return std::nullopt;
    place.position.push_back(child);
    begin = end + 1;
  }
  return place;
}

// A callable as it stood at one time of a derivation.
struct Situation {
  const term::Derivation* derivation = nullptr;
  term::Callable callable;
  std::optional<term::CallableRun> run;  // where it is what the run ended with
};

class WhyNot {
 public:
  WhyNot(Session& session, const ExplainRequest& request)
      : session_(session), store_(session.store()), request_(request) {}

  std::string answer(const Situation& situation, const term::Rule& rule,
                     const std::optional<Place>& place) {
    const std::string name = store_[situation.callable.symbol].name;
    const std::string before =
        request_.step ? ", before step " + std::to_string(*request_.step) : "";
    std::string text =
        rule.name + " in " + name + ", rewrite with " + situation.derivation->rules + before + "\n";
    const auto found = situation.derivation->applications.find(rule.name);
    if (found != situation.derivation->applications.end() && !request_.step) {
      text += "  applied " + std::to_string(found->second) +
              (found->second == 1 ? " time" : " times") + " in this transformation\n";
    }
    if (place) return text + at(situation, rule, *place);
    const std::vector<Place> places = places_of(situation.callable, rule);
    if (places.empty() && request_.callable.empty() && !request_.step) return {};
    for (std::size_t i = 0; i < std::min(most_places, places.size()); ++i) {
      text += at(situation, rule, places[i]);
    }
    if (places.size() > most_places) {
      text += "  and " + std::to_string(places.size() - most_places) +
              " more places; name one with --at\n";
    }
    if (places.empty()) {
      text += "  no match: nothing in it begins as `" +
              to_string(store_, rule.left, most_of_place) + "` does\n";
    }
    return text;
  }

 private:
  // Where the left side's operation stands, outermost first; where it stands nowhere, one of its
  // name on other sorts.
  std::vector<Place> places_of(const term::Callable& callable, const term::Rule& rule) const {
    std::vector<Place> places;
    std::vector<Place> overloads;
    const auto search = [&](TermId root, bool in_guard) {
      std::vector<std::pair<TermId, term::Position>> pending{{root, {}}};
      while (!pending.empty()) {
        auto [term, position] = std::move(pending.back());
        pending.pop_back();
        const auto children = store_.children(term);
        for (std::size_t i = children.size(); i-- > 0;) {
          term::Position below = position;
          below.push_back(static_cast<std::uint32_t>(i));
          pending.emplace_back(children[i], std::move(below));
        }
        if (store_.symbol(term) == store_.symbol(rule.left)) {
          places.push_back({in_guard, std::move(position)});
        } else if (rewrite::is_overload(store_, term, rule.left)) {
          overloads.push_back({in_guard, std::move(position)});
        }
      }
    };
    if (callable.body) search(*callable.body, false);
    if (callable.guard) search(*callable.guard, true);
    return places.empty() ? overloads : places;
  }

  std::string at(const Situation& situation, const term::Rule& rule, const Place& place) {
    term::Theory before;
    before.callables = situation.derivation->record->callables;
    const term::Interpretation& interpretation = situation.derivation->record->interpretation;
    rewrite::ShapeOracle shapes(
        store_, session_.oracle(), before.callables, interpretation,
        [&](const rewrite::ShapeSymbols&) { return situation.derivation->laws; });
    rewrite::LemmaOracle decider(store_, shapes, situation.derivation->lemmas);
    const rewrite::Context context{store_, decider, interpretation, {}, false};
    const Attempt attempt =
        rewrite::attempt(context, before, situation.callable, rule, place.in_guard, place.position);
    const TermId root = place.in_guard ? *situation.callable.guard : *situation.callable.body;
    const auto redex = check::part_at(store_, root, place.position);
    const Excerpt around = excerpt(store_, root, place.position);
    return "  at " + to_string(place) + "\n" +
           marked(around, to_string(store_, *redex, most_of_place), "    ") + "    " +
           reason(situation, attempt) + "\n";
  }

  std::string reason(const Situation& situation, const Attempt& attempt) {
    using Outcome = Attempt::Outcome;
    const auto text = [&](const std::optional<TermId>& term) {
      return "`" + to_string(store_, *term, most_of_place) + "`";
    };
    std::string where;
    for (const std::uint32_t child : attempt.stopped) where += "." + std::to_string(child);
    where = where.empty() ? "there" : "at " + where.substr(1) + " of it";
    switch (attempt.outcome) {
      case Outcome::no_match:
        return "no match: " + where + " the left side has " + text(attempt.wanted) +
               ", and the program " + text(attempt.found);
      case Outcome::wrong_sort:
        if (!store_.children(*attempt.wanted).empty()) {
          return "wrong sort: " + where + " the left side has `" + signature(*attempt.wanted) +
                 "`, and the program `" + signature(*attempt.found) + "`";
        }
        return "wrong sort: " + where + " " + text(attempt.wanted) + " is " +
               an(store_.name(store_.sort(*attempt.wanted))) + ", and " + text(attempt.found) +
               " is " + an(store_.name(store_.sort(*attempt.found)));
      case Outcome::different_again:
        return "no match: a variable that occurs twice would be " + text(attempt.wanted) +
               " and, " + where + ", " + text(attempt.found);
      case Outcome::bound_variable:
        return "no match: " + where + " " + text(attempt.wanted) + " would be " +
               text(attempt.found) + ", which depends on a variable that is bound inside";
      case Outcome::no_change:
        return "no change: the right side is what stands there already";
      case Outcome::effects:
        return "effects: the right side has statements, which may not stand there, or changes a "
               "variable that it does not declare";
      case Outcome::refuted:
      case Outcome::unknown:
        return "condition " + text(attempt.condition) + "\n    " +
               rewrite::describe(attempt.verdict);
      case Outcome::applies:
        break;
    }
    std::string verdict;
    if (attempt.condition) {
      verdict = "condition " + text(attempt.condition) + "\n    " +
                rewrite::describe(attempt.verdict) + "\n    ";
    }
    return verdict + "applies: " + why_it_did_not(situation);
  }

  std::string signature(TermId call) const { return term::to_string(store_, store_.symbol(call)); }

  static std::string an(const std::string& sort) {
    const bool vowel = std::string("AEIOU").find(sort[0]) != std::string::npos;
    return (vowel ? "an " : "a ") + sort;
  }

  std::string why_it_did_not(const Situation& situation) const {
    using Stop = term::CallableRun::Stop;
    if (!situation.run) return "at its turn; rules are tried in the order of their names";
    switch (situation.run->stop) {
      case Stop::pass_bound:
        return "the bound of " + std::to_string(situation.derivation->bound) +
               " passes was reached before";
      case Stop::completed:
      case Stop::failed:
        return "the strategy " + situation.derivation->strategy + " has not come to it";
      case Stop::memory_bound:
        return "the bound on memory was reached before";
      case Stop::time_bound:
        return "the bound on time was reached before";
      case Stop::step_bound:
        return "the bound on steps was reached before";
      case Stop::size_bound:
        return "the bound on the size of terms was reached before";
      case Stop::normal_form:
        break;
    }
    return "the run has ended all the same";
  }

  Session& session_;
  term::Store& store_;
  const ExplainRequest& request_;
};

// The callable before a step, which is of this derivation's rewriting.
std::optional<Situation> before_step(Session& session, const term::Theory& theory,
                                     std::size_t wanted) {
  term::Store& store = session.store();
  const check::Maker make = [&](term::SymbolId symbol, const std::vector<TermId>& children,
                                const std::vector<term::SymbolId>& bound) {
    return store.make(symbol, children, bound);
  };
  std::size_t number = 0;
  for (const auto& derivation : term::derivations_of(theory)) {
    if (!derivation->record) continue;
    for (const term::CallableRun& run : derivation->runs) {
      const auto callable =
          std::ranges::find(derivation->record->callables, run.callable, &term::Callable::symbol);
      if (derivation->kind == "implement") {
        number += static_cast<std::size_t>(
            std::ranges::count(derivation->steps, run.callable, &term::Step::callable));
        continue;
      }
      Situation situation{derivation.get(), *callable, std::nullopt};
      for (const term::Step& step : derivation->steps) {
        if (step.callable != run.callable || !step.applied) continue;
        if (++number == wanted) return situation;
        auto& part = step.in_guard ? situation.callable.guard : situation.callable.body;
        const check::Replacement one{step.position, step.after};
        part = check::replaced(store, make, *part, std::span(&one, 1));
      }
    }
  }
  return std::nullopt;
}

// What each run of the derivations that have the rule ended with.
std::vector<Situation> endings(const term::Store& store, const term::Theory& theory,
                               const ExplainRequest& request) {
  std::vector<Situation> found;
  for (const auto& derivation : term::derivations_of(theory)) {
    if (!derivation->record || derivation->kind == "implement") continue;
    for (const term::CallableRun& run : derivation->runs) {
      if (!request.callable.empty() && store[run.callable].name != request.callable) continue;
      const auto callable =
          std::ranges::find(derivation->record->results, run.callable, &term::Callable::symbol);
      found.push_back({derivation.get(), *callable, run});
    }
  }
  return found;
}

std::vector<const term::Rule*> rules_of(const term::Derivation& derivation,
                                        const std::string& name) {
  std::vector<const term::Rule*> rules;
  for (const term::Rule& rule : derivation.record->rules) {
    if (rule.name == name || rule.name.starts_with(name + "#")) rules.push_back(&rule);
  }
  return rules;
}

bool has_place(const term::Store& store, const term::Callable& callable, const Place& place) {
  const auto& root = place.in_guard ? callable.guard : callable.body;
  return root && check::part_at(store, *root, place.position);
}

std::nullopt_t no_rule(const term::Theory& theory, const ExplainRequest& request,
                       syntax::Diagnostics& diagnostics) {
  const std::string& name = request.why_not;
  std::set<std::string> names;
  std::set<std::string> having;  // transformations that have the rule
  for (const auto& derivation : term::derivations_of(theory)) {
    if (!derivation->record || derivation->kind == "implement") continue;
    for (const term::Rule& rule : derivation->record->rules) names.insert(rule.name);
    if (!rules_of(*derivation, name).empty()) having.insert(derivation->rules);
  }
  if (having.empty()) {
    diagnostics.error(codes::unknown_rule, {},
                      "no transformation of '" + theory.name + "' has a rule '" + name + "'",
                      suggest(name, {names.begin(), names.end()}, "it has none at all"));
    return std::nullopt;
  }
  std::string others;
  for (const std::string& each : having) others += (others.empty() ? "" : "; ") + each;
  const std::string where =
      request.step ? "the transformation of step " + std::to_string(*request.step) + " has no"
                   : "no transformation has come to '" + request.callable + "' that has a";
  diagnostics.error(codes::unknown_rule, {}, where + " rule '" + name + "'",
                    "it is one of: " + others);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> why_not(Session& session, const term::Theory& theory,
                                   const ExplainRequest& request,
                                   syntax::Diagnostics& diagnostics) {
  std::optional<Place> place;
  if (!request.position.empty()) {
    place = read_place(request.position);
    if (!place) {
      diagnostics.error(codes::malformed_option, {}, "--at " + request.position + " is no position",
                        "write it as steps show it: body.0.1");
      return std::nullopt;
    }
  }
  std::vector<Situation> situations;
  if (request.step) {
    auto one = before_step(session, theory, *request.step);
    if (!one) {
      diagnostics.error(codes::unknown_step, {},
                        "there is no step " + std::to_string(*request.step) + " of rewriting",
                        "rhopsi explain without --step numbers them");
      return std::nullopt;
    }
    situations.push_back(std::move(*one));
  } else {
    situations = endings(session.store(), theory, request);
  }
  WhyNot answers(session, request);
  std::string text;
  const term::Rule* tried = nullptr;
  for (const Situation& situation : situations) {
    for (const term::Rule* rule : rules_of(*situation.derivation, request.why_not)) {
      tried = rule;
      if (place && !has_place(session.store(), situation.callable, *place)) continue;
      text += answers.answer(situation, *rule, place);
    }
  }
  if (tried == nullptr) return no_rule(theory, request, diagnostics);
  if (!text.empty()) return text;
  if (!place) {
    return "no match: what its transformation ended with has nothing that begins as `" +
           to_string(session.store(), tried->left, most_of_place) + "` does\n";
  }
  diagnostics.error(codes::unknown_step, {}, "nothing stands at " + request.position,
                    "positions are those of what a transformation ended with; with --step N, of "
                    "what stood before it");
  return std::nullopt;
}

}  // namespace rhopsi::driver
