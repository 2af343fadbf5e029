#include "frontend/driver/expression_cases.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "frontend/driver/codes.hpp"

namespace rhopsi::driver {
namespace {

constexpr std::string_view separator = " | ";

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::optional<std::string> contents(const std::string& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

ExpressionCase read_case(std::string place, const std::string& line) {
  const std::size_t bar = line.find(separator);
  std::vector<std::string> inputs;
  if (bar != std::string::npos) inputs = words(line.substr(bar + separator.size()));
  return {std::make_shared<const syntax::SourceFile>(std::move(place), line.substr(0, bar)),
          std::move(inputs), "input"};
}

// A message is one line, whatever it quotes.
std::string flat(std::string text) {
  for (char& each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte < 0x20 || byte == 0x7F) each = ' ';
  }
  return text;
}

}  // namespace

ExpressionCase command_line_case(std::string expression, std::vector<std::string> inputs) {
  return {std::make_shared<const syntax::SourceFile>("expression", std::move(expression)),
          std::move(inputs), "--in"};
}

std::optional<std::vector<ExpressionCase>> read_cases(const std::string& path,
                                                      syntax::Diagnostics& diagnostics) {
  const auto text = contents(path);
  if (!text) {
    diagnostics.error(codes::no_cases, {}, "cannot read the file '" + path + "'",
                      "does it exist, and may you read it?");
    return std::nullopt;
  }
  std::vector<ExpressionCase> cases;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    cases.push_back(read_case(path + ":" + std::to_string(cases.size() + 1), line));
  }
  return cases;
}

std::string one_line(const syntax::Diagnostics& diagnostics, const syntax::SourceFile& place) {
  for (const syntax::Diagnostic& problem : diagnostics.all()) {
    if (problem.severity != syntax::Severity::error) continue;
    std::string where = place.path();
    if (const auto& file = problem.span.file) {
      const syntax::SourceFile::Position at = file->position(problem.span.begin);
      // A case is one line: its number is in its path.
      const bool own = file->path() == place.path();
      where = file->path() + (own ? "" : ":" + std::to_string(at.line)) + ":" +
              std::to_string(at.column);
    }
    return flat(where + ": " + problem.message + " [" + problem.code + "]");
  }
  return flat(place.path());
}

}  // namespace rhopsi::driver
