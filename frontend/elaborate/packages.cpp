#include "frontend/elaborate/packages.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <variant>

#include "frontend/elaborate/module_codes.hpp"
#include "frontend/syntax/parse.hpp"
#include "frontend/syntax/read_file.hpp"

namespace rhopsi::elaborate {

namespace {

namespace fs = std::filesystem;

// "a.b.c" -> a/b/c.mg
fs::path file_of(const std::string& package) {
  std::string text = package;
  std::ranges::replace(text, '.', '/');
  return fs::path(text + ".mg");
}

// A package may import another one, which imports a third, and so on: so many are followed.
constexpr std::size_t longest_import_chain = 1000;

std::string absolute_name(const std::string& path) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(path, error);
  return error ? fs::path(path).lexically_normal().string() : canonical.string();
}

// The folder that is left when the components of `relative` are taken off the end of
// `path`; nothing if it does not end in them.
std::optional<fs::path> without_suffix(const fs::path& path, const fs::path& relative) {
  fs::path rest = path.lexically_normal();
  fs::path suffix = relative;
  while (!suffix.empty()) {
    if (rest.filename() != suffix.filename()) return std::nullopt;
    rest = rest.parent_path();
    suffix = suffix.parent_path();
  }
  return rest;
}

// Names of packages that stand where `name` was looked for.
std::vector<std::string> neighbours(const std::vector<std::string>& folders,
                                    const std::string& name) {
  const std::size_t dot = name.rfind('.');
  const std::string prefix = dot == std::string::npos ? "" : name.substr(0, dot + 1);
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    std::error_code error;
    const fs::path place = fs::path(folder) / file_of(name).parent_path();
    for (const auto& entry : fs::directory_iterator(place, error)) {
      if (entry.path().extension() == ".mg") names.push_back(prefix + entry.path().stem().string());
    }
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

const syntax::Name& declared_name(const syntax::TopDecl& declaration) {
  return std::visit([](const auto& each) -> const syntax::Name& { return each.name; }, declaration);
}

const syntax::TopDecl* PackageEntry::find(const std::string& name) const {
  const auto found = declarations.find(name);
  return found == declarations.end() ? nullptr : &tree.declarations[found->second];
}

PackageEntry* Packages::load(const std::string& path) { return load(path, {}); }

PackageEntry* Packages::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

PackageEntry* Packages::reach(PackageEntry& package, const syntax::Name& name) {
  if (PackageEntry* known = find(name.text)) return known;
  return import(package, name);
}

std::vector<std::string> Packages::files() const {
  std::vector<std::string> paths;
  for (const auto& [path, entry] : by_file_) paths.push_back(path);
  return paths;
}

PackageEntry* Packages::load(const std::string& path, const syntax::Span& importing) {
  const std::string file = absolute_name(path);
  if (const auto known = by_file_.find(file); known != by_file_.end()) {
    if (std::ranges::find(loading_, known->second) == loading_.end()) return known->second;
    report_cycle(*known->second, importing);
    return nullptr;
  }
  if (loading_.size() >= longest_import_chain) {
    context_.error(codes::imports_too_deep, importing,
                   "more than " + std::to_string(longest_import_chain) +
                       " packages, each imported by the one before",
                   "import what is needed directly");
    return nullptr;
  }
  PackageEntry* package = parse(path, importing);
  by_file_.emplace(file, package);
  if (package == nullptr) return nullptr;
  loading_.push_back(package);
  load_imports(*package);
  loading_.pop_back();
  return package;
}

PackageEntry* Packages::parse(const std::string& path, const syntax::Span& importing) {
  auto content = syntax::read_file(path);
  if (const auto* problem = std::get_if<syntax::FileProblem>(&content)) {
    if (problem->kind == syntax::FileProblem::too_large) {
      context_.error(codes::file_too_large, importing,
                     "the file " + in_quotes(path) + " is larger than 64 MiB",
                     "split the package into several");
    } else {
      context_.error(codes::unreadable, importing,
                     "cannot read the file " + in_quotes(path) + syntax::reason(*problem),
                     "does it exist, and may you read it?");
    }
    return nullptr;
  }
  const auto file =
      std::make_shared<const syntax::SourceFile>(path, std::move(std::get<std::string>(content)));
  context_.places.add_file(file);
  const std::size_t errors = context_.diagnostics->error_count();
  std::optional<syntax::Package> tree = syntax::parse_package(file, *context_.diagnostics);
  if (!tree) return nullptr;
  PackageEntry& package = entries_.emplace_back();
  package.tree = std::move(*tree);
  package.path = path;
  package.incomplete = context_.diagnostics->error_count() > errors;
  set_root(package);
  index_declarations(package);
  const auto [place, inserted] = by_name_.try_emplace(package.name(), &package);
  if (!inserted) {
    syntax::Diagnostic& error =
        context_.error(codes::package_twice, package.tree.name.span,
                       "two files hold a package " + in_quotes(package.name()) + ": " +
                           place->second->path + " and " + path,
                       "rename one of them, or take its folder off the search path");
    error.related.push_back({place->second->tree.name.span, "the other package"});
    return nullptr;
  }
  return &package;
}

void Packages::set_root(PackageEntry& package) const {
  const fs::path expected = file_of(package.name());
  std::optional<fs::path> root = without_suffix(package.path, expected);
  // A relative path may be shorter than the name.
  if (!root) {
    std::error_code error;
    const fs::path absolute = fs::absolute(package.path, error);
    if (!error) root = without_suffix(absolute, expected);
  }
  if (root) {
    package.root = root->empty() ? "." : root->string();
    return;
  }
  package.root = fs::path(package.path).parent_path().string();
  if (package.root.empty()) package.root = ".";
  package.incomplete = true;  // its imports stand nobody knows where
  context_.error(
      codes::wrong_package_name, package.tree.name.span,
      "package " + in_quotes(package.name()) + " stands in the file " + in_quotes(package.path),
      "a package is named as its file's path with dots: expected a path that ends in " +
          in_quotes(expected.string()));
}

void Packages::index_declarations(PackageEntry& package) const {
  for (std::size_t i = 0; i < package.tree.declarations.size(); ++i) {
    const syntax::Name& name = declared_name(package.tree.declarations[i]);
    const auto [place, inserted] = package.declarations.try_emplace(name.text, i);
    if (inserted) continue;
    syntax::Diagnostic& error = context_.error(
        codes::declared_twice, name.span,
        in_quotes(name.text) + " is declared twice in package " + in_quotes(package.name()),
        "rename one of the two");
    error.related.push_back(
        {declared_name(package.tree.declarations[place->second]).span, "declared here first"});
  }
}

void Packages::load_imports(PackageEntry& package) {
  if (package.tree.imports.empty()) return;
  for (const syntax::Name& name : package.tree.imports) {
    PackageEntry* imported = import(package, name);
    if (imported == nullptr) {
      package.incomplete = true;
    } else if (std::ranges::find(package.imports, imported) == package.imports.end()) {
      package.imports.push_back(imported);
    }
  }
}

PackageEntry* Packages::import(PackageEntry& package, const syntax::Name& name) {
  const auto path = search(package, name);
  if (!path) return nullptr;
  PackageEntry* imported = load(*path, name.span);
  if (imported == nullptr) return nullptr;
  if (imported->name() == name.text) return imported;
  // The file holds a package of another name: reported where it was parsed, unless its
  // name fits the path from another root.
  if (!imported->incomplete) {
    context_.error(codes::wrong_package_name, name.span,
                   "the file " + in_quotes(*path) + " holds package " +
                       in_quotes(imported->name()) + ", not " + in_quotes(name.text),
                   "import it by its own name");
  }
  return nullptr;
}

std::optional<std::string> Packages::search(const PackageEntry& package,
                                            const syntax::Name& name) const {
  std::vector<std::string> folders{package.root};
  for (const std::string& folder : context_.options.search_path) {
    if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
  }
  for (const std::string& folder : folders) {
    const fs::path path = (fs::path(folder) / file_of(name.text)).lexically_normal();
    std::error_code error;
    if (fs::exists(path, error)) return path.string();
  }
  // After a wrong package name, only the search path was certain.
  const bool root_known =
      without_suffix(package.path, file_of(package.name())).has_value() || !package.incomplete;
  if (!root_known) return std::nullopt;
  std::string searched;
  for (const std::string& folder : folders) searched += (searched.empty() ? "" : ", ") + folder;
  context_.error(codes::import_not_found, name.span,
                 "no package " + in_quotes(name.text) +
                     did_you_mean(name.text, neighbours(folders, name.text)),
                 "searched for " + file_of(name.text).string() + " in: " + searched);
  return std::nullopt;
}

void Packages::report_cycle(const PackageEntry& again, const syntax::Span& importing) const {
  const auto first = std::ranges::find(loading_, &again);
  std::string circle;
  for (auto each = first; each != loading_.end(); ++each) {
    circle += in_quotes((*each)->name()) + " imports ";
  }
  circle += in_quotes(again.name());
  context_.error(codes::import_cycle, importing, "packages import each other: " + circle,
                 "move what both need into a package of its own");
}

}  // namespace rhopsi::elaborate
