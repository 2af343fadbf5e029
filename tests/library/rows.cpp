#include "tests/library/rows.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rhopsi::library {

namespace {

constexpr std::string_view arrow = "  =>  ";
constexpr std::string_view gap = "        ";

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> split(std::string text, std::string_view separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; (at = text.find(separator)) != std::string::npos;) {
    parts.push_back(text.substr(0, at));
    text = text.substr(at + separator.size());
  }
  parts.push_back(text);
  return parts;
}

// Reads a list from its bracket: the lengths of its axes, and its numbers in a row.
struct List {
  std::vector<std::size_t> shape;
  std::vector<std::string> numbers;
};

List read_list(std::string_view text, std::size_t& at) {
  List list;
  std::size_t length = 0;
  while (text.at(++at) != ']') {
    if (text[at] == ',' || text[at] == ' ') continue;
    ++length;
    if (text[at] == '[') {
      List inner = read_list(text, at);
      list.shape = inner.shape;
      list.numbers.insert(list.numbers.end(), inner.numbers.begin(), inner.numbers.end());
    } else {
      const std::size_t end = text.find_first_of(",]", at);
      list.numbers.emplace_back(text.substr(at, end - at));
      at = end - 1;
    }
  }
  list.shape.insert(list.shape.begin(), length);
  return list;
}

std::string with_reshapes(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at, 2) != "[[") {
      result += text[at];
      continue;
    }
    const List list = read_list(text, at);
    result += fmt::format("reshape([{}], [{}])", fmt::join(list.numbers, ", "),
                          fmt::join(list.shape, ", "));
  }
  return result;
}

reference::Array array_of(const List& list) {
  std::vector<std::int64_t> elements;
  for (const std::string& number : list.numbers) elements.push_back(std::stoll(number));
  return reference::make_array({list.shape.begin(), list.shape.end()}, std::move(elements));
}

// 0, 1, 2, ... in a row.
reference::Array counted(const List& lengths) {
  List list;
  std::size_t count = 1;
  for (const std::string& length : lengths.numbers) {
    list.shape.push_back(std::stoul(length));
    count *= list.shape.back();
  }
  for (std::size_t i = 0; i < count; ++i) list.numbers.push_back(std::to_string(i));
  return array_of(list);
}

// `A = [1, 2], B of shape [2, 3]`; nothing for other prefixes.
std::map<std::string, reference::Array> arrays_of(const std::string& prefix) {
  std::map<std::string, reference::Array> arrays;
  static const std::regex pattern(R"(([A-Za-z]\w*) (=|of shape) (\[.*?\])(?=$|, [A-Za-z]))");
  for (std::sregex_iterator each(prefix.begin(), prefix.end(), pattern), end; each != end; ++each) {
    const std::string text = (*each)[3];
    std::size_t at = 0;
    const List list = read_list(text, at);
    arrays[(*each)[1]] = (*each)[2] == "=" ? array_of(list) : counted(list);
  }
  return arrays;
}

std::vector<Row> rows_of_line(const std::string& place, std::string line) {
  std::map<std::string, reference::Array> arrays;
  if (const std::size_t colon = line.find(":  "); colon < line.find(arrow)) {
    arrays = arrays_of(line.substr(0, colon));
    line = line.substr(colon + 1);
  }
  std::vector<Row> rows;
  for (const std::string& example : split(trimmed(line), gap)) {
    const std::vector<std::string> sides = split(example, arrow);
    if (sides.size() != 2) throw std::runtime_error(place + " is no example: " + example);
    rows.push_back({place, arrays, with_reshapes(trimmed(sides[0])), trimmed(sides[1])});
  }
  return rows;
}

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::vector<Row> rows_of_table(const std::string& name) {
  const std::string path = RHOPSI_SOURCE_DIR "/tests/library/tables/" + name + ".txt";
  std::vector<Row> rows;
  std::size_t number = 0;
  for (const std::string& line : lines_of(path)) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    const std::vector<Row> found = rows_of_line(fmt::format("{}:{}", name_of(path), number), line);
    rows.insert(rows.end(), found.begin(), found.end());
  }
  return rows;
}

std::vector<Row> rows_of_comments(const std::string& path) {
  std::vector<Row> rows;
  std::size_t number = 0;
  for (const std::string& line : lines_of(path)) {
    ++number;
    if (line.rfind("//   ", 0) != 0 || line.find(arrow) == std::string::npos) continue;
    const std::vector<Row> found =
        rows_of_line(fmt::format("{}:{}", name_of(path), number), line.substr(5));
    rows.insert(rows.end(), found.begin(), found.end());
  }
  return rows;
}

}  // namespace rhopsi::library
