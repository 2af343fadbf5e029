#include "frontend/driver/rule_page.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <variant>

#include <fmt/format.h>

#include "frontend/driver/comments.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/syntax/ast.hpp"
#include "frontend/syntax/parse.hpp"

namespace rhopsi::driver {
namespace {

using Status = AxiomReport::Status;
using Kind = RuleEntry::Kind;

struct ReadPackage {
  std::shared_ptr<const syntax::SourceFile> file;
  syntax::Package package;
};

std::optional<ReadPackage> read_package(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  auto file = std::make_shared<const syntax::SourceFile>(path, std::move(text));
  syntax::Diagnostics unused;
  auto package = syntax::parse_package(file, unused);
  if (!package) return std::nullopt;
  return ReadPackage{std::move(file), std::move(*package)};
}

// What Markdown would take for its own, but for what stands between backquotes.
std::string escaped_prose(const std::string& line) {
  std::string text;
  bool quoted = false;
  for (const char c : line) {
    if (c == '`') quoted = !quoted;
    if (!quoted && (c == '*' || c == '_' || c == '<')) text += '\\';
    text += c;
  }
  return text;
}

// Of a comment: what is indented there is an example, and stays as it is.
std::string comment_paragraphs(const std::string& comment) {
  std::string text;
  std::istringstream lines(comment);
  for (std::string line; std::getline(lines, line);) {
    const bool example = line.starts_with("  ");
    text += (example ? "  " + line : escaped_prose(line)) + "\n";
  }
  return text.empty() ? text : text + "\n";
}

std::string code_span(const std::string& text) {
  std::string shown;
  for (const char c : text) {
    if (c == '|') shown += '\\';
    shown += c;
  }
  return "`" + shown + "`";
}

// The first line of the statement, up to the guard.
std::string head_of(const std::string& statement) {
  std::string head = statement.substr(0, statement.find_first_of("\n;"));
  head = head.substr(0, head.find(" guard "));
  const auto word = head.find(' ');
  return word == std::string::npos ? head : head.substr(word + 1);
}

std::string example_cell(const RuleEntry& entry) {
  if (!entry.example) return {};
  std::string values;
  for (const auto& [name, value] : entry.example->values)
    values += (values.empty() ? "" : ", ") + name + " = " + value;
  return (values.empty() ? "" : code_span(values) + ": ") + code_span(entry.example->result);
}

std::string status_cell(const RuleEntry& entry) {
  if (entry.status == Status::open) return "not verified here";
  std::string text = to_string(entry.status);
  if (!entry.report) return text;
  if (entry.status == Status::proved) return text + ", elements: " + entry.report->theory;
  if (entry.report->refutation) return text + ": " + entry.report->refutation->difference;
  if (!entry.report->reason.empty()) text += ": " + entry.report->reason;
  return text;
}

std::string operation_table(const std::vector<const RuleEntry*>& entries) {
  std::string rows;
  for (const RuleEntry* each : entries) {
    if (each->kind != Kind::operation || !each->example) continue;
    rows += "| " + code_span(head_of(each->statement)) + " | " + example_cell(*each) + " |\n";
  }
  return rows.empty() ? rows : "| operation | example |\n|---|---|\n" + rows + "\n";
}

std::string law_table(const std::vector<const RuleEntry*>& entries) {
  std::string rows;
  for (const RuleEntry* each : entries) {
    if (each->kind == Kind::operation || each->status == Status::definition) continue;
    rows += fmt::format("| {} | {} | {} |\n", code_span(last_of(each->name)),
                        escaped_prose(status_cell(*each)), example_cell(*each));
  }
  return rows.empty() ? rows : "| law | status | both sides are |\n|---|---|---|\n" + rows + "\n";
}

// The definitions that no array is left by, for each extent of the proofs.
std::string within_lines(const std::vector<const RuleEntry*>& entries) {
  std::map<std::string, std::string> names;
  for (const RuleEntry* each : entries) {
    if (!each->report || !each->report->within) continue;
    std::string& list = names[scope(*each->report)];
    list += (list.empty() ? "" : ", ") + code_span(last_of(each->name));
  }
  std::string text;
  for (const auto& [extent, list] : names)
    text += "Proved to stay " + extent + ", each: " + list + ".\n\n";
  return text;
}

std::string declaration_word(const syntax::TopDecl& declaration) {
  if (std::holds_alternative<syntax::RenamingDecl>(declaration)) return "renaming";
  if (std::holds_alternative<syntax::SatisfactionDecl>(declaration)) return "satisfaction";
  if (std::holds_alternative<syntax::ScheduleDecl>(declaration)) return "schedule";
  switch (std::get<syntax::ModuleDecl>(declaration).kind) {
    case syntax::ModuleKind::concept_:
      return "concept";
    case syntax::ModuleKind::implementation:
      return "implementation";
    case syntax::ModuleKind::signature:
      return "signature";
    case syntax::ModuleKind::program:
      return "program";
  }
  return {};
}

class PageWriter {
 public:
  PageWriter(const ReadPackage& read, const std::vector<RuleEntry>& entries)
      : read_(read), entries_(entries) {}

  std::string write() const {
    const std::string& name = read_.package.name.text;
    std::string text = "<!-- Made by `rhopsi rules page " + name + "`. -->\n# " + name + "\n\n";
    text += comment_paragraphs(comment_at(read_.package.name.span));
    text += "File: `" + shown_path(read_.file->path()) + "`.";
    std::string imports;
    for (const syntax::Name& each : read_.package.imports)
      imports += (imports.empty() ? " Imports " : ", ") + code_span(each.text);
    text += imports + (imports.empty() ? "\n" : ".\n");
    for (const syntax::TopDecl& each : read_.package.declarations) text += section(each);
    return text;
  }

 private:
  std::string comment_at(const syntax::Span& span) const {
    return comment_above(*read_.file, read_.file->position(span.begin).line);
  }

  std::string section(const syntax::TopDecl& declaration) const {
    const auto [name, span] = std::visit(
        [](const auto& each) { return std::pair(each.name.text, each.span); }, declaration);
    std::string text = "\n## " + declaration_word(declaration) + " " + name + "\n\n";
    text += comment_paragraphs(comment_at(span));
    std::string declared = declared_text(*read_.file, span);
    const bool ends = read_.file->text().substr(span.end).starts_with(';');
    if (ends) declared.insert(declared.size() - 1, ";");
    text += "```mg\n" + declared + "```\n";
    std::vector<const RuleEntry*> own;
    const std::string module = read_.package.name.text + "." + name + ".";
    for (const RuleEntry& each : entries_) {
      if (each.name.starts_with(module)) own.push_back(&each);
    }
    std::string tables = operation_table(own) + law_table(own) + within_lines(own);
    if (!tables.empty()) tables.pop_back();
    return text + (tables.empty() ? "" : "\n" + tables);
  }

  const ReadPackage& read_;
  const std::vector<RuleEntry>& entries_;
};

// Of the package, or where nothing stands there of its first declaration: the comment up to its
// first example, on one line.
std::string first_words(const ReadPackage& read) {
  const auto comment_at = [&](const syntax::Span& span) {
    return comment_above(*read.file, read.file->position(span.begin).line);
  };
  std::string comment = comment_at(read.package.name.span);
  if (comment.empty() && !read.package.declarations.empty()) {
    comment = std::visit([&](const auto& each) { return comment_at(each.span); },
                         read.package.declarations.front());
  }
  std::istringstream lines(comment);
  std::string text;
  for (std::string each; std::getline(lines, each) && !each.empty();)
    text += (text.empty() ? "" : " ") + each;
  return escaped_prose(text);
}

}  // namespace

std::optional<std::string> rule_page(const std::string& file,
                                     const std::vector<RuleEntry>& entries) {
  const auto read = read_package(file);
  if (!read) return std::nullopt;
  return PageWriter(*read, entries).write();
}

std::string package_in(const std::string& file) {
  const auto read = read_package(file);
  return read ? read->package.name.text : "";
}

std::string rule_page_index(const std::vector<std::string>& files,
                            const std::vector<RuleEntry>& entries) {
  std::string text =
      "<!-- Made by `rhopsi rules page`. -->\n# Rule packages\n\n"
      "What stands in each package, in the order of its file, with examples and what is proved "
      "(`rhopsi verify`).\n\n"
      "| package | what | laws |\n|---|---|---|\n";
  for (const std::string& file : files) {
    const auto read = read_package(file);
    if (!read) continue;
    const std::string& name = read->package.name.text;
    const auto laws = std::ranges::count_if(entries, [&](const RuleEntry& each) {
      return each.name.starts_with(name + ".") && each.kind != Kind::operation &&
             each.status != Status::definition;
    });
    text += fmt::format("| [{}]({}.md) | {} | {} |\n", name, name, first_words(*read), laws);
  }
  return text;
}

}  // namespace rhopsi::driver
