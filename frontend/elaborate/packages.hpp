// Files to packages: reading, names, the search path, import cycles.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/elaborate/module.hpp"

namespace rhopsi::elaborate {

// A module's place in its package, and its value once it is known.
struct ModuleSlot {
  enum class State { unknown, running, done };
  State state = State::unknown;
  std::shared_ptr<const Module> value;       // null after an error
  std::vector<syntax::Diagnostic> problems;  // what evaluating it reported
};

struct PackageEntry {
  syntax::Package tree;
  std::string path;
  std::string root;  // the path less the package's name
  std::vector<PackageEntry*> imports;
  // Some of it, or of what it imports, could not be read: names that are not found
  // may be there, and are not reported.
  bool incomplete = false;
  std::map<std::string, std::size_t> declarations;  // the first of each name
  std::map<std::string, ModuleSlot> slots;

  const std::string& name() const { return tree.name.text; }
  const syntax::TopDecl* find(const std::string& name) const;
};

// The name that a declaration gives.
const syntax::Name& declared_name(const syntax::TopDecl& declaration);

class Packages {
 public:
  explicit Packages(ModuleContext& context) : context_(context) {}

  // The package in that file with everything that it imports; a file is read once.
  PackageEntry* load(const std::string& path);
  PackageEntry* find(const std::string& name) const;
  // The package of that name, imported or not, as `package` would find it.
  PackageEntry* reach(PackageEntry& package, const syntax::Name& name);
  // The files that have been read, by absolute path.
  std::vector<std::string> files() const;

 private:
  PackageEntry* load(const std::string& path, const syntax::Span& importing);
  PackageEntry* parse(const std::string& path, const syntax::Span& importing);
  void set_root(PackageEntry& package) const;
  void index_declarations(PackageEntry& package) const;
  void load_imports(PackageEntry& package);
  PackageEntry* import(PackageEntry& package, const syntax::Name& name);
  std::optional<std::string> search(const PackageEntry& package, const syntax::Name& name) const;
  void report_cycle(const PackageEntry& again, const syntax::Span& importing) const;

  ModuleContext& context_;
  std::deque<PackageEntry> entries_;
  std::map<std::string, PackageEntry*> by_file_;  // by absolute path
  std::map<std::string, PackageEntry*> by_name_;
  std::vector<const PackageEntry*> loading_;  // importing packages, outermost first
};

}  // namespace rhopsi::elaborate
