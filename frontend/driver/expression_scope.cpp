#include "frontend/driver/expression_scope.hpp"

#include <filesystem>

#include "frontend/driver/codes.hpp"
#include "frontend/driver/contradictions.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/driver/nearest.hpp"
#include "frontend/elaborate/body.hpp"
#include "frontend/elaborate/body_codes.hpp"
#include "frontend/syntax/parse.hpp"

namespace rhopsi::driver {
namespace {

namespace fs = std::filesystem;

constexpr const char* library_file = "moa/library.mg";
constexpr const char* library_package = "moa.library";
constexpr const char* library_module = "Expressions";

// Adds the concepts of a user's file.
void add_concepts(Session& session, const std::string& file,
                  std::vector<elaborate::ModuleReference>& modules,
                  syntax::Diagnostics& diagnostics) {
  const auto package = session.workspace().load(file, diagnostics);
  if (!package || diagnostics.has_errors()) return;
  bool found = false;
  for (const auto& [name, kind] : session.workspace().modules(*package)) {
    if (kind != term::ModuleKind::concept_) continue;
    modules.push_back({*package, name});
    found = true;
  }
  if (found) return;
  diagnostics.error(codes::no_concept, {}, "--with " + file + ": the file declares no concept",
                    "state operations and their axioms in `concept NAME = { ... };`");
}

std::optional<term::SortId> array_sort(Session& session, const term::Theory& theory) {
  for (const term::Type& type : theory.types) {
    const auto representation =
        onf::representation_of(session.store(), theory, type.sort, session.table());
    if (representation && representation->kind == onf::Representation::Kind::array) {
      return type.sort;
    }
  }
  return std::nullopt;
}

// The same mistake asks something else of who writes an expression than of who writes a module.
syntax::Diagnostic readdressed(syntax::Diagnostic problem) {
  const bool suggests = problem.note.starts_with("did you mean");
  if (problem.code == elaborate::code::unknown_variable && problem.note.empty()) {
    problem.note = "arrays are given by --in NAME=FILE.npy or --in NAME=iota:SHAPE:START";
  } else if (problem.code == elaborate::code::unknown_operation && !suggests) {
    problem.note = "declare it in a concept of a file that --with names";
  } else if (problem.code == "E0102") {
    problem.message = "there is no expression";
    problem.note.clear();
  }
  return problem;
}

}  // namespace

std::optional<std::string> find_library(const Session& session, syntax::Diagnostics& diagnostics) {
  const std::vector<std::string> folders = search_path(session.include());
  for (const std::string& folder : folders) {
    const fs::path path = fs::path(folder) / library_file;
    std::error_code failure;
    if (fs::exists(path, failure)) return path.string();
  }
  diagnostics.error(codes::library_missing, {},
                    std::string("the library of operations, ") + library_file + ", was not found",
                    "searched: " + enumerate(folders) + "; name its folder with -I");
  return std::nullopt;
}

std::shared_ptr<const term::Theory> imported_library(Session& session, const std::string& package,
                                                     syntax::Diagnostics& diagnostics) {
  if (!session.workspace().imports(package, library_package)) return nullptr;
  return session.workspace().evaluate(library_package, library_module, diagnostics);
}

std::unique_ptr<const ExpressionScope> open_scope(Session& session,
                                                  const std::vector<std::string>& with,
                                                  syntax::Diagnostics& diagnostics) {
  const auto library = find_library(session, diagnostics);
  if (!library) return nullptr;
  std::vector<elaborate::ModuleReference> modules;
  if (const auto package = session.workspace().load(*library, diagnostics)) {
    modules.push_back({*package, library_module});
  }
  for (const std::string& file : with) add_concepts(session, file, modules, diagnostics);
  if (diagnostics.has_errors()) return nullptr;
  auto theory = session.workspace().combine("expressions", modules, diagnostics);
  if (!theory) return nullptr;
  const auto array = array_sort(session, *theory);
  if (!array) {
    diagnostics.error(codes::library_missing, {}, *library + " declares no type of arrays",
                      "is another folder of the search path before the library's?");
    return nullptr;
  }
  if (!with.empty()) report_contradictions(session, *theory, diagnostics, with);
  elaborate::Scope names(session.store(), *theory);
  return std::make_unique<const ExpressionScope>(
      ExpressionScope{std::move(theory), std::move(names), *array});
}

void report_clashes(Session& session, const elaborate::ModuleReference& concept_,
                    const std::string& file, syntax::Diagnostics& diagnostics) {
  syntax::Diagnostics problems;  // of the library are none of this file
  const auto library = find_library(session, problems);
  const auto package = library ? session.workspace().load(*library, problems) : std::nullopt;
  if (!package || *package == concept_.package) return;
  if (!session.workspace().imports(concept_.package, *package)) return;
  (void)session.workspace().combine("expressions", {{*package, library_module}, concept_},
                                    problems);
  const auto is_here = [&](const syntax::Span& span) {
    return span.file && span.file->path() == file;
  };
  for (const syntax::Diagnostic& problem : problems.all()) {
    if (problem.code != codes::axiom_twice || !is_here(problem.span)) continue;
    if (problem.related.empty() || is_here(problem.related.front().span)) continue;
    diagnostics
        .warning(problem.code, problem.span, problem.message,
                 "the other one is the library's, and `eval --with` refuses both together: rename "
                 "this one")
        .related = problem.related;
  }
}

std::optional<Expression> read_expression(Session& session, const ExpressionScope& scope,
                                          const std::shared_ptr<const syntax::SourceFile>& text,
                                          const std::vector<ArrayInput>& inputs,
                                          syntax::Diagnostics& diagnostics) {
  session.add_text(text);
  syntax::Diagnostics problems;
  std::optional<term::TermId> term;
  Expression expression{};
  elaborate::Parameters parameters;
  for (const ArrayInput& input : inputs) {
    expression.variables.push_back(session.store().fresh_variable(input.name, scope.array, false));
  }
  parameters.variables = expression.variables;
  if (const syntax::ExprPtr tree = syntax::parse_expression(text, problems)) {
    term = elaborate::elaborate_body(scope.names, *tree, elaborate::BodyKind::function, scope.array,
                                     parameters, problems);
  }
  for (const syntax::Diagnostic& problem : problems.all()) diagnostics.add(readdressed(problem));
  if (!term || problems.has_errors()) return std::nullopt;
  expression.term = *term;
  return expression;
}

}  // namespace rhopsi::driver
