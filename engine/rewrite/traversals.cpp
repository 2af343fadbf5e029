// The strategies that go through a whole term.
#include "engine/rewrite/walk.hpp"

namespace rhopsi::rewrite {

using term::TermId;
using Kind = Strategy::Kind;

StrategyRun::Result StrategyRun::top_down(Node& node, TermId root, Path& path) {
  const auto before = [&](TermId& term) -> Next {
    if (stopped_) return {Next::What::keep};
    term = run(node.parts[0], term, path).value_or(term);
    return {Next::What::enter};
  };
  return walk(root, path, before, [](TermId&, std::uint64_t) { return false; });
}

StrategyRun::Result StrategyRun::bottom_up(Node& node, TermId root, Path& path) {
  const auto before = [&](TermId&) -> Next {
    return {stopped_ ? Next::What::keep : Next::What::enter};
  };
  const auto after = [&](TermId& term, std::uint64_t) {
    term = run(node.parts[0], term, path).value_or(term);
    return false;
  };
  return walk(root, path, before, after);
}

// A term is a normal form for good where no rule matched in it whose use depends on the place.
StrategyRun::Result StrategyRun::innermost(Node& node, TermId root, Path& path) {
  const auto before = [&](TermId& term) -> Next {
    return {stopped_ || node.normal.get(term) ? Next::What::keep : Next::What::enter};
  };
  const auto after = [&](TermId& term, std::uint64_t contextual) {
    if (stopped_) return false;
    const Result result = run(node.parts[0], term, path);
    if (result && *result != term) {
      term = *result;
      return true;
    }
    if (contextual == record_.contextual) node.mark_normal(term);
    return false;
  };
  return walk(root, path, before, after);
}

// After a step at a place the next one may be above it, but no higher than the strategy looks
// down; whatever lies to the left, below that, is normal.
StrategyRun::Result StrategyRun::outermost(Node& node, TermId root, Path& path) {
  const std::size_t reach = node.parts[0].reach;
  const std::size_t levels = reach == unlimited ? unlimited : reach == 0 ? 0 : reach - 1;
  const auto before = [&](TermId& term) -> Next {
    if (stopped_ || node.normal.get(term)) return {Next::What::keep};
    const Result result = run(node.parts[0], term, path);
    if (!result || *result == term) return {Next::What::enter};
    term = *result;
    return {Next::What::climb, levels};
  };
  const auto after = [&](TermId& term, std::uint64_t contextual) {
    if (!stopped_ && contextual == record_.contextual) node.mark_normal(term);
    return false;
  };
  return walk(root, path, before, after);
}

// The statement behind the first of the sequence that was replaced in this very term by the last
// application of a rule.
std::optional<std::size_t> StrategyRun::next_sequence(TermId term) const {
  auto place = firing_.replaced_in(term);
  if (!place) place = reversed_->replaced_in(term);
  if (!place) return std::nullopt;
  return *place + 1;
}

void StrategyRun::begin_at(TermId term, std::size_t from) {
  firing_.begin_at(term, from);
  reversed_->begin_at(term, from);
}

StrategyRun::Result StrategyRun::once(Node& node, TermId root, Path& path) {
  const std::uint64_t wanted = node.kind == Kind::nth ? node.number : 1;
  std::uint64_t count = 0;
  const auto before = [&](TermId& term) -> Next {
    // In a block the strategy may succeed for several sequences.
    for (std::optional<std::size_t> from = 0; from && !stopped_ && count < wanted;
         from = next_sequence(term)) {
      const Record::Mark mark = record_.mark();
      begin_at(term, *from);
      const Result result = run(node.parts[0], term, path);
      begin_at(term, 0);
      if (!result || stopped_) break;
      if (++count == wanted) {
        term = *result;
        return {Next::What::keep};
      }
      record_.take_back(mark);
    }
    return {stopped_ || count == wanted ? Next::What::keep : Next::What::enter};
  };
  const TermId result = walk(root, path, before, [](TermId&, std::uint64_t) { return false; });
  if (count != wanted && !stopped_) return std::nullopt;
  return result;
}

}  // namespace rhopsi::rewrite
