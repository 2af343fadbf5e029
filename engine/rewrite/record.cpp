#include "engine/rewrite/record.hpp"

#include <algorithm>
#include <limits>

namespace rhopsi::rewrite {

using term::TermId;

std::size_t TermSizes::of(TermId root) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 4;
  const auto known = [&](TermId term) { return sizes_.get(term); };
  if (known(root) != 0) return known(root);
  std::vector<std::pair<TermId, std::size_t>> stack{{root, 0}};
  while (!stack.empty()) {
    auto& [term, next] = stack.back();
    const auto children = store_.children(term);
    while (next < children.size() && known(children[next]) != 0) ++next;
    if (next < children.size()) {
      stack.emplace_back(children[next], 0);
      continue;
    }
    std::size_t size = 1;
    for (TermId child : children) size = std::min(most, size + known(child));
    sizes_[term] = size;
    stack.pop_back();
  }
  return known(root);
}

Record::Record(const Context& context, std::uint64_t bound)
    : sizes(context.store), context_(context), terms_before_(context.store.term_count()) {
  derivation_.kind = "rewrite";
  derivation_.bound = bound;
}

void Record::begin(const term::Callable& callable) {
  run = {};
  run.callable = callable.symbol;
  refused.clear();
  applied_.clear();
  size = 0;
}

void Record::finish(Stop stop) {
  run.stop = stop;
  derivation_.runs.push_back(run);
}

term::Derivation Record::take() {
  derivation_.visits += visits;
  return std::move(derivation_);
}

void Record::applied(const std::string& rule) {
  ++steps_;
  ++run.steps;
  ++derivation_.applications[rule];
  applied_.push_back(&rule);
}

void Record::add(term::Step step) {
  recorded_bytes_ += sizeof(term::Step) + step.position.size() * sizeof(step.position[0]);
  derivation_.steps.push_back(std::move(step));
}

Record::Mark Record::mark() const { return {applied_.size(), derivation_.steps.size(), size}; }

void Record::take_back(const Mark& mark) {
  for (; applied_.size() > mark.applied; applied_.pop_back()) {
    const auto count = derivation_.applications.find(*applied_.back());
    if (--count->second == 0) derivation_.applications.erase(count);
    --run.steps;
  }
  auto& steps = derivation_.steps;
  const auto from = steps.begin() + static_cast<std::ptrdiff_t>(mark.steps);
  steps.erase(
      std::remove_if(from, steps.end(), [](const term::Step& step) { return step.applied; }),
      steps.end());
  size = mark.size;
}

std::optional<Record::Stop> Record::exhausted() {
  if (reached_) return reached_;
  const Limits& limits = context_.limits;
  if (steps_ >= limits.steps) reached_ = Stop::step_bound;
  if (context_.store.term_count() - terms_before_ >= limits.terms_made) reached_ = Stop::size_bound;
  if (context_.store.bytes() + recorded_bytes_ >= limits.bytes) reached_ = Stop::memory_bound;
  if (asked_++ % 64 == 0) out_of_time();
  if (!reached_ && by_steps && run.steps >= derivation_.bound) return Stop::step_bound;
  return reached_;
}

bool Record::out_of_time() {
  const auto& time = context_.limits.time;
  if (time && std::chrono::steady_clock::now() - begin_ >= *time) reached_ = Stop::time_bound;
  return reached_ == Stop::time_bound;
}

std::optional<Record::Stop> Record::exhausted_or_large() {
  if (auto reached = exhausted()) return reached;
  if (size > context_.limits.term_size) return Stop::size_bound;
  return std::nullopt;
}

void Record::grown(std::size_t before, std::size_t after) {
  size = size - std::min(size, before) + after;
}

}  // namespace rhopsi::rewrite
