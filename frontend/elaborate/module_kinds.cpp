// What modules of one kind mean inside modules of another, and what a program needs.
#include <algorithm>
#include <map>

#include "engine/term/operations.hpp"
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
      break;
    case term::ModuleKind::concept_:
      drop_bodies(module);
      break;
    case term::ModuleKind::implementation:
    case term::ModuleKind::program:
      drop_axioms(module);
      break;
  }
  module.theory.kind = to;
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

}  // namespace

bool check_concrete(const ModuleContext& context, const Module& module,
                    const syntax::Name& program) {
  Missing types;
  Missing callables;
  for (const term::Type& type : module.theory.types) {
    if (!type.external) types[type.location].push_back(context.store.name(type.sort));
  }
  for (const term::Callable& callable : module.theory.callables) {
    if (callable.concrete()) continue;
    callables[callable.location].push_back(to_string(context.store, callable.symbol));
  }
  report(context, types, codes::abstract_type, "no external type",
         "use a module that binds it with `external`, or rename it to a type that is bound",
         program);
  report(context, callables, codes::abstract_callable, "neither a body nor an external",
         "define it here, or use a module that defines it or binds it with `external`", program);
  return types.empty() && callables.empty();
}

}  // namespace rhopsi::elaborate
