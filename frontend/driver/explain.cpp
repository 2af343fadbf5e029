#include "frontend/driver/explain.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "engine/check/replacement.hpp"
#include "engine/rewrite/derivation.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/excerpt.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/driver/nearest.hpp"
#include "frontend/driver/why_not.hpp"

namespace rhopsi::driver {

using term::SymbolId;
using term::TermId;

namespace {

constexpr std::size_t most_of_step = 400;  // of a redex or contractum

std::string place_of(const term::Store& store, term::LocationId id) {
  const term::Location& location = store[id];
  if (location.file.empty()) return {};
  return " (" + shown_path(location.file) + ":" + std::to_string(location.line) + ")";
}

std::string at_depth(const term::Step& step) {
  std::string text = step.in_guard ? "guard" : "body";
  for (const std::uint32_t child : step.position) text += "." + std::to_string(child);
  return text;
}

// Follows the steps of every callable, so that each can be shown where it stands.
class Explanation {
 public:
  Explanation(Session& session, const term::Theory& theory, const ExplainRequest& request)
      : store_(session.store()), theory_(theory), request_(request) {}

  std::string run() {
    for (const auto& derivation : term::derivations_of(theory_)) {
      if (derivation->record) explain(*derivation);
    }
    return std::move(text_);
  }
  std::size_t steps() const { return number_; }

 private:
  bool wanted(SymbolId callable) const {
    return request_.callable.empty() || store_[callable].name == request_.callable;
  }

  void explain(const term::Derivation& derivation) {
    derivation_ = &derivation;
    std::map<SymbolId, std::vector<const term::Step*>> by_callable;
    for (const term::Step& step : derivation.steps) by_callable[step.callable].push_back(&step);
    const std::size_t begin = text_.size();
    for (const term::CallableRun& run : derivation.runs) {
      const auto steps = by_callable.find(run.callable);
      if (steps == by_callable.end()) continue;
      if (derivation.kind == "implement") {
        for (const term::Step* step : steps->second) define(*step);
      } else {
        follow(run, steps->second);
      }
    }
    if (text_.size() == begin) return;
    text_.insert(begin,
                 (begin == 0 ? "" : "\n") + derivation.kind + " with " + derivation.rules + "\n");
  }

  void define(const term::Step& step) {
    ++number_;
    if (!wanted(step.callable) || (request_.step && *request_.step != number_)) return;
    text_ += "step " + std::to_string(number_) + ": " + step.rule +
             place_of(store_, step.rule_location) + " defines " + to_string(store_, step.callable) +
             "\n     " + to_string(store_, step.before, most_of_step) + "\n  => " +
             to_string(store_, step.after, most_of_step) + "\n";
  }

  void follow(const term::CallableRun& run, const std::vector<const term::Step*>& steps) {
    const auto callable =
        std::ranges::find(derivation_->record->callables, run.callable, &term::Callable::symbol);
    body_ = callable->body;
    guard_ = callable->guard;
    std::size_t first = 0;
    while (first < steps.size()) {
      std::size_t last = first;
      while (last < steps.size() && steps[last]->pass == steps[first]->pass) ++last;
      const std::span<const term::Step* const> pass(steps.data() + first, last - first);
      for (const term::Step* step : pass) show(*step);
      apply(pass);
      first = last;
    }
  }

  void apply(std::span<const term::Step* const> pass) {
    std::vector<check::Replacement> in_body;
    std::vector<check::Replacement> in_guard;
    for (const term::Step* step : pass) {
      if (!step->applied) continue;
      (step->in_guard ? in_guard : in_body).push_back({step->position, step->after});
    }
    const check::Maker make = [this](SymbolId symbol, const std::vector<TermId>& children,
                                     const std::vector<SymbolId>& bound) {
      return store_.make(symbol, children, bound);
    };
    if (!in_body.empty()) body_ = check::replaced(store_, make, *body_, in_body);
    if (!in_guard.empty()) guard_ = check::replaced(store_, make, *guard_, in_guard);
  }

  void show(const term::Step& step) {
    if (step.applied) ++number_;
    if (!wanted(step.callable)) return;
    if (request_.step && (!step.applied || *request_.step != number_)) return;
    text_ += step.applied ? "step " + std::to_string(number_) : "refused";
    text_ += ": " + step.rule + place_of(store_, step.rule_location) + " in " +
             store_[step.callable].name + ", pass " + std::to_string(step.pass) + ", " +
             at_depth(step) + "\n";
    const Excerpt around = excerpt(store_, step.in_guard ? *guard_ : *body_, step.position);
    text_ += marked(around, to_string(store_, step.before, most_of_step), "     ");
    if (step.applied) {
      text_ += marked(around, to_string(store_, step.after, most_of_step), "  => ");
    }
    if (step.condition) {
      text_ += "  where " + to_string(store_, *step.condition, most_of_step) + "\n";
    }
    if (step.condition || !step.applied) text_ += "  " + rewrite::describe(step.verdict) + "\n";
  }

  term::Store& store_;
  const term::Theory& theory_;
  const ExplainRequest& request_;
  const term::Derivation* derivation_ = nullptr;
  std::size_t number_ = 0;
  std::optional<TermId> body_;
  std::optional<TermId> guard_;
  std::string text_;
};

std::vector<std::string> callables_of(const term::Store& store, const term::Theory& theory) {
  std::vector<std::string> names;
  for (const auto& derivation : term::derivations_of(theory)) {
    for (const term::Step& step : derivation->steps) {
      const std::string& name = store[step.callable].name;
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

}  // namespace

std::optional<std::string> explain(Session& session, const term::Theory& theory,
                                   const ExplainRequest& request,
                                   syntax::Diagnostics& diagnostics) {
  const bool known =
      request.callable.empty() || !theory.overloads(session.store(), request.callable).empty();
  const auto names = callables_of(session.store(), theory);
  if (!known && std::ranges::find(names, request.callable) == names.end()) {
    diagnostics.error(codes::unknown_callable, {},
                      "'" + theory.name + "' has no operation '" + request.callable + "'",
                      suggest(request.callable, names, "nothing in it is rewritten"));
    return std::nullopt;
  }
  if (!request.why_not.empty()) return why_not(session, theory, request, diagnostics);
  Explanation explanation(session, theory, request);
  std::string text = explanation.run();
  if (!text.empty()) return text;
  const std::string count = std::to_string(explanation.steps());
  if (request.step) {
    const bool there = *request.step >= 1 && *request.step <= explanation.steps();
    diagnostics.error(codes::unknown_step, {},
                      there ? "step " + std::to_string(*request.step) + " is not one of '" +
                                  request.callable + "'"
                            : "there is no step " + std::to_string(*request.step),
                      "the derivation of '" + theory.name + "' has " + count + " steps, from 1");
    return std::nullopt;
  }
  return "nothing was rewritten\n";
}

namespace {

std::string how_to_show(const term::Store& store, const term::Step& step) {
  return (step.verdict.lemmas.empty()
              ? "it follows only from the guard of an operation that is called there"
              : "it follows only from " + step.verdict.decider +
                    ", which is stated and not proved here") +
         "; give `" + store[step.callable].name +
         "` a guard that says so, or leave --no-assume out";
}

}  // namespace

void report_assumed(Session& session, const term::Theory& theory,
                    syntax::Diagnostics& diagnostics) {
  for (const auto& derivation : term::derivations_of(theory)) {
    for (const term::Step& step : derivation->steps) {
      if (!step.applied || step.verdict.basis != term::Basis::assumed) continue;
      diagnostics.error(
          codes::condition_assumed, session.span(session.store().location(step.before)),
          "the condition of " + step.rule +
              " is assumed here: " + to_string(session.store(), *step.condition, most_of_step),
          how_to_show(session.store(), step));
    }
  }
}

}  // namespace rhopsi::driver
