#include "tests/unit/elaborate_bodies/fixture.hpp"

#include <variant>

namespace rhopsi::elaborate::test {

namespace {

struct Pending {
  const syntax::CallableDecl* declaration;
  std::size_t place;  // in callables, or in axioms
};

bool is_axiom(const syntax::CallableDecl& declaration) {
  return declaration.kind == syntax::CallableKind::axiom ||
         declaration.kind == syntax::CallableKind::theorem;
}

term::Mode mode_of(const syntax::Parameter& parameter) {
  switch (parameter.mode.value_or(syntax::Mode::obs)) {
    case syntax::Mode::obs:
      return term::Mode::obs;
    case syntax::Mode::upd:
      return term::Mode::upd;
    case syntax::Mode::out:
      break;
  }
  return term::Mode::out;
}

term::SymbolKind kind_of(syntax::CallableKind kind) {
  switch (kind) {
    case syntax::CallableKind::predicate:
      return term::SymbolKind::predicate;
    case syntax::CallableKind::procedure:
      return term::SymbolKind::procedure;
    default:
      return term::SymbolKind::function;
  }
}

struct Signature {
  Parameters parameters;
  std::vector<term::SortId> sorts;
};

Signature signature_of(term::Store& store, const syntax::CallableDecl& declaration) {
  Signature result;
  const bool procedure = declaration.kind == syntax::CallableKind::procedure;
  for (const syntax::Parameter& parameter : declaration.parameters) {
    const term::SortId sort = store.sort(parameter.type.name.text);
    const term::Mode mode = procedure ? mode_of(parameter) : term::Mode::obs;
    result.sorts.push_back(sort);
    result.parameters.modes.push_back(mode);
    result.parameters.variables.push_back(
        store.fresh_variable(parameter.name.text, sort, mode != term::Mode::obs));
  }
  return result;
}

term::SortId result_of(term::Store& store, const syntax::CallableDecl& declaration) {
  if (declaration.kind == syntax::CallableKind::predicate) return store.predicate_sort();
  if (declaration.kind == syntax::CallableKind::procedure) return store.statement_sort();
  return store.sort(declaration.result->name.text);
}

class Builder {
 public:
  Builder(term::Store& store, Elaborated& out) : store_(store), out_(out) {}

  void declare(const syntax::BodyItem& item) {
    if (const auto* type = std::get_if<syntax::TypeDecl>(&item)) {
      out_.theory.types.push_back({store_.sort(type->name.text),
                                   type->required,
                                   type->integer_literals,
                                   type->real_literals,
                                   type->vector_literals,
                                   std::nullopt,
                                   {}});
    } else if (const auto* callable = std::get_if<syntax::CallableDecl>(&item)) {
      declare(*callable);
    }
  }

  void elaborate_bodies() {
    const Scope scope(store_, out_.theory);
    for (std::size_t i = 0; i < declarations_.size(); ++i) body(scope, declarations_[i], i);
  }

 private:
  void declare(const syntax::CallableDecl& declaration) {
    const Signature signature = signature_of(store_, declaration);
    signatures_.push_back(signature);
    if (is_axiom(declaration)) {
      declarations_.push_back({&declaration, out_.theory.axioms.size()});
      out_.theory.axioms.push_back({declaration.name.text,
                                    signature.parameters.variables,
                                    std::nullopt,
                                    term::TermId{},
                                    declaration.kind == syntax::CallableKind::theorem,
                                    {},
                                    ""});
      return;
    }
    declarations_.push_back({&declaration, out_.theory.callables.size()});
    term::Callable callable;
    callable.symbol =
        store_.operation(kind_of(declaration.kind), declaration.name.text, signature.sorts,
                         result_of(store_, declaration), signature.parameters.modes);
    callable.parameters = signature.parameters.variables;
    callable.required = declaration.required;
    callable.location = locate(store_, declaration.span);
    out_.theory.callables.push_back(std::move(callable));
  }

  void body(const Scope& scope, const Pending& pending, std::size_t number) {
    const syntax::CallableDecl& declaration = *pending.declaration;
    const Parameters& parameters = signatures_[number].parameters;
    std::optional<term::TermId> guard;
    if (declaration.guard) {
      guard = elaborate_guard(scope, *declaration.guard, parameters, out_.diagnostics);
    }
    std::optional<term::TermId> term;
    if (declaration.body) {
      term = elaborate_body(
          scope, *declaration.body, kind(declaration),
          is_axiom(declaration) ? store_.statement_sort() : result_of(store_, declaration),
          parameters, out_.diagnostics);
    }
    if (is_axiom(declaration)) {
      out_.theory.axioms[pending.place].guard = guard;
      out_.theory.axioms[pending.place].body = term.value_or(term::TermId{});
    } else {
      out_.theory.callables[pending.place].guard = guard;
      out_.theory.callables[pending.place].body = term;
    }
  }

  static BodyKind kind(const syntax::CallableDecl& declaration) {
    switch (declaration.kind) {
      case syntax::CallableKind::function:
        return BodyKind::function;
      case syntax::CallableKind::predicate:
        return BodyKind::predicate;
      case syntax::CallableKind::procedure:
        return BodyKind::procedure;
      default:
        return BodyKind::axiom;
    }
  }

  term::Store& store_;
  Elaborated& out_;
  std::vector<Pending> declarations_;
  std::vector<Signature> signatures_;
};

}  // namespace

Elaborated elaborate_package(term::Store& store, const std::string& text) {
  Elaborated result;
  const auto file = std::make_shared<const syntax::SourceFile>("test.mg", text);
  const std::optional<syntax::Package> package = syntax::parse_package(file, result.diagnostics);
  if (!package || package->declarations.empty() || result.diagnostics.has_errors()) return result;
  const auto& module = std::get<syntax::ModuleDecl>(package->declarations[0]);
  result.theory.name = module.name.text;
  result.theory.kind = term::ModuleKind::concept_;
  Builder builder(store, result);
  for (const syntax::BodyItem& item : std::get<syntax::ModuleBody>(module.definition->node).items) {
    builder.declare(item);
  }
  builder.elaborate_bodies();
  return result;
}

Elaborated elaborate(term::Store& store, std::string_view body) {
  return elaborate_package(store, "package test;\nconcept C = {\n" + std::string(body) + "\n};\n");
}

std::string codes(const syntax::Diagnostics& diagnostics) {
  std::string result;
  for (const syntax::Diagnostic& diagnostic : diagnostics.all()) {
    result += (result.empty() ? "" : " ") + diagnostic.code;
  }
  return result;
}

std::string messages(const syntax::Diagnostics& diagnostics) {
  std::string result;
  for (const syntax::Diagnostic& diagnostic : diagnostics.all()) {
    result += syntax::render(diagnostic) + "\n";
  }
  return result;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const term::Callable* find(const term::Store& store, const term::Theory& theory,
                           std::string_view name) {
  for (const term::Callable& callable : theory.callables) {
    if (store[callable.symbol].name == name) return &callable;
  }
  return nullptr;
}

std::string body_of(const term::Store& store, const term::Theory& theory, std::string_view name) {
  const term::Callable* callable = find(store, theory, name);
  return callable && callable->body ? term::to_string(store, *callable->body) : "";
}

namespace {

bool same(const term::Store& store, std::optional<term::TermId> left,
          std::optional<term::TermId> right, const std::vector<term::SymbolId>& left_parameters,
          const std::vector<term::SymbolId>& right_parameters) {
  if (left.has_value() != right.has_value()) return false;
  return !left || term::alpha_equal(store, *left, *right, left_parameters, right_parameters);
}

}  // namespace

std::string difference(const term::Store& store, const term::Theory& left,
                       const term::Theory& right) {
  if (left.types.size() != right.types.size()) return "number of types";
  if (left.callables.size() != right.callables.size()) return "number of callables";
  if (left.axioms.size() != right.axioms.size()) return "number of axioms";
  for (const term::Callable& callable : left.callables) {
    const term::Callable* other = right.find(callable.symbol);
    if (!other) return "missing " + term::to_string(store, callable.symbol);
    if (!same(store, callable.body, other->body, callable.parameters, other->parameters)) {
      return "body of " + term::to_string(store, callable.symbol);
    }
    if (!same(store, callable.guard, other->guard, callable.parameters, other->parameters)) {
      return "guard of " + term::to_string(store, callable.symbol);
    }
  }
  for (std::size_t i = 0; i < left.axioms.size(); ++i) {
    if (!same(store, left.axioms[i].body, right.axioms[i].body, left.axioms[i].parameters,
              right.axioms[i].parameters)) {
      return "axiom " + left.axioms[i].name;
    }
  }
  return "";
}

}  // namespace rhopsi::elaborate::test
