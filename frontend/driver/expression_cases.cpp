#include "frontend/driver/expression_cases.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <variant>

#include "frontend/driver/codes.hpp"
#include "frontend/syntax/read_file.hpp"

namespace rhopsi::driver {
namespace {

constexpr std::string_view separator = " | ";

// The words behind the bar, which have their columns in the whole line.
void read_words(ExpressionCase& into, const std::string& line, std::size_t begin) {
  constexpr const char* blanks = " \t\v\f\r";
  const auto whole = std::make_shared<const syntax::SourceFile>(into.text->path(), line);
  while ((begin = line.find_first_not_of(blanks, begin)) != std::string::npos) {
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    into.inputs.push_back(line.substr(begin, end - begin));
    into.places.push_back(
        {whole, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    begin = end;
  }
}

ExpressionCase read_case(std::string place, const std::string& line) {
  const std::size_t bar = line.find(separator);
  ExpressionCase made{
      std::make_shared<const syntax::SourceFile>(std::move(place), line.substr(0, bar)),
      {},
      "input"};
  if (bar != std::string::npos) read_words(made, line, bar + separator.size());
  return made;
}

// The place in a case by its column: a case is one line, and its path holds the number of that.
std::string place_of(const syntax::Span& span, const syntax::SourceFile& own) {
  if (!span.file) return own.path();
  const syntax::SourceFile::Position at = span.file->position(span.begin);
  const std::string line = span.file->path() == own.path() ? "" : ":" + std::to_string(at.line);
  return span.file->path() + line + ":" + std::to_string(at.column);
}

}  // namespace

ExpressionCase command_line_case(std::string expression, std::vector<std::string> inputs) {
  return {std::make_shared<const syntax::SourceFile>("expression", std::move(expression)),
          std::move(inputs), "--in"};
}

std::optional<std::vector<ExpressionCase>> read_cases(const std::string& path,
                                                      syntax::Diagnostics& diagnostics) {
  const auto content = syntax::read_file(path);
  const auto* const text = std::get_if<std::string>(&content);
  if (text == nullptr) {
    const auto problem = std::get<syntax::FileProblem>(content);
    const bool large = problem.kind == syntax::FileProblem::too_large;
    diagnostics.error(codes::no_cases, {},
                      "cannot read the file '" + path + "'" +
                          (large ? ": it is larger than 64 MiB" : syntax::reason(problem)),
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
  syntax::Diagnostic line;
  line.message = place.path();
  for (const syntax::Diagnostic& problem : diagnostics.all()) {
    if (problem.severity != syntax::Severity::error) continue;
    line.message =
        place_of(problem.span, place) + ": " + problem.message + " [" + problem.code + "]";
    break;
  }
  std::string text = syntax::render(line);  // whatever the message quotes, it may be printed
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace rhopsi::driver
