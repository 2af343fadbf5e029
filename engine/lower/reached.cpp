#include "engine/lower/reached.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "engine/term/operations.hpp"
#include "engine/term/rule.hpp"

namespace rhopsi::lower {

namespace {

using term::Callable;
using term::SymbolId;
using term::TermId;

class Search {
 public:
  Search(const term::Store& store, const term::Program& program) : store_(store) {
    for (const Callable& callable : program.callables) {
      callables_.emplace(callable.symbol, &callable);
    }
  }

  void add(SymbolId symbol) {
    if (found_.insert(symbol).second) waiting_.push_back(symbol);
  }
  void add(TermId term) {
    for (SymbolId symbol : term::operations_in(store_, term)) add(symbol);
  }
  void follow() {
    while (!waiting_.empty()) {
      const auto callable = callables_.find(waiting_.back());
      waiting_.pop_back();
      if (callable != callables_.end()) add_calls(*callable->second);
    }
  }
  // Elements and shapes are asked of arrays whether or not a program does so: externals count as
  // there.
  bool speaks_of_what_is_there(TermId left) const {
    return std::ranges::all_of(term::operations_in(store_, left), [&](SymbolId symbol) {
      const auto callable = callables_.find(symbol);
      return callable == callables_.end() || callable->second->external || found_.contains(symbol);
    });
  }
  std::unordered_set<SymbolId> take() && { return std::move(found_); }

 private:
  void add_calls(const Callable& callable) {
    if (callable.guard) add(*callable.guard);
    if (callable.body) add(*callable.body);
    if (!callable.external) return;
    for (const auto& operation : callable.external->block->operations) {
      if (operation.required) add(operation.symbol);
    }
  }

  const term::Store& store_;
  std::unordered_map<SymbolId, const Callable*> callables_;
  std::unordered_set<SymbolId> found_;
  std::vector<SymbolId> waiting_;
};

}  // namespace

std::unordered_set<SymbolId> reached(term::Store& store, const term::Program& program,
                                     const onf::PrimitiveTable& table,
                                     const std::vector<SymbolId>& roots) {
  Search search(store, program);
  for (SymbolId root : roots) search.add(root);
  search.follow();
  if (!onf::has_own_shapes(store, program, table)) return std::move(search).take();
  std::vector<term::Rule> rules = term::rules_of(store, program).rules;
  for (bool more = true; more;) {
    more = false;
    std::erase_if(rules, [&](const term::Rule& rule) {
      if (!search.speaks_of_what_is_there(rule.left)) return false;
      search.add(rule.right);
      if (rule.condition) search.add(*rule.condition);
      search.follow();
      return more = true;
    });
  }
  return std::move(search).take();
}

}  // namespace rhopsi::lower
