#include "engine/rewrite/strategy_run.hpp"

#include <algorithm>
#include <utility>

#include "engine/rewrite/reach.hpp"
#include "engine/rewrite/walk.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::Control;
using term::TermId;
using Kind = Strategy::Kind;

std::string_view axiom_of(std::string_view rule) { return rule.substr(0, rule.find('#')); }

// --------------------------------------------------------------- preparation

StrategyRun::StrategyRun(const Context& context, FactSource& facts, Firing& firing, Passes& passes,
                         Record& record, const Strategy& strategy)
    : context_(context),
      store_(context.store),
      facts_(facts),
      firing_(firing),
      passes_(passes),
      record_(record) {
  prepare_reversed(strategy);
  reversed_.emplace(context_, facts_, reversed_rules_, record_, firing_.rules().size());
  root_ = std::make_unique<Node>(prepare(strategy));
}

StrategyRun::~StrategyRun() = default;

void StrategyRun::prepare_reversed(const Strategy& strategy) {
  for (const Strategy& part : strategy.parts) prepare_reversed(part);
  if (strategy.kind != Kind::reversed) return;
  for (const term::Rule& rule : firing_.rules()) {
    if (rule.name != strategy.name && axiom_of(rule.name) != strategy.name) continue;
    term::Rule turned = rule;
    turned.name = "reversed(" + rule.name + ")";
    turned.variables = term::free_variables(store_, rule.right);
    std::swap(turned.left, turned.right);
    const auto same = [&](const term::Rule& each) { return each.name == turned.name; };
    if (std::ranges::none_of(reversed_rules_, same)) reversed_rules_.push_back(std::move(turned));
  }
}

StrategyRun::Node StrategyRun::prepare(const Strategy& strategy) {
  Node node;
  node.kind = strategy.kind;
  node.number = strategy.number;
  node.name = strategy.name;
  node.depends_on_callable = strategy.kind == Kind::callable;
  for (const Strategy& part : strategy.parts) {
    node.parts.push_back(prepare(part));
    node.depends_on_callable = node.depends_on_callable || node.parts.back().depends_on_callable;
  }
  prepare_rules(strategy, node);
  node.reach = reach_of(node);
  // The same steps in the same order, without walking from the root for each of them.
  if (node.kind == Kind::repeat && node.parts[0].kind == Kind::once &&
      node.parts[0].parts[0].firing != nullptr) {
    Node once = std::move(node.parts[0]);  // out of the node that it is to replace
    node = std::move(once);
    node.kind = Kind::outermost;
  }
  return node;
}

void StrategyRun::prepare_rules(const Strategy& strategy, Node& node) {
  const bool backwards = strategy.kind == Kind::reversed;
  if (strategy.kind != Kind::rules && strategy.kind != Kind::rule && !backwards) return;
  node.firing = backwards ? &*reversed_ : &firing_;
  if (strategy.kind == Kind::rules) return;
  for (const term::Rule& rule : node.firing->rules()) {
    std::string_view name = rule.name;
    if (backwards) name = name.substr(9, name.size() - 10);  // of `reversed(name)`
    node.selected.push_back(name == strategy.name || axiom_of(name) == strategy.name);
  }
}

// How deep below a term the strategy looks to decide whether it succeeds there.
std::size_t StrategyRun::reach_of(const Node& node) const {
  std::size_t most = 0;
  switch (node.kind) {
    case Kind::id:
    case Kind::fail:
      return 0;
    case Kind::rules:
    case Kind::rule:
    case Kind::reversed:
      for (std::uint32_t rule = 0; rule < node.firing->rules().size(); ++rule) {
        if (!node.selected.empty() && !node.selected[rule]) continue;
        const auto depth =
            reach(store_, node.firing->rules()[rule], node.firing->candidates().traits(rule));
        most = std::max(most, depth.value_or(unlimited));
      }
      return most;
    case Kind::choice:
      for (const Node& part : node.parts) most = std::max(most, part.reach);
      return most;
    default:
      return unlimited;
  }
}

void StrategyRun::forget_marks(Node& node) {
  for (Node& part : node.parts) forget_marks(part);
  if (!node.depends_on_callable) return;
  for (TermId term : node.marked) node.normal[term] = false;
  node.marked.clear();
}

void StrategyRun::enter(const term::Callable& callable) {
  stopped_.reset();
  forget_marks(*root_);
  record_.size = 0;
  if (callable.body) record_.size += record_.sizes.of(*callable.body);
  if (callable.guard) record_.size += record_.sizes.of(*callable.guard);
}

void StrategyRun::add_work() {
  record_.derivation().visits += reversed_->candidates().summarised();
  record_.derivation().attempts += reversed_->candidates().attempts();
}

// ---------------------------------------------------------------- at one term

std::optional<TermId> StrategyRun::run(TermId term, Path& path) { return run(*root_, term, path); }

StrategyRun::Result StrategyRun::run(Node& node, TermId term, Path& path) {
  if (stopped_) return term;
  switch (node.kind) {
    case Kind::id:
      return term;
    case Kind::fail:
      return std::nullopt;
    case Kind::rules:
    case Kind::rule:
    case Kind::reversed:
      return apply_rules(node, term, path);
    case Kind::seq:
      return sequence(node, term, path);
    case Kind::choice:
      return choose(node, term, path);
    case Kind::try_:
      return run(node.parts[0], term, path).value_or(term);
    case Kind::repeat:
      return repeat(node, term, path);
    case Kind::all:
    case Kind::one:
      return parts(node, term, path);
    case Kind::child:
      return part(node, term, path, node.number);
    case Kind::statement:
      return statement(node, term, path);
    case Kind::definition:
      return definition(node, term, path);
    case Kind::callable:
      if (store_[record_.run.callable].name != node.name) return term;
      return run(node.parts[0], term, path);
    case Kind::topdown:
      return top_down(node, term, path);
    case Kind::bottomup:
      return bottom_up(node, term, path);
    case Kind::innermost:
      return innermost(node, term, path);
    case Kind::outermost:
      return outermost(node, term, path);
    case Kind::once:
    case Kind::nth:
      return once(node, term, path);
    case Kind::passes:
      return all_passes(node, term, path);
  }
  return std::nullopt;
}

StrategyRun::Result StrategyRun::apply_rules(Node& node, TermId term, Path& path) {
  Candidates& candidates = node.firing->candidates();
  Result result;
  if (++record_.visits % 256 == 0 && record_.out_of_time()) {
    stopped_ = record_.reached();
    return term;
  }
  for (std::uint32_t rule : candidates.rules_at(term)) {
    if (!node.selected.empty() && !node.selected[rule]) continue;
    // At a bound it is only looked whether there is a redex.
    if (const auto reached = record_.exhausted_or_large()) {
      if (!node.firing->find(rule, term, path, false)) continue;
      stopped_ = reached;
      return term;
    }
    record_.pass = record_.run.steps + 1;
    result = node.firing->contract(rule, term, path);
    if (result) break;
    if ((stopped_ = record_.reached())) return term;
  }
  node.firing->keep_refusals(Passes::none);
  if (result) record_.grown(record_.sizes.of(term), record_.sizes.of(*result));
  return result;
}

StrategyRun::Result StrategyRun::sequence(Node& node, TermId term, Path& path) {
  const Record::Mark before = record_.mark();
  for (Node& part : node.parts) {
    const Result next = run(part, term, path);
    if (!next) {
      record_.take_back(before);
      return std::nullopt;
    }
    term = *next;
  }
  return term;
}

StrategyRun::Result StrategyRun::choose(Node& node, TermId term, Path& path) {
  for (Node& part : node.parts) {
    if (const Result result = run(part, term, path)) return result;
  }
  return std::nullopt;
}

StrategyRun::Result StrategyRun::repeat(Node& node, TermId term, Path& path) {
  while (!stopped_) {
    const Result next = run(node.parts[0], term, path);
    if (!next || *next == term) break;
    term = *next;
  }
  return term;
}

// ------------------------------------------------------------------ its parts

StrategyRun::Result StrategyRun::parts(Node& node, TermId term, Path& path) {
  const Record::Mark before = record_.mark();
  const bool all = node.kind == Kind::all;
  bool done = all;
  std::vector<TermId> children;
  path.push(term);
  while (const auto child = path.next_child()) {
    const Result result = !all && done ? *child : run(node.parts[0], *child, path);
    if (!result && all) {
      done = false;
      break;
    }
    done = done || result.has_value();
    children.push_back(result.value_or(*child));
  }
  path.pop();
  if (done) return with_children(store_, term, children);
  record_.take_back(before);
  return std::nullopt;
}

StrategyRun::Result StrategyRun::part(Node& node, TermId term, Path& path, std::uint64_t number) {
  if (number == 0 || number > store_.children(term).size()) return std::nullopt;
  const auto place = static_cast<std::size_t>(number - 1);
  path.push(term);
  path.go_to(static_cast<std::uint32_t>(place));
  const Result result = run(node.parts[0], store_.children(term)[place], path);
  path.pop();
  if (!result) return std::nullopt;
  const auto old = store_.children(term);
  std::vector<TermId> children(old.begin(), old.end());
  children[place] = *result;
  return with_children(store_, term, children);
}

StrategyRun::Result StrategyRun::statement(Node& node, TermId term, Path& path) {
  if (store_.is(term, Control::block)) return part(node, term, path, node.number);
  constexpr std::uint32_t body = 2;  // of a loop
  if (!store_.is(term, Control::for_) && !store_.is(term, Control::while_)) return std::nullopt;
  const TermId block = store_.children(term)[body];
  if (!store_.is(block, Control::block)) return std::nullopt;
  path.push(term);
  path.go_to(body);
  const Result result = part(node, block, path, node.number);
  path.pop();
  if (!result) return std::nullopt;
  const auto old = store_.children(term);
  std::vector<TermId> children(old.begin(), old.end());
  children[body] = *result;
  return with_children(store_, term, children);
}

StrategyRun::Result StrategyRun::definition(Node& node, TermId root, Path& path) {
  const std::size_t base = path.depth();
  bool found = false;
  const auto defines = [&](TermId parent) {
    const Control control = store_.head(parent).control;
    return (control == Control::declare || control == Control::assign) && path.child() == 1 &&
           store_.head(store_.children(parent)[0]).name == node.name;
  };
  const auto before = [&](TermId& term) -> Next {
    if (stopped_) return {Next::What::keep};
    if (path.depth() == base || !defines(path.top())) return {Next::What::enter};
    if (const Result result = run(node.parts[0], term, path)) {
      found = true;
      term = *result;
    }
    return {Next::What::keep};
  };
  const TermId result = walk(root, path, before, [](TermId&, std::uint64_t) { return false; });
  if (!found) return std::nullopt;
  return result;
}

StrategyRun::Result StrategyRun::all_passes(Node& node, TermId term, Path& path) {
  for (std::uint64_t pass = 0; node.number == 0 || pass < node.number; ++pass) {
    record_.pass = record_.run.steps + 1;
    const std::uint32_t rule =
        passes_.find_contextual(term, path, passes_.find_plain(term, Passes::none));
    firing_.keep_refusals(rule);
    if (rule == Passes::none) break;
    if ((stopped_ = record_.exhausted_or_large())) break;
    const TermId next = passes_.apply(rule, term, path);
    firing_.keep_refusals(rule + 1);
    record_.grown(record_.sizes.of(term), record_.sizes.of(next));
    term = next;
  }
  return term;
}

}  // namespace rhopsi::rewrite
