// The value of a module expression: a theory, and what only the frontend knows of:
// packs of types and variadic declarations.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/term/oracle.hpp"
#include "frontend/elaborate/elaborate.hpp"
#include "frontend/syntax/ast.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::elaborate {

// `type T...;`
struct Pack {
  std::string name;
  term::LocationId location{};
};

// A variadic callable or axiom. It stays syntax until a pack is bound, because its
// number of parameters is not known before. The names in the declaration are those
// after every renaming so far.
struct Template {
  std::shared_ptr<const syntax::CallableDecl> declaration;
  // The external block that it was declared in; what the block requires has it too.
  std::optional<term::ExternalBinding> external;
  std::string origin;  // the module that declared it

  const std::string& name() const { return declaration->name.text; }
  bool axiom() const {
    return declaration->kind == syntax::CallableKind::axiom ||
           declaration->kind == syntax::CallableKind::theorem;
  }
  bool bound() const { return external.has_value() && !declaration->required; }
  bool concrete() const { return bound() || (declaration->body && !axiom()); }
  // The place of the variadic parameter; every template has exactly one.
  std::size_t pack_index() const;
  const std::string& pack() const { return declaration->parameters[pack_index()].type.name.text; }
};

// Axioms that a module's operations were declared with and that it has not kept, since it is no
// concept; under the names of their time.
struct Dropped {
  std::shared_ptr<const std::vector<term::Axiom>> axioms;
  // What the module was renamed by since, oldest first.
  std::vector<std::shared_ptr<const term::Renaming>> renamings;

  bool operator==(const Dropped& other) const = default;
};

struct Module {
  term::Theory theory;
  std::vector<Pack> packs;
  std::vector<Template> templates;
  std::vector<Dropped> dropped;
};

// The axioms under the names that they have now.
std::vector<term::Axiom> axioms_of(term::Store& store, const Dropped& dropped);

// Source places of what the engine knows by LocationId.
class Places {
 public:
  explicit Places(term::Store& store) : store_(store) {}
  void add_file(std::shared_ptr<const syntax::SourceFile> file);
  // The engine's location of a span; the span is remembered.
  term::LocationId mark(const syntax::Span& span);
  // The span of a location: as marked, else from its line and column to the end of
  // the line. Without a file for a location of an unknown file.
  syntax::Span span(term::LocationId location) const;
  // "path:line:column", for messages.
  std::string text(term::LocationId location) const;

 private:
  term::Store& store_;
  std::map<std::string, std::shared_ptr<const syntax::SourceFile>> files_;
  std::map<term::LocationId, syntax::Span> spans_;
};

// What every part of module evaluation needs. `diagnostics` is that of the call that
// is running.
struct ModuleContext {
  term::Store& store;
  const term::ExternalTable& table;
  term::ConditionOracle& oracle;
  const Options& options;
  Places places;
  syntax::Diagnostics* diagnostics = nullptr;

  syntax::Diagnostic& error(const char* code, const syntax::Span& span, std::string message,
                            std::string note = {}) const {
    return diagnostics->error(code, span, std::move(message), std::move(note));
  }
};

// "concept", "program", ...; with an article: "a concept", "an implementation".
std::string kind_name(term::ModuleKind kind);
std::string kind_with_article(term::ModuleKind kind);
term::ModuleKind module_kind(syntax::ModuleKind kind);

// The name in the quotes that messages use.
std::string in_quotes(std::string_view name);
// "; did you mean `x`?" or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);
// "a, b and c", each quoted.
std::string listed(const std::vector<std::string>& names);

// What a module of one kind means inside a module of another (docs/language.md):
// signatures keep declarations only; concepts keep axioms and external bindings, no
// bodies; implementations and programs keep everything but axioms.
void cast(Module& module, term::ModuleKind to);
// `require M`: its declarations, all required, without bodies, externals and axioms.
void make_required(Module& module);
// Every type bound and every operation defined? Errors otherwise, each at the
// declaration. `program` is the place of the program's name.
bool check_concrete(const ModuleContext& context, const Module& module,
                    const syntax::Name& program);

}  // namespace rhopsi::elaborate
