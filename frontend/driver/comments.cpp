#include "frontend/driver/comments.hpp"

#include <algorithm>
#include <variant>

#include "frontend/syntax/ast.hpp"
#include "frontend/syntax/parse.hpp"

namespace rhopsi::driver {
namespace {

std::string_view without_indentation(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

}  // namespace

std::string comment_above(const syntax::SourceFile& file, std::uint32_t line) {
  std::uint32_t first = line;
  while (first > 1 && without_indentation(file.line(first - 1)).starts_with("//")) --first;
  std::string text;
  for (std::uint32_t k = first; k < line; ++k) {
    std::string_view each = without_indentation(file.line(k)).substr(2);
    if (each.starts_with(' ')) each.remove_prefix(1);
    text += std::string(each) + "\n";
  }
  return text;
}

std::string declared_text(const syntax::SourceFile& file, const syntax::Span& span) {
  const std::size_t indented = file.position(span.begin).column - 1;
  const std::string_view whole = file.text().substr(span.begin, span.end - span.begin);
  std::string text;
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t end = std::min(whole.find('\n', at), whole.size());
    std::string_view line = whole.substr(at, end - at);
    if (at > 0)
      line.remove_prefix(std::min(indented, line.size() - without_indentation(line).size()));
    text += std::string(line) + "\n";
    at = end + 1;
  }
  return text;
}

std::map<std::uint32_t, Written> declarations(std::shared_ptr<const syntax::SourceFile> file) {
  std::map<std::uint32_t, Written> found;
  syntax::Diagnostics unused;
  const auto package = syntax::parse_package(file, unused);
  if (!package) return found;
  for (const syntax::TopDecl& top : package->declarations) {
    const auto* module = std::get_if<syntax::ModuleDecl>(&top);
    if (module == nullptr || !module->definition) continue;
    const auto* body = std::get_if<syntax::ModuleBody>(&module->definition->node);
    if (body == nullptr) continue;
    const std::string of_module = comment_above(*file, file->position(module->span.begin).line);
    for (const syntax::BodyItem& item : body->items) {
      const auto* callable = std::get_if<syntax::CallableDecl>(&item);
      if (callable == nullptr) continue;
      const std::uint32_t line = file->position(callable->span.begin).line;
      const std::string own = comment_above(*file, line);
      found.emplace(line,
                    Written{declared_text(*file, callable->span), own.empty() ? of_module : own});
    }
  }
  return found;
}

}  // namespace rhopsi::driver
