#include "frontend/elaborate/module.hpp"

#include <algorithm>

#include "frontend/elaborate/scope.hpp"

namespace rhopsi::elaborate {

std::size_t Template::pack_index() const {
  const auto& parameters = declaration->parameters;
  const auto found = std::ranges::find_if(
      parameters, [](const syntax::Parameter& parameter) { return parameter.type.variadic; });
  return static_cast<std::size_t>(found - parameters.begin());
}

void Places::add_file(std::shared_ptr<const syntax::SourceFile> file) {
  files_.try_emplace(file->path(), std::move(file));
}

term::LocationId Places::mark(const syntax::Span& span) {
  const term::LocationId location = locate(store_, span);
  if (location != term::LocationId{}) spans_.try_emplace(location, span);
  return location;
}

syntax::Span Places::span(term::LocationId location) const {
  if (auto marked = spans_.find(location); marked != spans_.end()) return marked->second;
  const term::Location& place = store_[location];
  const auto found = files_.find(place.file);
  if (found == files_.end() || place.line == 0) return {};
  const auto& file = found->second;
  const std::string_view line = file->line(place.line);
  const auto line_begin = static_cast<std::uint32_t>(line.data() - file->text().data());
  const auto line_end = static_cast<std::uint32_t>(line_begin + line.size());
  // Columns count code points: step until the position is the one asked for.
  std::uint32_t begin = line_begin;
  while (begin < line_end && file->position(begin).column < place.column) ++begin;
  return {file, begin, line_end};
}

std::string Places::text(term::LocationId location) const {
  const term::Location& place = store_[location];
  if (place.file.empty()) return "an unknown place";
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string kind_name(term::ModuleKind kind) {
  switch (kind) {
    case term::ModuleKind::signature:
      return "signature";
    case term::ModuleKind::concept_:
      return "concept";
    case term::ModuleKind::implementation:
      return "implementation";
    case term::ModuleKind::program:
      return "program";
  }
  return {};
}

std::string kind_with_article(term::ModuleKind kind) {
  return (kind == term::ModuleKind::implementation ? "an " : "a ") + kind_name(kind);
}

term::ModuleKind module_kind(syntax::ModuleKind kind) {
  switch (kind) {
    case syntax::ModuleKind::signature:
      return term::ModuleKind::signature;
    case syntax::ModuleKind::concept_:
      return term::ModuleKind::concept_;
    case syntax::ModuleKind::implementation:
      return term::ModuleKind::implementation;
    case syntax::ModuleKind::program:
      return term::ModuleKind::program;
  }
  return term::ModuleKind::signature;
}

std::string in_quotes(std::string_view name) { return "`" + std::string(name) + "`"; }

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::optional<std::string> near = nearest(name, candidates);
  return near ? "; did you mean " + in_quotes(*near) + "?" : std::string{};
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += in_quotes(names[i]);
  }
  return text;
}

}  // namespace rhopsi::elaborate
