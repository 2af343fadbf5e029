// `satisfaction N = A [with W] models B`: does A declare what B asks for?
#include "engine/term/operations.hpp"
#include "frontend/elaborate/evaluator.hpp"
#include "frontend/elaborate/module_codes.hpp"
#include "frontend/elaborate/module_merge.hpp"

namespace rhopsi::elaborate {

namespace {

// Guards play no part: one on the left is a hypothesis of what holds on the right.
class SignatureCheck {
 public:
  SignatureCheck(const ModuleContext& context, Module& model,
                 const syntax::SatisfactionDecl& declaration)
      : context_(context), model_(model), merger_(context, model), declaration_(declaration) {}

  bool covers(const Module& specification) {
    for (const term::Type& type : specification.theory.types) check(type);
    for (const term::Callable& callable : specification.theory.callables) check(callable);
    for (const Template& each : specification.templates) check(each);
    return good_;
  }

 private:
  void check(const term::Type& type) {
    const std::string& name = context_.store.name(type.sort);
    if (merger_.sort(name)) return;
    std::vector<std::string> names;
    for (const term::Type& each : model_.theory.types) {
      names.push_back(context_.store.name(each.sort));
    }
    missing(codes::missing_type, "type " + in_quotes(name), did_you_mean(name, names),
            type.location);
  }

  void check(const term::Callable& callable) {
    const term::Callable* present = merger_.find(callable.symbol);
    if (present != nullptr && present->symbol == callable.symbol) return;
    const std::string& name = context_.store[callable.symbol].name;
    std::string hint;
    for (const term::Callable* each : model_.theory.overloads(context_.store, name)) {
      hint += (hint.empty() ? "; it has " : ", ") + in_quotes(with_modes(each->symbol));
    }
    missing(codes::missing_operation, in_quotes(with_modes(callable.symbol)), hint,
            callable.location);
  }

  // Procedures may differ in modes only.
  std::string with_modes(term::SymbolId id) const {
    const term::Symbol& symbol = context_.store[id];
    if (symbol.kind != term::SymbolKind::procedure) return to_string(context_.store, id);
    std::string text;
    for (std::size_t k = 0; k < symbol.parameters.size(); ++k) {
      const term::Mode mode = symbol.modes[k];
      const char* word = mode == term::Mode::obs   ? "obs "
                         : mode == term::Mode::upd ? "upd "
                                                   : "out ";
      text += (k > 0 ? ", " : "") + std::string(word) + context_.store.name(symbol.parameters[k]);
    }
    return symbol.name + "(" + text + ")";
  }

  // A variadic declaration asks for at least one operation of its name.
  void check(const Template& variadic) {
    if (variadic.axiom()) return;
    if (!model_.theory.overloads(context_.store, variadic.name()).empty()) return;
    for (const Template& each : model_.templates) {
      if (!each.axiom() && each.name() == variadic.name()) return;
    }
    missing(codes::missing_operation, in_quotes(variadic.name()), {}, {});
  }

  void missing(const char* code, const std::string& what, const std::string& hint,
               term::LocationId location) {
    good_ = false;
    // One message for each thing that is missing, at its declaration: several at the
    // satisfaction's own place would be taken for one.
    const syntax::Span place = context_.places.span(location);
    syntax::Diagnostic& error =
        context_.error(code, place.file ? place : declaration_.name.span,
                       "satisfaction " + in_quotes(declaration_.name.text) +
                           " does not hold: the model has no " + what + hint,
                       "declare it in the model, or rename one side so that the names agree");
    error.related.push_back({declaration_.name.span, "the satisfaction"});
  }

  const ModuleContext& context_;
  Module& model_;
  Merger merger_;
  const syntax::SatisfactionDecl& declaration_;
  bool good_ = true;
};

}  // namespace

std::optional<std::pair<Module, Module>> Evaluator::sides(
    PackageEntry& package, const syntax::SatisfactionDecl& declaration) {
  const Frame model_frame{package, term::ModuleKind::implementation, declaration.name.text};
  const Frame concept_frame{package, term::ModuleKind::concept_, declaration.name.text};
  std::optional<Module> model = evaluate(*declaration.model, model_frame);
  std::optional<Module> with;
  if (declaration.with) with = evaluate(*declaration.with, model_frame);
  std::optional<Module> specification = evaluate(*declaration.specification, concept_frame);
  if (!model || !specification || (declaration.with && !with)) return std::nullopt;
  if (with && !Merger(context_, *model).add(*with, declaration.with->span)) return std::nullopt;
  return std::pair{std::move(*model), std::move(*specification)};
}

std::optional<bool> Evaluator::satisfies(PackageEntry& package,
                                         const syntax::SatisfactionDecl& declaration) {
  auto both = sides(package, declaration);
  if (!both) return std::nullopt;
  return SignatureCheck(context_, both->first, declaration).covers(both->second);
}

}  // namespace rhopsi::elaborate
