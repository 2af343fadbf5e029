#include "frontend/driver/error_page.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <nlohmann/json.hpp>

#include "frontend/driver/codes.hpp"
#include "frontend/driver/folder.hpp"
#include "frontend/driver/nearest.hpp"
#include "frontend/driver/page_parts.hpp"

namespace rhopsi::driver {

// Made from docs/errors while the project is built.
const std::vector<TextFile>& error_page_files();

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view prompt = "    $ ";

std::vector<std::string> page_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Less the empty lines at both ends.
std::string page_paragraphs(const std::string& text) {
  const auto first = text.find_first_not_of('\n');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of('\n') - first + 1) + "\n";
}

class PageReader {
 public:
  explicit PageReader(const std::string& text) : parts_(page_parts(text)) {}

  std::optional<ErrorPage> read() {
    if (parts_.empty() || parts_[0].block) return {};
    const std::string& head = parts_[0].text;
    if (!head.starts_with("# ") || head.find(": ") > 10) return {};
    page_.code = head.substr(2, head.find(": ") - 2);
    page_.meaning = head.substr(head.find(": ") + 2);
    for (std::size_t k = 1; k < parts_.size(); ++k) {
      const std::string& line = parts_[k].text;
      if (parts_[k].block) {
        block(parts_[k]);
      } else if (line.starts_with("## ")) {
        section_ = line.substr(3);
      } else if (line.starts_with(prompt)) {
        program().commands.push_back(line.substr(prompt.size()));
      } else {
        text() += line + "\n";
      }
    }
    for (std::string* each : {&page_.why, &page_.wrong.text, &page_.right.text, &page_.no_example})
      *each = page_paragraphs(*each);
    return page_;
  }

 private:
  ErrorPage::Program& program() { return section_ == "Right" ? page_.right : page_.wrong; }

  std::string& text() {
    if (section_ == "No example") return page_.no_example;
    return section_.empty() ? page_.why : program().text;
  }

  void block(const PagePart& part) {
    std::istringstream head(part.info);
    ErrorPage::File file;
    std::string remark;
    head >> file.name >> remark;
    file.escaped = remark == "escaped";
    file.text = part.text;
    if (section_ == "Prints") {
      page_.prints = file.text;
    } else {
      program().files.push_back(std::move(file));
    }
  }

  std::vector<PagePart> parts_;
  std::string section_;
  ErrorPage page_;
};

std::string page_block(const std::string& text) {
  std::string result;
  for (const std::string& line : page_lines(text))
    result += (line.empty() ? "" : "    " + line) + "\n";
  return result;
}

std::string program_text(const std::string& title, const ErrorPage::Program& program) {
  std::string text = "\n" + title + "\n\n" + program.text + (program.text.empty() ? "" : "\n");
  for (const ErrorPage::File& file : program.files) {
    text += "  " + file.name + "\n\n" + page_block(file.text) + "\n";
  }
  for (const std::string& each : program.commands) text += "    $ " + each + "\n";
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

Json program_json(const ErrorPage::Program& program) {
  Json files = Json::array();
  for (const ErrorPage::File& file : program.files) {
    files.push_back({{"name", file.name}, {"text", file.text}, {"escaped", file.escaped}});
  }
  return {{"text", program.text}, {"files", files}, {"commands", program.commands}};
}

// With its E and four digits.
std::string full_code(const std::string& code) {
  std::string digits = code;
  if (!digits.empty() && std::toupper(static_cast<unsigned char>(digits[0])) == 'E')
    digits.erase(0, 1);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return "E" + digits;
}

}  // namespace

std::optional<ErrorPage> read_error_page(const std::string& text) {
  return PageReader(text).read();
}

const std::vector<ErrorPage>& error_pages() {
  static const std::vector<ErrorPage> pages = [] {
    std::vector<ErrorPage> read;
    for (const TextFile& file : error_page_files()) {
      if (auto page = read_error_page(file.text)) read.push_back(std::move(*page));
    }
    std::ranges::sort(read, {}, &ErrorPage::code);
    return read;
  }();
  return pages;
}

const ErrorPage* find_error_page(const std::string& code, syntax::Diagnostics& diagnostics) {
  const auto found = std::ranges::find(error_pages(), full_code(code), &ErrorPage::code);
  if (found != error_pages().end()) return &*found;
  std::vector<std::string> codes;
  for (const ErrorPage& each : error_pages()) codes.push_back(each.code);
  const auto close = nearest(full_code(code), codes);
  diagnostics.error(codes::no_such_code, {}, "no diagnostic has the code '" + code + "'",
                    (close ? "did you mean " + *close + "? " : std::string()) +
                        "rhopsi explain-error names them all");
  return nullptr;
}

std::string to_string(const ErrorPage& page) {
  std::string text = page.code + ": " + page.meaning + "\n";
  if (!page.why.empty()) text += "\n" + page.why;
  if (!page.no_example.empty()) return text + "\nNo example: " + page.no_example;
  text += program_text("WRONG", page.wrong);
  text += "\nIT SAYS\n\n" + page_block(page.prints);
  return text + program_text("RIGHT", page.right);
}

std::string to_json(const std::vector<ErrorPage>& pages) {
  Json all = Json::array();
  for (const ErrorPage& each : pages) {
    Json object = {{"code", each.code}, {"meaning", each.meaning}, {"why", each.why}};
    if (each.no_example.empty()) {
      object["wrong"] = program_json(each.wrong);
      object["prints"] = each.prints;
      object["right"] = program_json(each.right);
    } else {
      object["no_example"] = each.no_example;
    }
    all.push_back(std::move(object));
  }
  return Json{{"codes", all}}.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rhopsi::driver
