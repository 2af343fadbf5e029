// External blocks back to syntax: declarations under the names that they were written
// with, and a renaming that leads to the names of today.
#include <algorithm>
#include <map>
#include <set>

#include "frontend/elaborate/raiser.hpp"

namespace rhopsi::elaborate {

using term::ExternalBlock;
using term::SortId;

namespace {

bool same_block(const ExternalBlock& left, const ExternalBlock& right) {
  const auto same_type = [](const ExternalBlock::Type& a, const ExternalBlock::Type& b) {
    return a.original == b.original && a.sort == b.sort && a.required == b.required;
  };
  const auto same_operation = [](const ExternalBlock::Operation& a,
                                 const ExternalBlock::Operation& b) {
    return a.original == b.original && a.symbol == b.symbol && a.required == b.required;
  };
  return left.backend == right.backend && left.path == right.path &&
         left.attributes == right.attributes &&
         std::ranges::equal(left.types, right.types, same_type) &&
         std::ranges::equal(left.operations, right.operations, same_operation);
}

// The blocks that something in the theory is bound to, each once, in order.
std::vector<const ExternalBlock*> blocks_of(const term::Theory& theory) {
  std::vector<const ExternalBlock*> blocks;
  const auto note = [&](const std::optional<term::ExternalBinding>& binding) {
    if (!binding) return;
    const bool known = std::ranges::any_of(blocks, [&](const ExternalBlock* block) {
      return block == binding->block.get() || same_block(*block, *binding->block);
    });
    if (!known) blocks.push_back(binding->block.get());
  };
  for (const term::Type& type : theory.types) note(type.external);
  for (const term::Callable& callable : theory.callables) note(callable.external);
  return blocks;
}

// One `use (external ...)[...]`. A renaming gives each original name one name of
// today; operations that share a name and no longer do need several of these.
class BlockRaiser {
 public:
  BlockRaiser(const term::Store& store, const term::Theory& theory, const ExternalBlock& block)
      : store_(store), theory_(theory), block_(block) {}

  std::vector<syntax::UseDecl> raise() {
    for (const ExternalBlock::Operation& operation : block_.operations) {
      if (is_present(operation)) place(operation);
    }
    if (groups_.empty()) groups_.emplace_back();
    std::vector<syntax::UseDecl> uses;
    for (std::size_t i = 0; i < groups_.size(); ++i) uses.push_back(use_of(i));
    return uses;
  }

 private:
  using Operations = std::vector<const ExternalBlock::Operation*>;

  bool binds(const std::optional<term::ExternalBinding>& binding) const {
    return binding && (binding->block.get() == &block_ || same_block(*binding->block, block_));
  }

  bool is_present(const ExternalBlock::Operation& operation) const {
    const term::Callable* callable = theory_.find(operation.symbol);
    return callable && (operation.required || binds(callable->external));
  }

  // Into the first group in which its original name is called the same today.
  void place(const ExternalBlock::Operation& operation) {
    const std::string& now = store_[operation.symbol].name;
    for (Operations& group : groups_) {
      const bool fits = std::ranges::all_of(group, [&](const ExternalBlock::Operation* other) {
        return other->original != operation.original || store_[other->symbol].name == now;
      });
      if (!fits) continue;
      group.push_back(&operation);
      return;
    }
    groups_.push_back({&operation});
  }

  // The sort's name inside the block. A sort that the block does not know keeps its
  // name unless the block uses that name for something else.
  const std::string& inside(SortId sort) {
    auto found = names_.find(sort);
    if (found != names_.end()) return found->second;
    std::string name = store_.name(sort);
    while (originals_.contains(name)) name += "_";
    originals_.insert(name);
    return names_[sort] = name;
  }

  void add_type(syntax::ModuleBody& body, SortId sort, bool required) {
    const term::Type* type = theory_.find_type(sort);
    syntax::TypeDecl declaration{
        plain_name(inside(sort)), required, false, false, false, false, {}};
    if (type) {
      declaration.integer_literals = type->integer_literals;
      declaration.real_literals = type->real_literals;
      declaration.vector_literals = type->vector_literals;
    }
    rename(declaration.name.text, store_.name(sort));
    declared_.insert(sort);
    body.items.emplace_back(std::move(declaration));
  }

  void add_operation(syntax::ModuleBody& body, const ExternalBlock::Operation& operation) {
    const term::Symbol& symbol = store_[operation.symbol];
    std::vector<SortId> sorts = symbol.parameters;
    if (symbol.kind == term::SymbolKind::function) sorts.push_back(symbol.result);
    for (SortId sort : sorts) {
      if (sort != store_.predicate_sort() && !declared_.contains(sort)) add_type(body, sort, true);
    }
    Names names(store_);
    std::vector<std::string> parameters;
    for (term::SymbolId parameter : theory_.find(operation.symbol)->parameters) {
      parameters.push_back(names.bind(parameter));
    }
    syntax::CallableDecl declaration = raise_head(store_, operation.symbol, parameters);
    declaration.name.text = operation.original;
    declaration.required = operation.required;
    for (std::size_t i = 0; i < declaration.parameters.size(); ++i) {
      declaration.parameters[i].type.name.text = inside_or_builtin(symbol.parameters[i]);
    }
    if (declaration.result) declaration.result->name.text = inside_or_builtin(symbol.result);
    rename(operation.original, symbol.name);
    body.items.emplace_back(std::move(declaration));
  }

  std::string inside_or_builtin(SortId sort) {
    return sort == store_.predicate_sort() ? store_.name(sort) : inside(sort);
  }

  void rename(const std::string& original, const std::string& now) {
    if (original != now) renaming_[original] = now;
  }

  syntax::UseDecl use_of(std::size_t group) {
    names_.clear();
    originals_.clear();
    renaming_.clear();
    declared_.clear();
    for (const ExternalBlock::Type& type : block_.types) {
      names_.emplace(type.sort, type.original);
      originals_.insert(type.original);
    }
    for (const ExternalBlock::Operation* operation : groups_[group]) {
      originals_.insert(operation->original);
    }
    syntax::ModuleBody body;
    for (const ExternalBlock::Type& type : block_.types) {
      const term::Type* declared = theory_.find_type(type.sort);
      if (!declared) continue;
      if (!type.required && !binds(declared->external)) continue;
      add_type(body, type.sort, type.required || group > 0);
    }
    for (const ExternalBlock::Operation* operation : groups_[group]) {
      add_operation(body, *operation);
    }
    return wrap(std::move(body));
  }

  // The renaming stands outside the external: inside it would rename before binding.
  syntax::UseDecl wrap(syntax::ModuleBody body) const {
    auto inner = std::make_shared<syntax::ModuleExpr>();
    inner->node = std::move(body);
    auto outer = std::make_shared<syntax::ModuleExpr>();
    outer->node = syntax::External{plain_name(block_.backend), block_.attributes,
                                   plain_name(block_.path), std::move(inner)};
    if (!renaming_.empty()) {
      syntax::RenamingBlock renaming;
      for (const auto& [original, now] : renaming_) {
        renaming.items.push_back({plain_name(original), plain_name(now)});
      }
      outer->renamings.push_back(std::move(renaming));
    }
    return {std::move(outer), false, {}};
  }

  const term::Store& store_;
  const term::Theory& theory_;
  const ExternalBlock& block_;
  std::vector<Operations> groups_;
  std::map<SortId, std::string> names_;
  std::set<std::string> originals_;
  std::map<std::string, std::string> renaming_;
  std::set<SortId> declared_;
};

}  // namespace

std::vector<syntax::UseDecl> raise_externals(const term::Store& store, const term::Theory& theory) {
  std::vector<syntax::UseDecl> uses;
  for (const ExternalBlock* block : blocks_of(theory)) {
    std::vector<syntax::UseDecl> more = BlockRaiser(store, theory, *block).raise();
    std::move(more.begin(), more.end(), std::back_inserter(uses));
  }
  return uses;
}

}  // namespace rhopsi::elaborate
