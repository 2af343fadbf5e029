#include "frontend/elaborate/raise.hpp"

#include "frontend/elaborate/raiser.hpp"

namespace rhopsi::elaborate {

namespace {

// Asking how a raised expression will be read interns the symbols of builtin
// predicates and literals. That changes nothing that a holder of the store can see
// but its size, so callers need not give up a const store.
term::Store& interning(const term::Store& store) { return const_cast<term::Store&>(store); }

syntax::Mode mode_of(term::Mode mode) {
  switch (mode) {
    case term::Mode::obs:
      return syntax::Mode::obs;
    case term::Mode::upd:
      return syntax::Mode::upd;
    case term::Mode::out:
      break;
  }
  return syntax::Mode::out;
}

syntax::CallableKind kind_of(term::SymbolKind kind) {
  switch (kind) {
    case term::SymbolKind::predicate:
      return syntax::CallableKind::predicate;
    case term::SymbolKind::procedure:
      return syntax::CallableKind::procedure;
    default:
      return syntax::CallableKind::function;
  }
}

syntax::ModuleKind kind_of(term::ModuleKind kind) {
  switch (kind) {
    case term::ModuleKind::signature:
      return syntax::ModuleKind::signature;
    case term::ModuleKind::concept_:
      return syntax::ModuleKind::concept_;
    case term::ModuleKind::implementation:
      return syntax::ModuleKind::implementation;
    case term::ModuleKind::program:
      break;
  }
  return syntax::ModuleKind::program;
}

std::vector<std::string> bind_all(Raiser& raiser, const std::vector<term::SymbolId>& parameters) {
  std::vector<std::string> names;
  for (term::SymbolId parameter : parameters) names.push_back(raiser.names().bind(parameter));
  return names;
}

syntax::ExprPtr guard_of(Raiser& raiser, const term::Store& store,
                         const std::optional<term::TermId>& guard) {
  return guard ? raiser.expression(*guard, store.predicate_sort()) : nullptr;
}

syntax::CallableDecl callable_in(const Scope& scope, const term::Callable& callable) {
  const term::Store& store = scope.store();
  Raiser raiser(scope);
  syntax::CallableDecl declaration =
      raise_head(store, callable.symbol, bind_all(raiser, callable.parameters));
  declaration.required = callable.required;
  declaration.guard = guard_of(raiser, store, callable.guard);
  if (!callable.body) return declaration;
  const term::Symbol& symbol = store[callable.symbol];
  declaration.body = symbol.kind == term::SymbolKind::procedure
                         ? raiser.statement(*callable.body)
                         : raiser.expression(*callable.body, symbol.result);
  return declaration;
}

syntax::CallableDecl axiom_in(const Scope& scope, const term::Axiom& axiom) {
  const term::Store& store = scope.store();
  Raiser raiser(scope);
  syntax::CallableDecl declaration{};
  declaration.kind = axiom.theorem ? syntax::CallableKind::theorem : syntax::CallableKind::axiom;
  declaration.name = plain_name(axiom.name);
  for (term::SymbolId parameter : axiom.parameters) {
    declaration.parameters.push_back({plain_name(raiser.names().bind(parameter)),
                                      type_reference(store, store[parameter].result),
                                      std::nullopt});
  }
  declaration.guard = guard_of(raiser, store, axiom.guard);
  declaration.body = raiser.statement(axiom.body);
  return declaration;
}

// An external is declared in its block. Its guard may use any operation of the
// theory, so that it stands outside, on a declaration that merges with the block's.
void add_callables(const Scope& scope, syntax::ModuleBody& body) {
  for (const term::Callable& callable : scope.theory().callables) {
    if (callable.external && !callable.body && !callable.guard) continue;
    body.items.emplace_back(callable_in(scope, callable));
  }
}

void add_types(const term::Store& store, const term::Theory& theory, syntax::ModuleBody& body) {
  for (const term::Type& type : theory.types) {
    if (type.external || type.sort == store.predicate_sort()) continue;
    body.items.emplace_back(syntax::TypeDecl{plain_name(store.name(type.sort)),
                                             type.required,
                                             false,
                                             type.integer_literals,
                                             type.real_literals,
                                             type.vector_literals,
                                             {}});
  }
}

}  // namespace

syntax::CallableDecl raise_head(const term::Store& store, term::SymbolId callee,
                                const std::vector<std::string>& parameters) {
  const term::Symbol& symbol = store[callee];
  syntax::CallableDecl declaration{};
  declaration.kind = kind_of(symbol.kind);
  declaration.name = plain_name(symbol.name);
  const bool procedure = symbol.kind == term::SymbolKind::procedure;
  for (std::size_t i = 0; i < symbol.parameters.size(); ++i) {
    const std::string name = i < parameters.size() ? parameters[i] : "a" + std::to_string(i + 1);
    syntax::Parameter parameter{plain_name(name), type_reference(store, symbol.parameters[i]), {}};
    if (procedure) parameter.mode = mode_of(symbol.modes[i]);
    declaration.parameters.push_back(std::move(parameter));
  }
  if (symbol.kind == term::SymbolKind::function) {
    declaration.result = type_reference(store, symbol.result);
  }
  return declaration;
}

syntax::Package raise(const term::Store& store, const term::Theory& theory,
                      const std::string& package_name) {
  const Scope scope(interning(store), theory);
  syntax::ModuleBody body;
  for (syntax::UseDecl& use : raise_externals(store, theory))
    body.items.emplace_back(std::move(use));
  add_types(store, theory, body);
  add_callables(scope, body);
  for (const term::Axiom& axiom : theory.axioms) body.items.emplace_back(axiom_in(scope, axiom));

  auto definition = std::make_shared<syntax::ModuleExpr>();
  definition->node = std::move(body);
  const std::string name = theory.name.substr(theory.name.rfind('.') + 1);
  syntax::Package package{plain_name(package_name), {}, {}};
  package.declarations.emplace_back(
      syntax::ModuleDecl{kind_of(theory.kind), plain_name(name), std::move(definition), {}});
  return package;
}

syntax::CallableDecl raise_callable(const term::Store& store, const term::Theory& theory,
                                    const term::Callable& callable) {
  const Scope scope(interning(store), theory);
  return callable_in(scope, callable);
}

syntax::CallableDecl raise_axiom(const term::Store& store, const term::Theory& theory,
                                 const term::Axiom& axiom) {
  const Scope scope(interning(store), theory);
  return axiom_in(scope, axiom);
}

}  // namespace rhopsi::elaborate
