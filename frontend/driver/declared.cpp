#include "frontend/driver/declared.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "frontend/driver/locations.hpp"
#include "frontend/syntax/parse.hpp"
#include "frontend/syntax/read_file.hpp"

namespace rhopsi::driver {
namespace {

// It uses the modules of all operations on arrays with shapes of their own.
constexpr const char* library_module = "Expressions";

// What of a module stands in its text.
struct ModuleText {
  std::string package;
  std::set<std::string> packages;  // that it sees: its own, and what that imports
  std::set<std::string> operations;
  std::vector<std::string> uses;  // modules, by their names
};
using Library = std::multimap<std::string, ModuleText>;

void add(const syntax::ModuleExpr& module, ModuleText& written) {
  if (const auto* external = std::get_if<syntax::External>(&module.node)) {
    if (external->module) add(*external->module, written);
    return;
  }
  const auto* body = std::get_if<syntax::ModuleBody>(&module.node);
  if (body == nullptr) return;
  for (const syntax::BodyItem& item : body->items) {
    if (const auto* callable = std::get_if<syntax::CallableDecl>(&item)) {
      if (callable->kind != syntax::CallableKind::axiom &&
          callable->kind != syntax::CallableKind::theorem)
        written.operations.insert(callable->name.text);
    }
    const auto* use = std::get_if<syntax::UseDecl>(&item);
    const auto* named =
        use == nullptr ? nullptr : std::get_if<syntax::ModuleName>(&use->module->node);
    if (named != nullptr) written.uses.push_back(named->name.text);
  }
}

Library read_library() {
  Library library;
  for (const std::string& path : source_files(rule_library().string())) {
    syntax::Diagnostics unused;  // a text that cannot be read has nothing to offer
    auto content = syntax::read_file(path);
    auto* text = std::get_if<std::string>(&content);
    if (text == nullptr) continue;
    const auto package = syntax::parse_package(
        std::make_shared<const syntax::SourceFile>(path, std::move(*text)), unused);
    if (!package) continue;
    for (const syntax::TopDecl& declaration : package->declarations) {
      const auto* module = std::get_if<syntax::ModuleDecl>(&declaration);
      if (module == nullptr || !module->definition) continue;
      ModuleText written{package->name.text, {package->name.text}, {}, {}};
      for (const syntax::Name& imported : package->imports) written.packages.insert(imported.text);
      add(*module->definition, written);
      library.emplace(module->name.text, std::move(written));
    }
  }
  return library;
}

// The modules of which one uses the next, from this one on.
std::set<const ModuleText*> used_by(const Library& library, const ModuleText& module) {
  std::set<const ModuleText*> found;
  std::vector<const ModuleText*> left{&module};
  while (!left.empty()) {
    const ModuleText& next = *left.back();
    left.pop_back();
    if (!found.insert(&next).second) continue;
    for (const std::string& name : next.uses) {
      const auto [begin, end] = library.equal_range(name);
      for (auto each = begin; each != end; ++each) {
        if (next.packages.contains(each->second.package)) left.push_back(&each->second);
      }
    }
  }
  return found;
}

std::string told(const std::string& module, const std::string& package) {
  return "`" + module + "` of package " + package;
}

}  // namespace

std::string declared_in_library(const std::string& operation) {
  constexpr std::size_t most = 3;
  static const Library library = read_library();  // names may be unknown by the hundred
  const auto whole = library.find(library_module);
  const std::set<const ModuleText*> expressions =
      whole == library.end() ? std::set<const ModuleText*>{} : used_by(library, whole->second);
  std::vector<std::string> modules;
  for (const auto& [module, written] : library) {
    if (!written.operations.contains(operation)) continue;
    const bool part = expressions.contains(&written);
    const std::string name =
        part ? told(whole->first, whole->second.package) : told(module, written.package);
    if (std::ranges::count(modules, name) == 0) modules.push_back(name);
  }
  if (modules.size() > most) {
    return "one of the " + std::to_string(modules.size()) +
           " modules of the library that do (rhopsi rules show " + operation + ")";
  }
  std::string text;
  for (const std::string& module : modules) text += (text.empty() ? "" : " or ") + module;
  return text;
}

}  // namespace rhopsi::driver
