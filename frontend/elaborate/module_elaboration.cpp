#include "frontend/elaborate/module_elaboration.hpp"

#include <algorithm>

#include "engine/term/operations.hpp"
#include "frontend/elaborate/module_codes.hpp"
#include "frontend/syntax/scan.hpp"

namespace rhopsi::elaborate {

namespace {

bool is_axiom(const syntax::CallableDecl& declaration) {
  return declaration.kind == syntax::CallableKind::axiom ||
         declaration.kind == syntax::CallableKind::theorem;
}

term::SymbolKind symbol_kind(syntax::CallableKind kind) {
  switch (kind) {
    case syntax::CallableKind::predicate:
      return term::SymbolKind::predicate;
    case syntax::CallableKind::procedure:
      return term::SymbolKind::procedure;
    default:
      return term::SymbolKind::function;
  }
}

BodyKind body_kind(syntax::CallableKind kind) {
  switch (kind) {
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

term::Mode mode_of(const syntax::Parameter& parameter) {
  switch (parameter.mode.value_or(syntax::Mode::obs)) {
    case syntax::Mode::obs:
      return term::Mode::obs;
    case syntax::Mode::upd:
      return term::Mode::upd;
    case syntax::Mode::out:
      return term::Mode::out;
  }
  return term::Mode::obs;
}

std::string name_of(const syntax::CallableDecl& declaration) {
  return in_quotes(declaration.name.text);
}

}  // namespace

Elaboration::Elaboration(ModuleContext& context, Module& module)
    : context_(context), module_(module), merger_(context, module) {}

std::optional<term::SortId> Elaboration::resolve(const syntax::TypeRef& type) {
  const std::string& name = type.name.text;
  if (const auto sort = merger_.sort(name)) return sort;
  if (merger_.has_pack(name)) {
    context_.error(codes::pack_misused, type.name.span,
                   in_quotes(name) + " is a pack of types, not a type",
                   "write " + in_quotes(name + "...") + " after one parameter's name");
    return std::nullopt;
  }
  std::vector<std::string> known{"Predicate"};
  for (const term::Type& each : module_.theory.types) {
    known.push_back(context_.store.name(each.sort));
  }
  context_.error(codes::unknown_type, type.name.span,
                 "unknown type " + in_quotes(name) + did_you_mean(name, known),
                 "declare it here with `type " + name + ";`, or use a module that does");
  return std::nullopt;
}

// ----------------------------------------------------------------- signatures

bool Elaboration::check_parameters(const syntax::CallableDecl& declaration) {
  const bool procedure = declaration.kind == syntax::CallableKind::procedure;
  bool good = true;
  std::set<std::string> names;
  for (const syntax::Parameter& parameter : declaration.parameters) {
    if (!names.insert(parameter.name.text).second) {
      context_.error(codes::parameter_twice, parameter.name.span,
                     name_of(declaration) + " has two parameters " + in_quotes(parameter.name.text),
                     "give each parameter a name of its own");
      good = false;
    }
    if (parameter.mode.has_value() != procedure) {
      context_.error(codes::mode_misplaced, parameter.name.span,
                     procedure ? "parameter " + in_quotes(parameter.name.text) + " has no mode"
                               : "only parameters of procedures have a mode",
                     procedure ? "write `obs`, `upd` or `out` before its name" : "leave it out");
      good = false;
    }
  }
  return good;
}

std::optional<term::SortId> Elaboration::result_sort(const syntax::CallableDecl& declaration) {
  const term::SortId implied =
      declaration.kind == syntax::CallableKind::procedure || is_axiom(declaration)
          ? context_.store.statement_sort()
          : context_.store.predicate_sort();
  if (declaration.kind == syntax::CallableKind::function) {
    if (declaration.result) return resolve(*declaration.result);
    context_.error(codes::result_misplaced, declaration.name.span,
                   "function " + name_of(declaration) + " has no result type",
                   "write `: T` after its parameters");
    return std::nullopt;
  }
  const bool predicate = declaration.kind == syntax::CallableKind::predicate;
  if (declaration.result && !(predicate && declaration.result->name.text == "Predicate")) {
    context_.error(codes::result_misplaced, declaration.result->name.span,
                   "only functions have a result type", "leave it out");
    return std::nullopt;
  }
  return implied;
}

// With `sorts`, the variadic parameter becomes as many parameters.
std::optional<Elaboration::Signature> Elaboration::signature(
    const syntax::CallableDecl& declaration, const PackSorts* sorts) {
  Signature made;
  std::vector<term::SortId> parameters;
  bool good = check_parameters(declaration);
  const auto add = [&](const std::string& name, term::SortId sort, term::Mode mode) {
    const bool assignable = mode != term::Mode::obs;
    made.parameters.variables.push_back(context_.store.fresh_variable(name, sort, assignable));
    made.parameters.modes.push_back(mode);
    parameters.push_back(sort);
  };
  for (const syntax::Parameter& parameter : declaration.parameters) {
    const std::string& name = parameter.name.text;
    if (parameter.type.variadic && sorts != nullptr) {
      auto& members = made.parameters.packs[name];
      const auto names = member_names(declaration, parameter, *sorts);
      for (std::size_t k = 0; k < sorts->size(); ++k) {
        add(names[k], (*sorts)[k], mode_of(parameter));
        members.push_back(made.parameters.variables.back());
      }
    } else if (const auto sort = resolve(parameter.type)) {
      add(name, *sort, mode_of(parameter));
    } else {
      good = false;
    }
  }
  const auto result = result_sort(declaration);
  if (!result || !good) return std::nullopt;
  if (!is_axiom(declaration)) {
    made.symbol = context_.store.operation(symbol_kind(declaration.kind), declaration.name.text,
                                           parameters, *result, made.parameters.modes);
  }
  return made;
}

// What can be said of a template before its pack is bound.
bool Elaboration::check_template(const syntax::CallableDecl& declaration) {
  bool good = check_parameters(declaration);
  std::size_t variadic = 0;
  for (const syntax::Parameter& parameter : declaration.parameters) {
    if (!parameter.type.variadic) {
      good = resolve(parameter.type).has_value() && good;
      continue;
    }
    if (++variadic == 2) {
      context_.error(codes::several_packs, parameter.name.span,
                     name_of(declaration) + " has more than one variadic parameter",
                     "where one pack ends and the next begins could not be told; keep one");
      good = false;
    }
    if (!merger_.has_pack(parameter.type.name.text)) good = resolve(parameter.type) && good;
  }
  return result_sort(declaration).has_value() && good;
}

bool Elaboration::declare(const syntax::CallableDecl& declaration, const std::string& origin) {
  const bool variadic = std::ranges::any_of(
      declaration.parameters, [](const syntax::Parameter& each) { return each.type.variadic; });
  if (variadic) {
    if (!check_template(declaration)) {
      refuse(declaration);
      return false;
    }
    merger_.add(Template{std::make_shared<syntax::CallableDecl>(declaration), {}, origin});
    return true;
  }
  auto made = signature(declaration, nullptr);
  if (made && made->symbol) {
    term::Callable callable{};
    callable.symbol = *made->symbol;
    callable.parameters = made->parameters.variables;
    callable.required = declaration.required;
    callable.location = context_.places.mark(declaration.name.span);
    callable.origin = origin;
    if (!merger_.add(callable)) made.reset();
  }
  if (!made) {
    refuse(declaration);
    return false;
  }
  work_.push_back({&declaration, std::move(*made), origin});
  return true;
}

void Elaboration::refuse(const syntax::CallableDecl& declaration) {
  failed_ = true;
  refused_.insert(declaration.name.text);
}

// --------------------------------------------------------------------- bodies

Scope& Elaboration::scope() {
  if (scope_) return *scope_;
  scope_.emplace(context_.store, module_.theory);
  scope_->has_variadic = [this](std::string_view name) {
    return std::ranges::any_of(module_.templates, [&](const Template& each) {
      return !each.axiom() && each.name() == name;
    });
  };
  scope_->instantiate_variadic = [this](std::string_view name,
                                        const std::vector<term::SortId>& arguments) {
    return instances(name, arguments);
  };
  scope_->is_refused = [this](std::string_view name) { return refused_.contains(name); };
  scope_->where_declared = context_.options.where_declared;
  return *scope_;
}

bool Elaboration::finish() {
  bool changed = true;
  while (changed) {
    while (!work_.empty() && !exhausted_) {
      const Work next = std::move(work_.front());
      work_.pop_front();
      define(next);
      if (!add_pending()) failed_ = true;
    }
    changed = !failed_ && bind_abstract();
  }
  return !failed_;
}

void Elaboration::define(const Work& work) {
  syntax::Diagnostics problems;
  if (is_axiom(*work.declaration)) {
    define_axiom(work, problems);
  } else if (work.declaration->guard || work.declaration->body) {
    define_callable(work, problems);
  }
  if (problems.has_errors()) failed_ = true;
  if (exhausted_) return;
  errors_ += problems.error_count();
  for (syntax::Diagnostic problem : problems.all()) {
    if (work.instance && work.signature.symbol) {
      problem.related.push_back(
          {work.declaration->name.span,
           "in the instance " + to_string(context_.store, *work.signature.symbol)});
    }
    context_.diagnostics->add(std::move(problem));
  }
  if (errors_ < syntax::most_errors || work_.empty()) return;
  context_.error(codes::too_many_errors, work_.front().declaration->name.span,
                 "too many errors; the rest of this module is not looked at",
                 "correct the first ones and try again");
  work_.clear();
}

void Elaboration::define_callable(const Work& work, syntax::Diagnostics& diagnostics) {
  const syntax::CallableDecl& declaration = *work.declaration;
  term::Callable callable{};
  callable.symbol = *work.signature.symbol;
  callable.parameters = work.signature.parameters.variables;
  callable.required = declaration.required;
  callable.location = context_.places.mark(declaration.name.span);
  callable.origin = work.origin;
  if (declaration.guard) {
    callable.guard =
        elaborate_guard(scope(), *declaration.guard, work.signature.parameters, diagnostics);
  }
  if (declaration.body) {
    const term::SortId result = context_.store[callable.symbol].result;
    callable.body = elaborate_body(scope(), *declaration.body, body_kind(declaration.kind), result,
                                   work.signature.parameters, diagnostics);
  }
  if (!diagnostics.has_errors() && !merger_.add(callable)) failed_ = true;
}

void Elaboration::define_axiom(const Work& work, syntax::Diagnostics& diagnostics) {
  const syntax::CallableDecl& declaration = *work.declaration;
  if (!declaration.body) return;  // reported where the kind of module is known
  term::Axiom axiom{};
  axiom.name = declaration.name.text;
  axiom.parameters = work.signature.parameters.variables;
  axiom.theorem = declaration.kind == syntax::CallableKind::theorem;
  axiom.location = context_.places.mark(declaration.name.span);
  axiom.origin = work.origin;
  if (declaration.guard) {
    axiom.guard =
        elaborate_guard(scope(), *declaration.guard, work.signature.parameters, diagnostics);
  }
  const auto body =
      elaborate_body(scope(), *declaration.body, BodyKind::axiom, context_.store.statement_sort(),
                     work.signature.parameters, diagnostics);
  if (!body || diagnostics.has_errors()) return;
  axiom.body = *body;
  if (!merger_.add(axiom)) failed_ = true;
}

}  // namespace rhopsi::elaborate
