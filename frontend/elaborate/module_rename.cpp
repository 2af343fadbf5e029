#include "frontend/elaborate/module_rename.hpp"

#include <set>
#include <unordered_map>

#include "engine/term/renaming.hpp"
#include "frontend/elaborate/module_merge.hpp"

namespace rhopsi::elaborate {

std::vector<std::string> declared_names(const term::Store& store, const Module& module) {
  std::set<std::string> names;
  for (const term::Type& type : module.theory.types) names.insert(store.name(type.sort));
  for (const term::Callable& each : module.theory.callables) names.insert(store[each.symbol].name);
  for (const term::Axiom& axiom : module.theory.axioms) names.insert(axiom.name);
  for (const Pack& pack : module.packs) names.insert(pack.name);
  for (const Template& each : module.templates) names.insert(each.name());
  return {names.begin(), names.end()};
}

namespace {

class ModuleRenamer {
 public:
  ModuleRenamer(ModuleContext& context, const Module& module, const NameMap& names)
      : context_(context),
        store_(context.store),
        module_(module),
        names_(names),
        renaming_(std::make_shared<const term::Renaming>(renaming_of(store_, module, names))),
        renamer_(store_, *renaming_) {}

  std::optional<Module> run(const syntax::Span& site) {
    Module renamed;
    renamed.theory.name = module_.theory.name;
    renamed.theory.kind = module_.theory.kind;
    for (const term::Type& type : module_.theory.types) renamed.theory.types.push_back(map(type));
    for (const term::Callable& each : module_.theory.callables) {
      renamed.theory.callables.push_back(map(each));
    }
    for (const term::Axiom& axiom : module_.theory.axioms) {
      renamed.theory.axioms.push_back(map(axiom));
    }
    for (const Pack& pack : module_.packs) {
      renamed.packs.push_back({name(pack.name), pack.location});
    }
    for (const Template& each : module_.templates) renamed.templates.push_back(map(each));
    renamed.theory.derivations = module_.theory.derivations;
    for (term::Derived& each : renamed.theory.derivations) each.renamings.push_back(renaming_);
    renamed.dropped = module_.dropped;
    for (Dropped& each : renamed.dropped) each.renamings.push_back(renaming_);
    return merged(renamed, site);
  }

 private:
  static term::Renaming renaming_of(term::Store& store, const Module& module,
                                    const NameMap& names) {
    term::Renaming renaming;
    renaming.names = names;
    for (const term::Type& type : module.theory.types) {
      const auto found = names.find(store.name(type.sort));
      if (found != names.end()) renaming.sorts.emplace(type.sort, store.sort(found->second));
    }
    for (const term::Callable& each : module.theory.callables) {
      if (builtin(store, each.symbol) != term::Builtin::none) {
        renaming.declared.insert(each.symbol);
      }
    }
    return renaming;
  }

  // Declarations may have become equal.
  std::optional<Module> merged(Module& renamed, const syntax::Span& site) {
    std::erase_if(renamed.theory.types,
                  [&](const term::Type& type) { return type.sort == store_.predicate_sort(); });
    Module result;
    result.theory.name = renamed.theory.name;
    result.theory.kind = renamed.theory.kind;
    Merger merger(context_, result);
    if (!merger.add(renamed, site)) return std::nullopt;
    return result;
  }

  const std::string& name(const std::string& old) const {
    const auto found = names_.find(old);
    return found == names_.end() ? old : found->second;
  }

  term::SortId sort(term::SortId old) const { return renamer_.sort(old); }
  term::SymbolId symbol(term::SymbolId old) { return renamer_.symbol(old); }
  term::TermId map(term::TermId old) { return renamer_.term(old); }

  // Always new variables: the renamed declaration may live beside the old one.
  std::vector<term::SymbolId> map_parameters(const std::vector<term::SymbolId>& old) {
    std::vector<term::SymbolId> parameters;
    for (term::SymbolId each : old) {
      const term::Symbol variable = store_[each];
      parameters.push_back(
          store_.fresh_variable(variable.name, sort(variable.result), variable.assignable));
      renamer_.set(each, parameters.back());
    }
    return parameters;
  }

  std::shared_ptr<const term::ExternalBlock> map(
      const std::shared_ptr<const term::ExternalBlock>& old) {
    auto& renamed = blocks_[old.get()];
    if (renamed) return renamed;
    auto copy = std::make_shared<term::ExternalBlock>(*old);
    for (auto& type : copy->types) type.sort = sort(type.sort);
    for (auto& operation : copy->operations) operation.symbol = symbol(operation.symbol);
    renamed = std::move(copy);
    return renamed;
  }

  void map(std::optional<term::ExternalBinding>& binding) {
    if (binding) binding->block = map(binding->block);
  }

  term::Type map(term::Type type) {
    type.sort = sort(type.sort);
    map(type.external);
    return type;
  }

  term::Callable map(term::Callable callable) {
    callable.symbol = symbol(callable.symbol);
    callable.parameters = map_parameters(callable.parameters);
    if (callable.guard) callable.guard = map(*callable.guard);
    if (callable.body) callable.body = map(*callable.body);
    map(callable.external);
    return callable;
  }

  term::Axiom map(term::Axiom axiom) {
    axiom.name = name(axiom.name);
    axiom.parameters = map_parameters(axiom.parameters);
    if (axiom.guard) axiom.guard = map(*axiom.guard);
    axiom.body = map(axiom.body);
    return axiom;
  }

  Template map(Template each) {
    each.declaration = rename_declaration(*each.declaration, names_);
    map(each.external);
    return each;
  }

  ModuleContext& context_;
  term::Store& store_;
  const Module& module_;
  const NameMap& names_;
  std::shared_ptr<const term::Renaming> renaming_;
  term::Renamer renamer_;
  std::unordered_map<const term::ExternalBlock*, std::shared_ptr<const term::ExternalBlock>>
      blocks_;
};

}  // namespace

std::optional<Module> rename(ModuleContext& context, const Module& module, const NameMap& names,
                             const syntax::Span& site) {
  return ModuleRenamer(context, module, names).run(site);
}

}  // namespace rhopsi::elaborate
