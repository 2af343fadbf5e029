#include "engine/rewrite/focus.hpp"

#include <algorithm>

namespace rhopsi::rewrite {

using term::TermId;

FocusedTerm::FocusedTerm(const Context& context, FactSource& facts, Firing& firing, Passes& passes,
                         TermId root, bool in_guard, std::optional<std::size_t> reach)
    : store_(context.store),
      firing_(firing),
      passes_(passes),
      reach_(reach),
      path_(context.store, facts, in_guard),
      term_(root) {}

std::uint32_t FocusedTerm::first_plain() {
  const std::uint32_t outside = frames_.empty() ? Passes::none : frames_.back().rule;
  return passes_.find_plain(term_, outside);
}

std::uint32_t FocusedTerm::first_contextual(std::uint32_t best) {
  return passes_.find_contextual(close(), path_, best);
}

void FocusedTerm::apply(std::uint32_t rule) {
  while (!frames_.empty() && frames_.back().rule <= rule) leave();
  term_ = passes_.apply(rule, term_, path_);
  if (!reach_) return;
  const std::vector<std::uint32_t>& way = passes_.way_to_changes();
  // The rules must not see from above what has changed.
  for (std::size_t above = way.size() + 1; !frames_.empty() && above < *reach_; ++above) leave();
  for (std::size_t level = 0; level + *reach_ < way.size(); ++level) enter(way[level]);
}

std::size_t FocusedTerm::size() {
  const std::size_t outside = frames_.empty() ? 0 : frames_.back().outside;
  return outside + firing_.candidates().summary(term_).size;
}

TermId FocusedTerm::close() {
  while (!frames_.empty()) leave();
  return term_;
}

void FocusedTerm::leave() {
  const TermId above = frames_.back().term;
  const auto old = store_.children(above);
  std::vector<TermId> children(old.begin(), old.end());
  children[path_.child()] = term_;
  term_ = with_children(store_, above, children);
  path_.pop();
  frames_.pop_back();
}

void FocusedTerm::enter(std::uint32_t child) {
  Candidates& candidates = firing_.candidates();
  Frame frame{term_, rule_at(term_), 1};
  const auto children = store_.children(term_);
  for (std::uint32_t i = 0; i < children.size(); ++i) {
    if (i == child) continue;
    const Candidates::Summary beside = candidates.summary(children[i]);
    frame.rule = std::min(frame.rule, beside.plain);
    frame.outside += beside.size;
  }
  if (!frames_.empty()) {
    frame.rule = std::min(frame.rule, frames_.back().rule);
    frame.outside += frames_.back().outside;
  }
  path_.push(term_);
  path_.go_to(child);
  frames_.push_back(frame);
  term_ = children[child];
}

// The first rule that changes the very term; without a context, since rules that have one leave
// the whole term in focus.
std::uint32_t FocusedTerm::rule_at(TermId term) {
  for (std::uint32_t rule : firing_.candidates().rules_at(term)) {
    if (firing_.candidates().changes(rule, term)) return rule;
  }
  return Passes::none;
}

}  // namespace rhopsi::rewrite
