#include "frontend/cli/command_line.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "frontend/cli/command_options.hpp"
#include "frontend/cli/completion.hpp"
#include "frontend/cli/given_values.hpp"
#include "frontend/cli/surroundings.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/cli/version.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/driver/nearest.hpp"
#include "frontend/driver/rule_library.hpp"

namespace rhopsi::cli {
namespace {

const char* const exit_codes =
    "Exit codes: 0 success; 1 mistakes in the input or on the command line, or a run that failed;\n"
    "2 an internal fault; 130 interrupted; 143 terminated.\n"
    "docs/cli.md describes every option.";

// Expressions may begin with `-`. What begins with a blank is no option.
std::vector<std::string> arguments_of(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty() || arguments.front() != "eval") return arguments;
  for (std::string& each : arguments) {
    const bool option = each == "-h" || each.starts_with("-I") || each.starts_with("--");
    if (each.size() > 1 && each.front() == '-' && !option) each.insert(0, 1, ' ');
  }
  return arguments;
}

EvalOptions without_blank(EvalOptions options) {
  if (options.expression && options.expression->starts_with(" -")) options.expression->erase(0, 1);
  return options;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

Done mistake(const std::string& message, const std::string& note, bool json = false) {
  syntax::Diagnostics diagnostics;
  diagnostics.error(driver::codes::malformed_option, {}, message, note);
  return {refuse(diagnostics, json)};
}

// The command that was being read when a mistake was found.
const CLI::App& current(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

// `--json=3`, which the parser only says something of.
std::optional<std::string> flag_with_value(const CLI::App& command, int argc, char** argv) {
  for (const std::string each : std::span(argv, static_cast<std::size_t>(argc))) {
    const std::size_t equals = each.find('=');
    if (!each.starts_with("--") || equals == std::string::npos) continue;
    const CLI::Option* const option = command.get_option_no_throw(each.substr(0, equals));
    if (option != nullptr && option->get_items_expected_max() == 0) return each;
  }
  return std::nullopt;
}

// The arguments of a command that have no name, as its usage shows them.
std::string arguments_text(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) text += " " + option->get_type_name();
  }
  return text;
}

// Of arguments without a name the parser only says what they are called inside.
std::optional<Done> missing_argument(const CLI::App& command, const CLI::ParseError& failure,
                                     bool json) {
  if (failure.get_exit_code() != static_cast<int>(CLI::ExitCodes::RequiredError))
    return std::nullopt;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    const std::string name = "rhopsi " + command.get_name();
    if (!option->get_positional()) {
      return mistake(option->get_name() + " " + option->get_type_name() + " is missing",
                     "see " + name + " --help", json);
    }
    return mistake(
        "the argument " + option->get_type_name() + " (" + option->get_name() + ") is missing",
        "write " + name + arguments_text(command) + "; see " + name + " --help", json);
  }
  return std::nullopt;
}

std::optional<Done> given_again(const CLI::App& command, const CLI::ParseError& failure,
                                const std::string& help, bool json) {
  if (failure.get_exit_code() != static_cast<int>(CLI::ExitCodes::ArgumentMismatch))
    return std::nullopt;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_items_expected_max() != 1 || option->count() < 2) continue;
    return mistake(option->get_name() + " is given " + std::to_string(option->count()) + " times",
                   "give it once; " + help, json);
  }
  return std::nullopt;
}

Done explain_mistake(const CLI::App& app, const CLI::ParseError& failure, bool json) {
  const CLI::App& command = current(app);
  const std::string help = "see " +
                           (command.get_name() == "rhopsi" || command.get_name().empty()
                                ? std::string("rhopsi")
                                : "rhopsi " + command.get_name()) +
                           " --help";
  for (std::string extra : app.remaining(true)) {
    if (extra.starts_with(" -")) extra.erase(0, 1);  // as the user wrote it
    if (extra.rfind("-", 0) == 0) {
      const auto close = driver::nearest(extra.substr(0, extra.find('=')), option_names(command));
      return mistake("unknown option " + extra, close ? "did you mean " + *close + "?" : help,
                     json);
    }
    return mistake("unexpected argument '" + extra + "'", help, json);
  }
  if (const auto missing = missing_argument(command, failure, json)) return *missing;
  if (const auto again = given_again(command, failure, help, json)) return *again;
  return mistake(failure.what(), help, json);
}

// Of a command line that could not be read to its end.
bool asks_for_json(const CLI::App& app, int argc, char** argv) {
  return current(app).get_option_no_throw("--json") != nullptr &&
         std::any_of(argv + 1, argv + argc,
                     [](const char* each) { return std::string_view(each) == "--json"; });
}

Done complete(const CLI::App& app, const std::string& shell) {
  const std::string text = shell == "bash"  ? bash_completion(app)
                           : shell == "zsh" ? zsh_completion(app)
                                            : manual_page(app);
  return {print(text) ? success : user_error};
}

// Of the command, and of the rules that it would use.
std::string versions() {
  const std::string folder = driver::rule_library().string();
  const std::string rules = driver::rules_version(folder);
  return std::string("rhopsi ") + version + "\n" +
         (rules.empty() ? "" : "rules " + rules + " (" + folder + ")\n");
}

CommandLine chosen(const CLI::App& app, const Options& options) {
  const std::string name = app.get_subcommands().front()->get_name();
  if (name == "completion") return complete(app, options.completion);
  if (name == "doctor") return DoctorOptions{};
  if (name == "new") return options.create;
  if (name == "analyze") return options.analyze;
  if (name == "check") return options.check;
  if (name == "rewrite") return options.rewrite;
  if (name == "emit") return options.emit;
  if (name == "normalize") return options.normalize;
  if (name == "eval") return without_blank(options.eval);
  if (name == "verify") return options.verify;
  if (name == "replay") return options.replay;
  if (name == "explain") return options.explain;
  if (name == "trust") return options.trust;
  if (name == "diff") return options.diff;
  if (name == "test") return options.test;
  if (name == "tune") return options.tune;
  if (name == "rules") return options.rules;
  if (name == "fmt") return options.fmt;
  if (name == "explain-error") return options.explain_error;
  return options.run;
}

}  // namespace

CommandLine read_command_line(int argc, char** argv) {
  CLI::App app("Transforms array programs by rewriting, and runs them.", "rhopsi");
  app.footer(exit_codes);
  app.set_version_flag("--version", std::string("rhopsi ") + version);
  app.require_subcommand(0, 1);
  Options options;
  add_commands(app, options);
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    command->footer(exit_codes);
  }
  if (argc > 1 && argv[1][0] != '-') {
    const auto names = command_names(app);
    if (std::find(names.begin(), names.end(), argv[1]) == names.end()) {
      return mistake("unknown command '" + std::string(argv[1]) + "'",
                     driver::suggest(argv[1], names, "see rhopsi --help"));
    }
  }
  try {
    std::vector<std::string> arguments = arguments_of(argc, argv);
    std::reverse(arguments.begin(), arguments.end());  // as the parser takes them
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    return Done{print(current(app).help()) ? success : user_error};
  } catch (const CLI::CallForVersion&) {
    return Done{print(versions()) ? success : user_error};
  } catch (const CLI::ParseError& failure) {
    const bool json = asks_for_json(app, argc, argv);
    if (const auto flag = flag_with_value(current(app), argc, argv)) {
      return mistake(*flag + ": " + flag->substr(0, flag->find('=')) + " takes no value",
                     "leave out what is behind it", json);
    }
    return explain_mistake(app, failure, json);
  }
  if (app.get_subcommands().empty()) {
    print(app.help());
    return Done{argc > 1 ? success : user_error};
  }
  syntax::Diagnostics unusable;
  check_values(current(app), unusable);
  if (unusable.has_errors()) return Done{refuse(unusable, asks_for_json(app, argc, argv))};
  check_surroundings(current(app), unusable);
  show(unusable);
  return chosen(app, options);
}

}  // namespace rhopsi::cli
