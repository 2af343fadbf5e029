// Bodies of modules: what they use, and their own declarations.
#include <string>

#include "frontend/elaborate/evaluator.hpp"
#include "frontend/elaborate/module_codes.hpp"
#include "frontend/elaborate/module_elaboration.hpp"

namespace rhopsi::elaborate {

namespace {

class BodyEvaluation {
 public:
  BodyEvaluation(ModuleContext& context, Evaluator& evaluator, const Frame& frame)
      : context_(context), evaluator_(evaluator), frame_(frame), elaboration_(context, module_) {
    module_.theory.kind = frame.kind;
    module_.theory.name = frame.origin;
    if (frame.independent) elaboration_.merger().tell_axioms_apart();
  }

  std::optional<Module> run(const syntax::ModuleBody& body) {
    bool good = true;
    for (const syntax::BodyItem& item : body.items) {
      if (const auto* type = std::get_if<syntax::TypeDecl>(&item)) good = declare(*type) && good;
    }
    for (const syntax::BodyItem& item : body.items) {
      if (const auto* used = std::get_if<syntax::UseDecl>(&item)) good = use(*used) && good;
    }
    // Without all that is used, names would be missing that are no mistake here.
    if (!good) return std::nullopt;
    for (const syntax::BodyItem& item : body.items) {
      if (const auto* own = std::get_if<syntax::CallableDecl>(&item)) good = declare(*own) && good;
    }
    if (!elaboration_.finish() || !good) return std::nullopt;
    if (!check_names_of_templates(context_, module_, frame_.origin)) return std::nullopt;
    return std::move(module_);
  }

 private:
  bool declare(const syntax::TypeDecl& declaration) {
    const std::string& name = declaration.name.text;
    if (name == "Predicate" && declaration.pack) {
      context_.error(codes::reserved_type, declaration.name.span,
                     in_quotes(name) + " is a name of the language", "choose another name");
      return false;
    }
    const term::LocationId location = context_.places.mark(declaration.name.span);
    if (declaration.pack) {
      elaboration_.merger().add(Pack{name, location});
      return true;
    }
    if (name == "Predicate") return true;  // always there
    term::Type type{};
    type.sort = context_.store.sort(name);
    type.required = declaration.required;
    type.integer_literals = declaration.integer_literals || declaration.real_literals;
    type.real_literals = declaration.real_literals;
    type.vector_literals = declaration.vector_literals;
    type.location = location;
    return elaboration_.merger().add(type);
  }

  bool use(const syntax::UseDecl& used) {
    std::optional<Module> value = evaluator_.evaluate(*used.module, frame_);
    if (!value) return false;
    if (used.require) make_required(*value);
    cast(*value, frame_.kind);
    return elaboration_.merger().add(*value, used.span);
  }

  bool declare(const syntax::CallableDecl& declaration) {
    if (allowed(declaration)) return elaboration_.declare(declaration, frame_.origin);
    elaboration_.refuse(declaration);
    return false;
  }

  // What the kind of this module lets its own declarations be.
  bool allowed(const syntax::CallableDecl& declaration) const {
    const bool axiom = declaration.kind == syntax::CallableKind::axiom ||
                       declaration.kind == syntax::CallableKind::theorem;
    const std::string name = in_quotes(declaration.name.text);
    const std::string here = kind_with_article(frame_.kind);
    const bool concept_here = frame_.kind == term::ModuleKind::concept_;
    if (axiom && !concept_here) {
      context_.error(codes::axiom_not_allowed, declaration.name.span,
                     "axiom " + name + " stands in " + here,
                     "axioms live in concepts; move it to one");
      return false;
    }
    if (axiom && !declaration.body) {
      context_.error(codes::axiom_without_body, declaration.name.span,
                     "axiom " + name + " states nothing", "write `{ assert ...; }` after it");
      return false;
    }
    if (!axiom && declaration.body && declaration.required) {
      context_.error(codes::required_with_body, declaration.name.span,
                     name + " is required and has a body",
                     "leave out `require`, or the body that another module is to give");
      return false;
    }
    const bool bodies =
        frame_.kind == term::ModuleKind::implementation || frame_.kind == term::ModuleKind::program;
    if (!axiom && declaration.body && !bodies) {
      context_.error(
          codes::body_not_allowed, declaration.name.span,
          here + " declares operations and does not define them: " + name + " has a body",
          concept_here ? "state it as an axiom, or define it in an implementation"
                       : "define it in an implementation");
      return false;
    }
    return true;
  }

  ModuleContext& context_;
  Evaluator& evaluator_;
  const Frame& frame_;
  Module module_;
  Elaboration elaboration_;
};

}  // namespace

std::optional<Module> evaluate_body(ModuleContext& context, Evaluator& evaluator,
                                    const syntax::ModuleBody& body, const Frame& frame) {
  return BodyEvaluation(context, evaluator, frame).run(body);
}

}  // namespace rhopsi::elaborate
