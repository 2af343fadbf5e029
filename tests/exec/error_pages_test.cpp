// Every page of docs/errors: what is wrong is told with its code, what is right is not.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/exec/pages.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

using Json = nlohmann::json;

// Pages that say why they have no example. A new code has one, or a reason why not and a larger
// number here.
constexpr std::size_t without_example = 44;

const Json& error_pages() {
  static const Json all = Json::parse(rhopsi({"explain-error", "--json"}).out);
  return all["codes"];
}

// \xHH is a byte, \repeat{N}{text} is N times the text.
std::string unescaped(std::string text) {
  static const std::regex repeat(R"(\\repeat\{(\d+)\}\{([^}]*)\})");
  for (std::smatch found; std::regex_search(text, found, repeat);) {
    std::string all;
    for (int k = std::stoi(found[1]); k > 0; --k) all += found[2];
    text = found.prefix().str() + all + found.suffix().str();
  }
  static const std::regex byte(R"(\\x([0-9a-f]{2}))");
  for (std::smatch found; std::regex_search(text, found, byte);) {
    const char value = static_cast<char>(std::stoi(found[1], nullptr, 16));
    text = found.prefix().str() + value + found.suffix().str();
  }
  return text;
}

void write(const Folder& folder, const Json& files) {
  for (const Json& each : files) {
    const std::string text = each["text"];
    folder.write(each["name"], each["escaped"] ? unescaped(text) : text);
  }
}

// Words with blanks between them; one in quotes may hold some.
std::vector<std::string> words(const std::string& command) {
  std::vector<std::string> found;
  bool quoted = false, inside = false;
  for (const char c : command) {
    if (c == '"') quoted = !quoted;
    if (c == ' ' && !quoted) inside = false;
    if (c == ' ' && !quoted) continue;
    if (!inside) found.emplace_back();
    inside = true;
    if (c != '"') found.back() += c;
  }
  return found;
}

Outcome run(const Folder& folder, const std::string& command) {
  Conditions conditions;
  conditions.folder = folder.path();
  std::vector<std::string> arguments = words(command);
  while (arguments.front() != "rhopsi") {  // NAME=VALUE
    const auto equals = arguments.front().find('=');
    if (equals == std::string::npos) break;
    conditions.environment[arguments.front().substr(0, equals)] =
        arguments.front().substr(equals + 1);
    arguments.erase(arguments.begin());
  }
  EXPECT_EQ(arguments.front(), "rhopsi") << command;
  arguments.erase(arguments.begin());
  return rhopsi(arguments, conditions);
}

std::set<std::string> codes_in(const std::string& text) {
  static const std::regex code(R"((?:error|warning)\[(E0\d{3})\])");
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), code), end; at != end; ++at)
    found.insert((*at)[1]);
  return found;
}

// The same on every machine.
std::string plain(std::string text, const Folder& folder) {
  const std::vector<std::pair<std::string, std::string>> names{{folder.path().string(), "."},
                                                               {source("rules"), ".../rules"}};
  for (const auto& [name, shown] : names) {
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += shown.size())
      text.replace(at, name.size(), shown);
  }
  return text;
}

void update(const Json& page, const std::string& said) {
  const std::string name = "docs/errors/" + page["code"].get<std::string>() + ".md";
  std::string text = read(source(name));
  const std::string before = "## Prints\n\n```\n";
  const auto begin = text.find(before) + before.size();
  text.replace(begin, text.find("```\n", begin) - begin, said);
  std::ofstream(source(name), std::ios::binary) << text;
}

TEST(ErrorPages, WhatIsWrongIsToldWithItsCode) {
  const bool updating = std::getenv("UPDATE_GOLDEN") != nullptr;
  for (const Json& page : error_pages()) {
    if (page.contains("no_example")) continue;
    SCOPED_TRACE(page["code"].get<std::string>());
    const Folder folder;
    write(folder, page["wrong"]["files"]);
    Outcome outcome;
    ASSERT_FALSE(page["wrong"]["commands"].empty());
    for (const Json& command : page["wrong"]["commands"]) outcome = run(folder, command);
    EXPECT_EQ(codes_in(outcome.err), std::set<std::string>{page["code"]}) << outcome.text();
    const std::string said = plain(outcome.err, folder);
    const bool so = matches(page["prints"].get<std::string>(), said);
    if (updating && !so) update(page, said);
    if (!updating) {
      EXPECT_TRUE(so) << said << "--- where the page has\n" << page["prints"].get<std::string>();
    }
  }
  if (updating) GTEST_SKIP() << "what the pages say is printed was written anew";
}

TEST(ErrorPages, WhatIsRightIsClean) {
  for (const Json& page : error_pages()) {
    if (page.contains("no_example")) continue;
    SCOPED_TRACE(page["code"].get<std::string>());
    const Folder folder;
    write(folder, page["wrong"]["files"]);
    write(folder, page["right"]["files"]);
    Json commands = page["right"]["commands"];
    if (commands.empty()) commands.push_back(page["wrong"]["commands"].back());
    Outcome outcome;
    for (const Json& command : commands) outcome = run(folder, command);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    EXPECT_EQ(codes_in(outcome.err), std::set<std::string>{}) << outcome.text();
    EXPECT_FALSE(page["right"]["text"].get<std::string>().empty());
    EXPECT_TRUE(!page["right"]["files"].empty() || !page["right"]["commands"].empty());
  }
}

TEST(ErrorPages, WhatHasNoExampleSaysWhy) {
  std::size_t found = 0;
  for (const Json& page : error_pages()) {
    if (!page.contains("no_example")) {
      EXPECT_FALSE(page["why"].get<std::string>().empty()) << page;
      continue;
    }
    ++found;
    EXPECT_FALSE(page["no_example"].get<std::string>().empty()) << page;
  }
  EXPECT_EQ(found, without_example);
}

TEST(ErrorPages, OneIsShown) {
  const Outcome shown = rhopsi({"explain-error", "e202"});
  EXPECT_EQ(shown.exit_code, 0) << shown.text();
  for (const char* part : {"E0202: no operation of that name", "WRONG", "    $ rhopsi check a.mg",
                           "IT SAYS", "error[E0202]", "RIGHT"})
    EXPECT_NE(shown.out.find(part), std::string::npos) << part << shown.out;
  const Outcome reason = rhopsi({"explain-error", "E0105"});
  EXPECT_NE(reason.out.find("No example: "), std::string::npos) << reason.out;
  const Outcome unknown = rhopsi({"explain-error", "E0299"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_NE(unknown.err.find("E0856"), std::string::npos) << unknown.text();
  EXPECT_NE(unknown.err.find("did you mean E0"), std::string::npos) << unknown.text();
}

}  // namespace
}  // namespace rhopsi::exec
