#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "frontend/cli/commands.hpp"
#include "frontend/cli/requests.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/driver/nearest.hpp"
#include "frontend/driver/rule_library.hpp"
#include "frontend/driver/rule_page.hpp"

namespace rhopsi::cli {
namespace {

using driver::RuleEntry;

// "rules 1.0.0 (/usr/share/rhopsi/rules)"
std::string title(const std::string& folder) {
  const std::string version = driver::rules_version(folder);
  return "rules " + (version.empty() ? "" : version + " ") + "(" + folder + ")\n";
}

std::vector<RuleEntry> named(const std::vector<RuleEntry>& entries, const std::string& name) {
  std::vector<RuleEntry> found;
  std::ranges::copy_if(entries, std::back_inserter(found),
                       [&](const RuleEntry& each) { return driver::is_named(each.name, name); });
  return found;
}

void report_unknown(const std::vector<RuleEntry>& entries, const std::string& name,
                    syntax::Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const RuleEntry& each : entries) names.push_back(each.name);
  for (const RuleEntry& each : entries) names.push_back(driver::last_of(each.name));
  const auto close = driver::nearest(name, names);
  diagnostics.error(driver::codes::no_such_rule, {},
                    "no rule or operation is called '" + name + "'",
                    close ? "did you mean '" + *close + "'?"
                          : "rhopsi rules list names them all, rhopsi rules search TEXT some");
}

// What says what an operation is comes before what only speaks of it.
bool comes_first(const RuleEntry& left, const RuleEntry& right) {
  return left.definitions.size() > right.definitions.size();
}

std::string pages(std::vector<RuleEntry> entries) {
  std::ranges::stable_sort(entries, comes_first);
  std::string text = driver::page_of(entries.front());
  if (entries.size() > 1) text += "others of that name\n";
  for (std::size_t k = 1; k < entries.size(); ++k) text += "  " + entries[k].name + "\n";
  return text;
}

std::string lines(const std::vector<RuleEntry>& entries) {
  std::string text;
  for (const RuleEntry& each : entries) text += driver::line_of(each);
  return text;
}

void check_action(const RulesOptions& options, syntax::Diagnostics& diagnostics) {
  const std::vector<std::string> actions{"list", "show", "search", "page"};
  const bool needs_text = options.action == "show" || options.action == "search";
  if (std::ranges::find(actions, options.action) == actions.end()) {
    diagnostics.error(driver::codes::malformed_option, {},
                      "rhopsi rules cannot '" + options.action + "'",
                      driver::suggest(options.action, actions, ""));
  } else if (needs_text ? options.text.empty()
                        : options.action == "list" && !options.text.empty()) {
    diagnostics.error(driver::codes::malformed_option, {},
                      options.text.empty() ? "what is to be looked up is missing"
                                           : "unexpected argument '" + options.text + "'",
                      "rhopsi rules list, rhopsi rules show NAME, rhopsi rules search TEXT, or "
                      "rhopsi rules page [PACKAGE]");
  } else if (options.json && options.action == "page") {
    diagnostics.error(driver::codes::malformed_option, {}, "a page is text: --json has no meaning",
                      "rhopsi rules list --json has all of it");
  } else if (options.verify && options.action != "show") {
    diagnostics.error(driver::codes::malformed_option, {},
                      "--verify is for one rule alone: rhopsi rules show NAME",
                      "rhopsi verify proves those of a folder");
  }
}

// The entries of that name, proved where that was asked for: with what was made of them elsewhere.
std::vector<RuleEntry> shown(driver::Session& session, driver::RulesRequest request,
                             const RulesOptions& options, syntax::Diagnostics& diagnostics) {
  request.detailed = [&](const std::string& name) {
    return driver::last_of(name) == driver::last_of(options.text);
  };
  auto entries = driver::rules_of(session, request, diagnostics);
  if (!entries) return {};
  auto chosen = named(*entries, options.text);
  if (chosen.empty()) report_unknown(*entries, options.text, diagnostics);
  if (chosen.empty() || !options.verify) return chosen;
  std::set<std::string> wanted;
  for (const RuleEntry& each : chosen) {
    wanted.insert(each.name);
    for (const RuleEntry::Instance& instance : each.instances) wanted.insert(instance.name);
  }
  request.proved = [&](const std::string& name) { return wanted.contains(name); };
  if (terminal_on_errors()) request.progress = show_progress;
  entries = driver::rules_of(session, request, diagnostics);
  if (request.progress) clear_progress();
  return entries ? named(*entries, options.text) : std::vector<RuleEntry>{};
}

void report_unknown_package(const std::vector<std::string>& files, const std::string& name,
                            syntax::Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const std::string& file : files) names.push_back(driver::package_in(file));
  const auto close = driver::nearest(name, names);
  diagnostics.error(driver::codes::no_such_rule, {}, "no package of rules is called '" + name + "'",
                    close ? "did you mean '" + *close + "'?" : "rhopsi rules page names them all");
}

// The page of the package that is named, or the index of all.
std::string page(driver::Session& session, driver::RulesRequest request, const std::string& package,
                 syntax::Diagnostics& diagnostics) {
  const auto file = std::ranges::find(request.files, package, driver::package_in);
  if (!package.empty() && file == request.files.end()) {
    report_unknown_package(request.files, package, diagnostics);
    return {};
  }
  request.detailed = [&](const std::string& name) {
    return !package.empty() && name.starts_with(package + ".");
  };
  const auto entries = driver::rules_of(session, request, diagnostics);
  if (!entries) return {};
  if (package.empty()) return driver::rule_page_index(request.files, *entries);
  return driver::rule_page(*file, *entries).value_or("");
}

}  // namespace

int rules(const RulesOptions& options) {
  syntax::Diagnostics diagnostics;
  check_action(options, diagnostics);
  RulesOptions from = options;
  if (from.folders.empty()) from.folders.push_back(driver::rule_library().string());
  driver::RulesRequest request;
  request.files = specifications(from.folders, diagnostics);
  driver::Session session({.include = options.include, .numbers_promote = true});
  std::vector<RuleEntry> chosen;
  std::string whole_page;
  if (!diagnostics.has_errors() && options.action == "page") {
    whole_page = page(session, request, options.text, diagnostics);
  } else if (!diagnostics.has_errors() && options.action == "show") {
    chosen = shown(session, request, options, diagnostics);
  } else if (!diagnostics.has_errors()) {
    auto entries = driver::rules_of(session, request, diagnostics);
    if (entries) {
      chosen =
          options.action == "search" ? driver::search(*entries, options.text) : std::move(*entries);
    }
  }
  if (diagnostics.has_errors()) return refuse(diagnostics, options.json);
  show(diagnostics);
  const std::string& folder = from.folders.front();
  const std::string text = options.json ? driver::to_json(chosen, driver::rules_version(folder))
                           : options.action == "page" ? whole_page
                           : options.action == "show" ? pages(std::move(chosen))
                           : options.action == "list" ? title(folder) + lines(chosen)
                                                      : lines(chosen);
  if (text.empty()) note("no name, statement or comment holds all of that");
  return print(text) ? success : user_error;
}

}  // namespace rhopsi::cli
