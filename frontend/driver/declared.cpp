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
struct Written {
  std::string package;
  std::set<std::string> operations;
  std::vector<std::string> uses;  // modules, by their names
};
using Library = std::multimap<std::string, Written>;

void add(const syntax::ModuleExpr& module, Written& written) {
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
      Written written{package->name.text, {}, {}};
      add(*module->definition, written);
      library.emplace(module->name.text, std::move(written));
    }
  }
  return library;
}

// The modules of which one uses the next, from this one on.
std::set<std::string> used_by(const Library& library, const std::string& module) {
  std::set<std::string> found;
  std::vector<std::string> left{module};
  while (!left.empty()) {
    const std::string next = left.back();
    left.pop_back();
    if (!found.insert(next).second) continue;
    const auto [begin, end] = library.equal_range(next);
    for (auto each = begin; each != end; ++each)
      left.insert(left.end(), each->second.uses.begin(), each->second.uses.end());
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
  const std::set<std::string> expressions =
      whole == library.end() ? std::set<std::string>{} : used_by(library, whole->first);
  std::vector<std::string> modules;
  for (const auto& [module, written] : library) {
    if (!written.operations.contains(operation)) continue;
    const bool part = expressions.contains(module);
    const std::string name =
        part ? told(whole->first, whole->second.package) : told(module, written.package);
    if (std::ranges::count(modules, name) == 0) modules.push_back(name);
  }
  std::string text;
  for (std::size_t k = 0; k < std::min(modules.size(), most); ++k) {
    text += (text.empty() ? "" : " or ") + modules[k];
  }
  return text;
}

}  // namespace rhopsi::driver
