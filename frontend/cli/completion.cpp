#include "frontend/cli/completion.hpp"

#include <algorithm>
#include <vector>

#include "frontend/cli/version.hpp"

namespace rhopsi::cli {
namespace {

std::vector<const CLI::App*> commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

// Those with a name, not the arguments that are told by their place.
std::vector<const CLI::Option*> options(const CLI::App& command) {
  std::vector<const CLI::Option*> found;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_positional()) found.push_back(option);
  return found;
}

std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// What stands for the value, without what is tested of it.
std::string value_name(const CLI::Option& option) {
  const std::string name = option.get_type_name();
  return name.substr(0, name.find(':'));
}

// The words of which the command's first argument is one: "list show" of "list|show". An argument
// that may be anything has a name in capitals.
std::string choices(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    std::string words = value_name(*option);
    const bool choice = words.find('|') != std::string::npos &&
                        std::ranges::none_of(words, [](char c) { return c >= 'A' && c <= 'Z'; });
    std::ranges::replace(words, '|', ' ');
    return choice ? words : "";
  }
  return "";
}

std::string all_spellings(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : options(command))
    for (const std::string& name : spellings(*option)) text += (text.empty() ? "" : " ") + name;
  return text;
}

// `text` with each of `special` behind a backslash.
std::string escaped(const std::string& text, const std::string& special) {
  std::string made;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) made += '\\';
    made += c;
  }
  return made;
}

// As roff reads it: no line begins with a dot, and `-` is the one of options.
std::string roff(const std::string& text) {
  const std::string plain = escaped(text, "\\-");
  return plain.starts_with('.') ? "\\&" + plain : plain;
}

void option_list(const CLI::App& command, std::string& page) {
  for (const CLI::Option* option : options(command)) {
    std::string names;
    for (const std::string& name : spellings(*option)) names += (names.empty() ? "" : ", ") + name;
    page += ".TP\n.B " + roff(names) + "\n";
    if (takes_value(*option)) page.insert(page.size() - 1, " " + roff(value_name(*option)));
    page += roff(option->get_description()) + "\n";
  }
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string names, cases;
  for (const CLI::App* command : commands(app)) {
    names += (names.empty() ? "" : " ") + command->get_name();
    const std::string words = choices(*command);
    cases += "    " + command->get_name() + ") options='" + all_spellings(*command) + "'" +
             (words.empty() ? "" : " words='" + words + "'") + " ;;\n";
  }
  return "# Completion of rhopsi for bash, made by `rhopsi completion bash`.\n"
         "_rhopsi() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} options='' words=''\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    mapfile -t COMPREPLY < <(compgen -W '" +
         names + " " + all_spellings(app) +
         "' -- \"$word\")\n"
         "    return\n"
         "  fi\n"
         "  case ${COMP_WORDS[1]} in\n" +
         cases +
         "  esac\n"
         "  if [[ $word == -* ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
         "  elif ((COMP_CWORD == 2)) && [[ -n $words ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "  fi\n"
         "}\n"
         "complete -o default -F _rhopsi rhopsi\n";
}

std::string zsh_completion(const CLI::App& app) {
  std::string names, cases;
  const auto quoted = [](const std::string& text) {
    std::string made;
    for (const char c : text) made += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return made;
  };
  for (const CLI::App* command : commands(app)) {
    names += "    '" + command->get_name() + ":" +
             quoted(escaped(command->get_description(), ":")) + "'\n";
    cases += "    " + command->get_name() + ")\n      _arguments";
    for (const CLI::Option* option : options(*command)) {
      for (const std::string& name : spellings(*option)) {
        cases += " \\\n        '*" + name + "[" +
                 quoted(escaped(option->get_description(), "[]:")) + "]" +
                 (takes_value(*option) ? ":" + quoted(value_name(*option)) + ":_files" : "") + "'";
      }
    }
    const std::string words = choices(*command);
    if (!words.empty()) cases += " \\\n        '1:what:(" + words + ")'";
    cases += " \\\n        '*:file:_files' ;;\n";
  }
  return "#compdef rhopsi\n"
         "# Completion of rhopsi for zsh, made by `rhopsi completion zsh`.\n"
         "_rhopsi() {\n"
         "  local -a commands=(\n" +
         names +
         "  )\n"
         "  if ((CURRENT == 2)); then\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  ((CURRENT--))\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "}\n"
         "_rhopsi \"$@\"\n";
}

std::string manual_page(const CLI::App& app) {
  std::string page =
      ".TH RHOPSI 1 \"\" \"rhopsi " + std::string(version) + "\"\n.SH NAME\nrhopsi \\- " +
      roff(app.get_description()) +
      "\n.SH SYNOPSIS\n.B rhopsi\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fIFILE\\fR]...\n"
      ".SH OPTIONS\n";
  option_list(app, page);
  page += ".SH COMMANDS\n";
  for (const CLI::App* command : commands(app)) {
    page +=
        ".SS rhopsi " + roff(command->get_name()) + "\n" + roff(command->get_description()) + "\n";
    option_list(*command, page);
  }
  return page + ".SH EXIT STATUS\n" + roff(app.get_footer()) + "\n";
}

}  // namespace rhopsi::cli
