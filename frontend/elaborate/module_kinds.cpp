// What modules of one kind mean inside modules of another, and what a program needs.
#include <algorithm>
#include <map>

#include "engine/term/operations.hpp"
#include "engine/term/renaming.hpp"
#include "frontend/elaborate/module.hpp"
#include "frontend/elaborate/module_codes.hpp"

namespace rhopsi::elaborate {

namespace {

std::shared_ptr<const syntax::CallableDecl> without_body(const syntax::CallableDecl& declaration) {
  auto copy = std::make_shared<syntax::CallableDecl>(declaration);
  copy->body = nullptr;
  return copy;
}

void drop_axioms(Module& module) {
  module.theory.axioms.clear();
  std::erase_if(module.templates, [](const Template& each) { return each.axiom(); });
}

void drop_bodies(Module& module) {
  for (term::Callable& callable : module.theory.callables) callable.body.reset();
  for (Template& each : module.templates) {
    if (!each.axiom() && each.declaration->body) each.declaration = without_body(*each.declaration);
  }
}

void drop_externals(Module& module) {
  for (term::Type& type : module.theory.types) type.external.reset();
  for (term::Callable& callable : module.theory.callables) callable.external.reset();
  for (Template& each : module.templates) each.external.reset();
}

}  // namespace

void cast(Module& module, term::ModuleKind to) {
  switch (to) {
    case term::ModuleKind::signature:
      drop_axioms(module);
      drop_bodies(module);
      drop_externals(module);
      module.dropped.clear();
      break;
    case term::ModuleKind::concept_:
      drop_bodies(module);
      break;
    case term::ModuleKind::implementation:
    case term::ModuleKind::program:
      if (!module.theory.axioms.empty()) {
        module.dropped.push_back(
            {std::make_shared<const std::vector<term::Axiom>>(module.theory.axioms), {}});
      }
      drop_axioms(module);
      break;
  }
  module.theory.kind = to;
}

std::vector<term::Axiom> axioms_of(term::Store& store, const Dropped& dropped) {
  std::vector<term::Axiom> axioms = *dropped.axioms;
  for (const auto& renaming : dropped.renamings) {
    term::Renamer renamer(store, *renaming);
    for (term::Axiom& axiom : axioms) {
      for (term::SymbolId& each : axiom.parameters) each = renamer.symbol(each);
      if (axiom.guard) axiom.guard = renamer.term(*axiom.guard);
      axiom.body = renamer.term(axiom.body);
    }
  }
  return axioms;
}

void make_required(Module& module) {
  drop_axioms(module);
  drop_bodies(module);
  drop_externals(module);
  for (term::Type& type : module.theory.types) type.required = true;
  for (term::Callable& callable : module.theory.callables) callable.required = true;
  for (Template& each : module.templates) {
    auto copy = std::make_shared<syntax::CallableDecl>(*each.declaration);
    copy->required = true;
    each.declaration = std::move(copy);
  }
}

namespace {

// Declarations that came from one place (a concept used under several renamings)
// are reported together: the place can be shown only once.
using Missing = std::map<term::LocationId, std::vector<std::string>>;

void report(const ModuleContext& context, const Missing& missing, const char* code,
            const std::string& what, const std::string& note, const syntax::Name& program) {
  for (const auto& [location, names] : missing) {
    const std::string verb = names.size() == 1 ? " has " : " have ";
    syntax::Diagnostic& error =
        context.error(code, context.places.span(location),
                      listed(names) + verb + what + " in program " + in_quotes(program.text), note);
    error.related.push_back({program.span, "the program"});
  }
}

// What a program computes by itself: the operations that its bodies reach, those aside that the
// axioms of arrays gave a body and nothing calls. To each the operation that calls it.
std::map<term::SymbolId, const term::Callable*> needed_by(const term::Store& store,
                                                          const term::Theory& program) {
  std::map<term::SymbolId, const term::Callable*> callers;
  std::vector<const term::Callable*> pending;
  for (const term::Callable& callable : program.callables) {
    if (callable.body && !callable.from_axioms) pending.push_back(&callable);
  }
  while (!pending.empty()) {
    const term::Callable& caller = *pending.back();
    pending.pop_back();
    for (const std::optional<term::TermId>& part : {caller.guard, caller.body}) {
      if (!part) continue;
      for (term::SymbolId called : term::operations_in(store, *part)) {
        const term::Callable* callable = program.find(called);
        if (callable && callers.emplace(called, &caller).second) pending.push_back(callable);
      }
    }
  }
  return callers;
}

// Operations of arrays that lack an axiom: an error where the program needs them. Of a library of
// which it uses other parts, they cannot be called and take nothing from it.
bool check_gaps(const ModuleContext& context, const term::Theory& program,
                const syntax::Name& name) {
  const auto has_gap = [](const term::Callable& each) { return !each.concrete() && each.gap; };
  if (std::ranges::none_of(program.callables, has_gap)) return true;
  const auto callers = needed_by(context.store, program);
  bool good = true;
  for (const term::Callable& callable : program.callables) {
    if (!has_gap(callable)) continue;
    const auto caller = callers.find(callable.symbol);
    const bool needed = caller != callers.end();
    good = good && !needed;
    const syntax::Span place = context.places.span(callable.gap->location);
    const std::string note =
        "an array operation needs two axioms without conditions, on its shape and on its elements";
    syntax::Diagnostic& found =
        needed ? context.error(codes::cannot_implement, place, callable.gap->message, note)
               : context.diagnostics->warning(codes::cannot_implement, place, callable.gap->message,
                                              note);
    if (needed) {
      found.related.push_back(
          {context.places.span(caller->second->location),
           in_quotes(context.store[caller->second->symbol].name) + " needs it"});
    }
    found.related.push_back(
        {name.span, needed ? "the program" : "the program, which can do without it"});
  }
  return good;
}

}  // namespace

bool check_concrete(const ModuleContext& context, const Module& module,
                    const syntax::Name& program) {
  Missing types;
  Missing callables;
  for (const term::Type& type : module.theory.types) {
    if (!type.external) types[type.location].push_back(context.store.name(type.sort));
  }
  for (const term::Callable& callable : module.theory.callables) {
    if (callable.concrete() || callable.gap) continue;
    callables[callable.location].push_back(to_string(context.store, callable.symbol));
  }
  report(context, types, codes::abstract_type, "no external type",
         "use a module that binds it with `external`, or rename it to a type that is bound",
         program);
  report(context, callables, codes::abstract_callable, "neither a body nor an external",
         "define it here, use a module that defines it or binds it with `external`, or make bodies "
         "of axioms: `implement CONCEPT in`",
         program);
  const bool without_gaps = check_gaps(context, module.theory, program);
  return types.empty() && callables.empty() && without_gaps;
}

}  // namespace rhopsi::elaborate
