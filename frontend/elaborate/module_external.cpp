// `external BACKEND path M`: declarations bound to what a backend provides.
#include <algorithm>
#include <array>

#include "frontend/elaborate/evaluator.hpp"
#include "frontend/elaborate/module_codes.hpp"

namespace rhopsi::elaborate {

namespace {

const std::array<std::string, 5> backends{"C++", "CUDA", "JavaScript", "Kokkos", "Python"};

class Externalising {
 public:
  Externalising(ModuleContext& context, Module& module, const syntax::External& external)
      : context_(context), store_(context.store), module_(module), external_(external) {}

  bool run(const syntax::Span& span) {
    if (!check_backend() || !check_bodies() || !check_unbound()) return false;
    fill(span);
    bind();
    return check_bindings();
  }

 private:
  bool check_backend() const {
    const syntax::Name& backend = external_.backend;
    if (std::ranges::find(backends, backend.text) == backends.end()) {
      const std::vector<std::string> known(backends.begin(), backends.end());
      context_.error(
          codes::unknown_backend, backend.span,
          "unknown backend " + in_quotes(backend.text) + did_you_mean(backend.text, known),
          "the backends are " + listed(known));
      return false;
    }
    const term::ExternalTable& table = context_.table;
    const syntax::Name& path = external_.path;
    if (!table.closed(backend.text)) {
      if (path.text.find('.') != std::string::npos) return true;
      context_.error(codes::external_without_file, path.span,
                     "the external " + in_quotes(path.text) + " names no file",
                     "write the path of the file before it, as in `lib." + path.text + "`");
      return false;
    }
    if (table.has_path(backend.text, path.text)) return true;
    const std::vector<std::string> known = table.paths(backend.text);
    context_.error(
        codes::unknown_path, path.span,
        backend.text + " provides no " + in_quotes(path.text) + did_you_mean(path.text, known),
        known.empty() ? "it provides nothing here" : "it provides " + listed(known));
    return false;
  }

  bool check_bodies() const {
    bool good = true;
    const auto report = [&](const std::string& name, term::LocationId location) {
      syntax::Diagnostic& error = context_.error(
          codes::body_in_external, context_.places.span(location),
          in_quotes(name) + " has a body inside an external block",
          "an external block declares what the backend provides; move the definition out of it");
      error.related.push_back({external_.path.span, "the external block"});
      good = false;
    };
    for (const term::Callable& callable : module_.theory.callables) {
      if (callable.body) report(store_[callable.symbol].name, callable.location);
    }
    for (const Template& each : module_.templates) {
      if (each.axiom() || !each.declaration->body) continue;
      report(each.name(), context_.places.mark(each.declaration->name.span));
    }
    return good;
  }

  // Is there something for this external to provide, or was all of it bound before?
  bool check_unbound() const {
    const auto is_bound = [](const auto& each) { return each.external.has_value(); };
    const auto is_free = [](const auto& each) { return !each.required && !each.external; };
    const auto& types = module_.theory.types;
    const auto& callables = module_.theory.callables;
    const auto type = std::ranges::find_if(types, is_bound);
    const auto callable = std::ranges::find_if(callables, is_bound);
    const bool bound = type != types.end() || callable != callables.end();
    if (!bound || !module_.templates.empty()) return true;
    if (std::ranges::any_of(types, is_free) || std::ranges::any_of(callables, is_free)) return true;
    syntax::Diagnostic& error = context_.error(
        codes::nothing_to_bind, external_.path.span,
        "everything in the external " + in_quotes(external_.path.text) + " is bound already",
        "write `signature(...)` of the module to bind its declarations anew");
    error.related.push_back(
        {context_.places.span(type != types.end() ? type->location : callable->location),
         "bound elsewhere"});
    return false;
  }

  // Everything in the block under the name that it has now. What is bound elsewhere
  // already counts as required here: the external receives it.
  void fill(const syntax::Span& span) {
    auto block = std::make_shared<term::ExternalBlock>();
    block->backend = external_.backend.text;
    block->attributes = external_.attributes;
    block->path = external_.path.text;
    block->location = context_.places.mark(span);
    for (const term::Type& type : module_.theory.types) {
      block->types.push_back(
          {store_.name(type.sort), type.sort, type.required || type.external.has_value()});
    }
    for (const term::Callable& callable : module_.theory.callables) {
      block->operations.push_back({store_[callable.symbol].name, callable.symbol,
                                   callable.required || callable.external.has_value()});
    }
    block_ = std::move(block);
  }

  void bind() {
    for (term::Type& type : module_.theory.types) {
      if (type.required || type.external) continue;
      type.external = term::ExternalBinding{block_, store_.name(type.sort)};
    }
    for (term::Callable& callable : module_.theory.callables) {
      if (callable.required || callable.external) continue;
      callable.external = term::ExternalBinding{block_, store_[callable.symbol].name};
    }
    for (Template& each : module_.templates) {
      if (!each.axiom() && !each.external) {
        each.external = term::ExternalBinding{block_, each.name()};
      }
    }
  }

  bool check_bindings() const {
    bool good = true;
    const auto report = [&](const char* code, const std::optional<std::string>& problem,
                            term::LocationId location) {
      if (!problem) return;
      syntax::Diagnostic& error =
          context_.error(code, context_.places.span(location), *problem,
                         "what the block does not provide itself is marked `require`");
      error.related.push_back({external_.path.span, "the external block"});
      good = false;
    };
    for (const term::Type& type : module_.theory.types) {
      if (!type.external || type.external->block != block_) continue;
      report(codes::external_type,
             context_.table.problem_with_type(*block_, type.external->original), type.location);
    }
    for (const term::Callable& callable : module_.theory.callables) {
      if (!callable.external || callable.external->block != block_) continue;
      report(codes::external_operation,
             context_.table.problem_with_operation(store_, *block_, callable.external->original,
                                                   callable.symbol),
             callable.location);
    }
    return good;
  }

  ModuleContext& context_;
  term::Store& store_;
  Module& module_;
  const syntax::External& external_;
  std::shared_ptr<const term::ExternalBlock> block_;
};

}  // namespace

std::optional<Module> externalise(ModuleContext& context, Module module,
                                  const syntax::External& external, const syntax::Span& span) {
  cast(module, term::ModuleKind::implementation);
  if (!Externalising(context, module, external).run(span)) return std::nullopt;
  return module;
}

}  // namespace rhopsi::elaborate
