#include "tests/exec/pages.hpp"

#include <fstream>
#include <regex>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>

namespace rhopsi::exec {
namespace fs = std::filesystem;

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t") - first + 1);
}

bool line_matches(const std::string& shown, const std::string& found) {
  if (!shown.ends_with(" ...")) return shown == found;
  return found.starts_with(shown.substr(0, shown.size() - 4));
}

bool lines_match(const std::vector<std::string>& shown, std::size_t s,
                 const std::vector<std::string>& found, std::size_t f) {
  for (; s < shown.size(); ++s, ++f) {
    if (trimmed(shown[s]) == "...") {
      for (std::size_t rest = f; rest <= found.size(); ++rest) {
        if (lines_match(shown, s + 1, found, rest)) return true;
      }
      return false;
    }
    if (f == found.size() || !line_matches(shown[s], found[f])) return false;
  }
  return f == found.size();
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

// Less what differs from one run to the next: how long things took, and versions.
std::string plain(const std::string& text) {
  static const std::regex time_behind(R"(  [0-9]+\.[0-9]+ s\n)");  // only where it was long enough
  static const std::regex time(R"(\b[0-9]+(\.[0-9]+)?(e-[0-9]+)? (s|ms)\b)");
  static const std::regex version(R"(([ -])[0-9]+\.[0-9]+\.[0-9]+\b)");
  const std::string without = std::regex_replace(text, time_behind, "\n");
  return std::regex_replace(std::regex_replace(without, time, "# $3"), version, "$1#.#.#");
}

// A command of a console block, and what it shows.
struct Command {
  std::string text;
  std::string shown;
};

std::vector<Command> commands_of(const std::string& block) {
  std::vector<Command> commands;
  bool goes_on = false;
  for (const std::string& line : lines(block)) {
    if (goes_on) {
      commands.back().text += "\n" + line;
    } else if (line.starts_with("$ ")) {
      commands.push_back({line.substr(2), {}});
    } else if (!commands.empty()) {
      commands.back().shown += line + "\n";
    }
    goes_on = !commands.empty() && commands.back().shown.empty() && line.ends_with('\\');
  }
  return commands;
}

// Where the command is installed, for CMake to find it.
fs::path prefix() { return fs::path(RHOPSI_PAGE_FOLDERS) / "prefix"; }

// Kokkos' environment as the presets of ctest have it, and before any other the built command and
// the Python that has NumPy.
Conditions surroundings(const fs::path& folder) {
  Conditions conditions;
  conditions.folder = folder;
  const char* path = std::getenv("PATH");
  conditions.environment["PATH"] = fs::path(RHOPSI_BINARY).parent_path().string() + ":" +
                                   fs::path(RHOPSI_PYTHON).parent_path().string() + ":" +
                                   (path != nullptr ? path : "");
  conditions.environment["OMP_PROC_BIND"] = "spread";
  conditions.environment["OMP_PLACES"] = "threads";
  conditions.environment["rhopsi_ROOT"] = prefix().string();
  const std::string launcher = RHOPSI_COMPILER_LAUNCHER;
  if (!launcher.empty()) conditions.environment["CMAKE_CXX_COMPILER_LAUNCHER"] = launcher;
  return conditions;
}

}  // namespace

bool matches(const std::string& shown, const std::string& found) {
  return lines_match(lines(shown), 0, lines(found), 0);
}

Page::Page(std::string name, std::vector<std::string> links)
    : name_(std::move(name)),
      text_(read(source(name_))),
      parts_(driver::page_parts(text_)),
      folder_(fs::path(RHOPSI_PAGE_FOLDERS) / std::regex_replace(name_, std::regex("/"), "-")),
      here_(folder_) {
  fs::remove_all(folder_);
  fs::remove_all(folder_.string() + ".proofs");
  fs::create_directories(folder_);
  for (const std::string& each : links) fs::create_directory_symlink(source(each), folder_ / each);
}

void install() {
  const Outcome outcome =
      execute("cmake", {"--install", RHOPSI_BUILD_DIR, "--prefix", prefix().string()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
}

void Page::run(bool update) {
  update_ = update;
  for (const driver::PagePart& part : parts_) {
    if (!part.block) continue;
    SCOPED_TRACE(name_ + ":" + std::to_string(part.line));
    block({&part, words_of(part.info)});
  }
  if (update_) std::ofstream(source(name_), std::ios::binary) << text_;
}

void Page::block(const Block& block) {
  const auto& words = block.words;
  const std::string info = trimmed(block.part->info);
  if (info == "console") return console(block);
  if (info == "mg") return parse_fragment(block);
  if (words.size() > 3 && words[1] == "not" && words[2] == "run:") return;
  if (words.size() == 4 && words[1] == "part" && words[2] == "of") return compare_with_file(block);
  if (words.size() == 4 && words[1] == "added" && words[2] == "to") return write(block, true);
  if (words.size() == 2) return write(block, false);
  ADD_FAILURE() << "the block says nothing of what it is: '" << info << "'";
}

void Page::write(const Block& block, bool added) {
  const fs::path file = here_ / block.words.back();
  fs::create_directories(file.parent_path());
  if (added) {
    EXPECT_TRUE(fs::exists(file)) << file;
  }
  std::ofstream(file, added ? std::ios::app : std::ios::trunc) << block.part->text;
}

// Its lines stand there in a row, however far they are indented.
void Page::compare_with_file(const Block& block) {
  fs::path file = here_ / block.words.back();
  if (!fs::exists(file)) file = source(block.words.back());
  ASSERT_TRUE(fs::exists(file)) << file;
  std::string whole, shown = "...\n";
  for (const std::string& line : lines(read(file.string()))) whole += trimmed(line) + "\n";
  for (const std::string& line : lines(block.part->text)) shown += trimmed(line) + "\n";
  EXPECT_TRUE(matches(shown + "...\n", whole)) << file << " does not hold\n" << shown;
}

// Declarations of a package, items of a concept, or of a program.
void Page::parse_fragment(const Block& block) {
  const std::string& text = block.part->text;
  const Folder folder;
  std::string said;
  for (const auto& [before, after] :
       {std::pair("", ""), std::pair("package fragment;\n", ""),
        std::pair("package fragment;\nconcept Fragment = {\n", "};\n"),
        std::pair("package fragment;\nprogram Fragment = {\n", "};\n")}) {
    const Outcome outcome = rhopsi({"fmt", folder.write("fragment.mg", before + text + after)});
    if (outcome.exit_code == 0) return;
    said += outcome.err;
  }
  ADD_FAILURE() << said;
}

void Page::console(const Block& block) {
  const std::vector<Command> commands = commands_of(block.part->text);
  EXPECT_FALSE(commands.empty()) << "no line begins with `$ `";
  std::string now;
  bool all_match = true;
  for (std::size_t k = 0; k < commands.size(); ++k) {
    const auto& [command, shown] = commands[k];
    const Outcome outcome = shell(command);
    const std::string found = placed(outcome.out);
    const bool match = matches(plain(shown), plain(found));
    all_match = all_match && match;
    now += "$ " + command + "\n" + (match ? shown : found);
    if (!update_) {
      EXPECT_TRUE(match) << "$ " << command << "\n" << found << "--- where the page has\n" << shown;
    }
    const bool asked = k + 1 < commands.size() && commands[k + 1].text == "echo $?";
    const bool told = std::regex_search(found, std::regex("error|refuted"));
    if (!asked && !told) {
      EXPECT_EQ(outcome.exit_code, 0) << "$ " << command << "\n" << outcome.text();
    }
  }
  if (update_ && !all_match) {
    const std::string before = "```" + block.part->info + "\n" + block.part->text;
    text_.replace(text_.find(before), before.size(), "```" + block.part->info + "\n" + now);
  }
}

// One shell for each command, that begins where the last one ended.
Outcome Page::shell(const std::string& command) {
  const fs::path place = folder_.parent_path() / (folder_.filename().string() + ".place");
  const std::string script = "exec 2>&1\n(exit " + std::to_string(last_exit_code_) + ")\n" +
                             command + "\nstatus=$?; pwd >'" + place.string() + "'; exit $status";
  Conditions conditions = surroundings(here_);
  // What is proved is remembered: by this page alone, so that it is known what is known.
  if (std::regex_search(command, std::regex("rhopsi (rules|verify|trust)")))
    conditions.environment["RHOPSI_CACHE"] = folder_.string() + ".proofs";
  Outcome outcome = execute("bash", {"-c", script}, conditions);
  here_ = lines(read(place.string())).at(0);
  last_exit_code_ = outcome.exit_code;
  return outcome;
}

std::string Page::placed(std::string text) const {
  replace_all(text, here_.string(), ".");
  replace_all(text, folder_.string(), ".");
  replace_all(text, source(""), ".../");
  return text;
}

}  // namespace rhopsi::exec
