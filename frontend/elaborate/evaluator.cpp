#include "frontend/elaborate/evaluator.hpp"

#include <algorithm>
#include <utility>

#include "frontend/elaborate/module_codes.hpp"
#include "frontend/elaborate/widths.hpp"
#include "frontend/syntax/deep_stack.hpp"

namespace rhopsi::elaborate {

namespace {

bool is_wanted(const syntax::TopDecl& declaration, const std::string& wanted) {
  return std::holds_alternative<syntax::RenamingDecl>(declaration)   ? wanted == "renaming"
         : std::holds_alternative<syntax::ModuleDecl>(declaration)   ? wanted == "module"
         : std::holds_alternative<syntax::ScheduleDecl>(declaration) ? wanted == "schedule"
                                                                     : false;
}

std::string described(const syntax::TopDecl& declaration) {
  if (std::holds_alternative<syntax::RenamingDecl>(declaration)) return "a renaming";
  if (std::holds_alternative<syntax::ModuleDecl>(declaration)) return "a module";
  if (std::holds_alternative<syntax::ScheduleDecl>(declaration)) return "a schedule";
  return "a satisfaction";
}

}  // namespace

// ---------------------------------------------------------------------- names

void Evaluator::report_unknown(const PackageEntry& package, const syntax::Name& name,
                               const std::string& wanted) const {
  const bool incomplete =
      package.incomplete || std::ranges::any_of(package.imports, [](const PackageEntry* each) {
        return each->incomplete;
      });
  if (incomplete) return;  // it may stand in what could not be read
  std::vector<std::string> names;
  const auto collect = [&](const PackageEntry& from) {
    for (const syntax::TopDecl& each : from.tree.declarations) {
      if (is_wanted(each, wanted)) names.push_back(declared_name(each).text);
    }
  };
  collect(package);
  for (const PackageEntry* imported : package.imports) collect(*imported);
  if (wanted == "schedule") names.insert(names.end(), {"auto", "full"});
  context_.error(codes::unknown_module, name.span,
                 "unknown " + wanted + " " + in_quotes(name.text) + did_you_mean(name.text, names),
                 "a name is visible if this package declares it or imports the package that does; "
                 "imports of imports are not");
}

// `package.Name`
std::optional<Evaluator::Found> Evaluator::find_qualified(PackageEntry& package,
                                                          const syntax::Name& name,
                                                          const std::string& wanted) {
  const std::size_t dot = name.text.rfind('.');
  const std::string prefix = name.text.substr(0, dot);
  const std::string last = name.text.substr(dot + 1);
  PackageEntry* owner = prefix == package.name() ? &package : nullptr;
  for (PackageEntry* imported : package.imports) {
    if (imported->name() == prefix) owner = imported;
  }
  if (owner == nullptr) {
    if (package.incomplete) return std::nullopt;
    context_.error(codes::unknown_module, name.span,
                   "package " + in_quotes(prefix) + " is not imported here",
                   "add it to the `imports` of package " + in_quotes(package.name()));
    return std::nullopt;
  }
  const syntax::TopDecl* declaration = owner->find(last);
  if (declaration != nullptr) return Found{owner, declaration};
  if (owner->incomplete) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [each, index] : owner->declarations) names.push_back(each);
  context_.error(codes::unknown_module, name.span,
                 "package " + in_quotes(prefix) + " has no " + wanted + " " + in_quotes(last) +
                     did_you_mean(last, names),
                 names.empty() ? std::string{} : "it declares " + listed(names));
  return std::nullopt;
}

std::optional<Evaluator::Found> Evaluator::find(PackageEntry& package, const syntax::Name& name,
                                                const std::string& wanted) {
  std::vector<Found> found;
  if (name.text.find('.') != std::string::npos) {
    const auto qualified = find_qualified(package, name, wanted);
    if (!qualified) return std::nullopt;
    found.push_back(*qualified);
  } else if (const syntax::TopDecl* own = package.find(name.text)) {
    found.push_back({&package, own});
  } else {
    for (PackageEntry* imported : package.imports) {
      if (const syntax::TopDecl* each = imported->find(name.text))
        found.push_back({imported, each});
    }
  }
  if (found.empty()) {
    report_unknown(package, name, wanted);
    return std::nullopt;
  }
  if (found.size() > 1) {
    std::vector<std::string> owners;
    for (const Found& each : found) owners.push_back(each.package->name() + "." + name.text);
    context_.error(codes::ambiguous_name, name.span,
                   in_quotes(name.text) + " is declared by several imports",
                   "write one of " + listed(owners));
    return std::nullopt;
  }
  if (!is_wanted(*found.front().declaration, wanted)) {
    syntax::Diagnostic& error =
        context_.error(codes::wrong_declaration, name.span,
                       in_quotes(name.text) + " is " + described(*found.front().declaration) +
                           ", not a " + wanted);
    error.related.push_back({declared_name(*found.front().declaration).span, "declared here"});
    return std::nullopt;
  }
  return found.front();
}

// -------------------------------------------------------------------- modules

// Reports a module that is defined through itself.
void Evaluator::report_running(const PackageEntry& package, const syntax::ModuleDecl& module,
                               const syntax::Span& reference) const {
  const auto first = std::ranges::find(running_, &module, &Running::module);
  std::string circle;
  for (auto each = first; each != running_.end(); ++each) {
    circle += in_quotes(each->module->name.text) + " needs ";
  }
  context_.error(codes::module_cycle, reference,
                 "module " + in_quotes(module.name.text) + " of package " +
                     in_quotes(package.name()) + " is defined through itself: " + circle +
                     in_quotes(module.name.text),
                 "break the circle: move what both need into a module of its own");
}

std::shared_ptr<const Module> Evaluator::declared(PackageEntry& package,
                                                  const syntax::ModuleDecl& module,
                                                  const syntax::Span& reference) {
  ModuleSlot& slot = package.slots[module.name.text];
  if (slot.state == ModuleSlot::State::running) {
    report_running(package, module, reference);
    return nullptr;
  }
  if (slot.state == ModuleSlot::State::done) {
    // A later call, with diagnostics of its own, is told why there is no module.
    if (!slot.value) {
      for (const syntax::Diagnostic& problem : slot.problems) context_.diagnostics->add(problem);
    }
    return slot.value;
  }
  slot.state = ModuleSlot::State::running;
  running_.push_back({&package, &module});
  // Kept apart, so that what a dependence reported before belongs to this module too.
  syntax::Diagnostics own;
  syntax::Diagnostics* const outer = std::exchange(context_.diagnostics, &own);
  slot.value = evaluate_declaration(package, module);
  context_.diagnostics = outer;
  slot.problems = own.all();
  for (const syntax::Diagnostic& problem : slot.problems) outer->add(problem);
  running_.pop_back();
  slot.state = ModuleSlot::State::done;
  return slot.value;
}

std::shared_ptr<const Module> Evaluator::evaluate_declaration(PackageEntry& package,
                                                              const syntax::ModuleDecl& module) {
  if (!module.definition) return nullptr;
  const term::ModuleKind kind = module_kind(module.kind);
  std::optional<Module> value =
      evaluate(*module.definition, Frame{package, kind, module.name.text});
  if (!value) return nullptr;
  cast(*value, kind);
  value->theory.name = module.name.text;
  if (kind == term::ModuleKind::program && (!check_concrete(context_, *value, module.name) ||
                                            !state_widths(context_, *value, module.name))) {
    return nullptr;
  }
  return std::make_shared<const Module>(std::move(*value));
}

// A module that uses another is followed into it by recursion.
bool Evaluator::check_depth(const syntax::Span& span) const {
  constexpr std::size_t longest_chain = 5000;
  if (running_.size() <= longest_chain && syntax::stack_address() > syntax::stack_floor()) {
    return true;
  }
  context_.error(codes::modules_too_deep, span,
                 "too many modules are defined one through the other here",
                 "use them side by side in one module");
  return false;
}

std::optional<Module> Evaluator::evaluate(const syntax::ModuleExpr& expression,
                                          const Frame& frame) {
  if (!check_depth(expression.span)) return std::nullopt;
  std::optional<Module> value =
      std::visit([&](const auto& node) { return evaluate_node(node, frame, expression.span); },
                 expression.node);
  for (const syntax::RenamingBlock& block : expression.renamings) {
    if (!value) return std::nullopt;
    value = apply(*value, block, frame);
  }
  return value;
}

std::optional<Module> Evaluator::evaluate_node(const syntax::ModuleBody& body, const Frame& frame,
                                               const syntax::Span&) {
  return evaluate_body(context_, *this, body, frame);
}

std::optional<Module> Evaluator::evaluate_node(const syntax::ModuleName& name, const Frame& frame,
                                               const syntax::Span&) {
  const auto found = find(frame.package, name.name, "module");
  if (!found) return std::nullopt;
  const auto value =
      declared(*found->package, std::get<syntax::ModuleDecl>(*found->declaration), name.name.span);
  if (!value) return std::nullopt;
  return *value;
}

std::optional<Module> Evaluator::evaluate_node(const syntax::SignatureOf& signature,
                                               const Frame& frame, const syntax::Span&) {
  const Frame inner{frame.package, term::ModuleKind::implementation, frame.origin};
  std::optional<Module> value = evaluate(*signature.module, inner);
  if (value) cast(*value, term::ModuleKind::signature);
  return value;
}

std::optional<Module> Evaluator::evaluate_node(const syntax::External& external, const Frame& frame,
                                               const syntax::Span& span) {
  const Frame inner{frame.package, term::ModuleKind::implementation, frame.origin};
  std::optional<Module> value = evaluate(*external.module, inner);
  if (!value) return std::nullopt;
  return externalise(context_, std::move(*value), external, span);
}

// ------------------------------------------------------------------- renaming

bool Evaluator::expand(PackageEntry& package, const syntax::RenamingBlock& block,
                       const std::optional<syntax::Span>& at, std::vector<Renaming>& out) {
  bool good = true;
  for (const syntax::RenamingItem& item : block.items) {
    const syntax::Span place = at.value_or(item.source.span);
    if (item.target) {
      out.push_back({item.source, *item.target, place});
      continue;
    }
    const auto found = find(package, item.source, "renaming");
    if (!found) {
      good = false;
      continue;
    }
    const auto& named = std::get<syntax::RenamingDecl>(*found->declaration);
    if (std::ranges::find(expanding_, &named) != expanding_.end()) {
      context_.error(codes::renaming_cycle, item.source.span,
                     "renaming " + in_quotes(named.name.text) + " is defined through itself",
                     "spell out the pairs that it should hold");
      good = false;
      continue;
    }
    expanding_.push_back(&named);
    good = expand(*found->package, named.block, place, out) && good;
    expanding_.pop_back();
  }
  return good;
}

bool Evaluator::check(PackageEntry& package, const syntax::RenamingDecl& renaming) {
  std::vector<Renaming> renamings;
  expanding_.push_back(&renaming);
  const bool good = expand(package, renaming.block, std::nullopt, renamings);
  expanding_.pop_back();
  return good;
}

std::optional<NameMap> Evaluator::name_map(const Module& module, const syntax::RenamingBlock& block,
                                           const std::vector<Renaming>& renamings) const {
  const std::vector<std::string> declared = declared_names(context_.store, module);
  NameMap names;
  std::map<std::string, syntax::Span> sources;
  bool good = true;
  for (const Renaming& each : renamings) {
    const std::string& source = each.source.text;
    const auto [place, inserted] = sources.try_emplace(source, each.at);
    if (!inserted) {
      syntax::Diagnostic& error =
          context_.error(codes::source_twice, each.at, in_quotes(source) + " is renamed twice",
                         "one block renames each name at most once");
      error.related.push_back({place->second, "renamed here first"});
      good = false;
    } else if (!std::ranges::binary_search(declared, source)) {
      if (block.partial) continue;
      syntax::Diagnostic& error = context_.error(
          codes::unknown_source, each.at,
          "the module declares no " + in_quotes(source) + did_you_mean(source, declared),
          "write `[[ ... ]]` to rename only what is there");
      if (each.at.begin != each.source.span.begin || each.at.file != each.source.span.file) {
        error.related.push_back({each.source.span, "renamed here"});
      }
      good = false;
    } else if (source != each.target.text) {
      names.emplace(source, each.target.text);
    }
  }
  if (!good) return std::nullopt;
  return names;
}

std::optional<Module> Evaluator::apply(const Module& module, const syntax::RenamingBlock& block,
                                       const Frame& frame) {
  std::vector<Renaming> renamings;
  if (!expand(frame.package, block, std::nullopt, renamings)) return std::nullopt;
  const auto names = name_map(module, block, renamings);
  if (!names) return std::nullopt;
  return rename(context_, module, *names, block.span);
}

}  // namespace rhopsi::elaborate
