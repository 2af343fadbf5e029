#include "frontend/driver/stages.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "backends/kokkos/emit/emit.hpp"
#include "engine/onf/verify.hpp"
#include "engine/schedule/hoist.hpp"
#include "engine/schedule/own_layout.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/contradictions.hpp"
#include "frontend/driver/explain.hpp"
#include "frontend/driver/expression_scope.hpp"
#include "frontend/driver/nearest.hpp"

namespace rhopsi::driver {

std::optional<std::string> load(Session& session, const std::string& file,
                                syntax::Diagnostics& diagnostics) {
  return session.workspace().load(file, diagnostics);
}

std::shared_ptr<const term::Theory> module(Session& session, const std::string& file,
                                           const std::string& name,
                                           syntax::Diagnostics& diagnostics) {
  const auto package = load(session, file, diagnostics);
  if (!package || diagnostics.has_errors()) return nullptr;
  auto theory = session.workspace().evaluate(*package, name, diagnostics);
  if (theory && session.no_assume()) report_assumed(session, *theory, diagnostics);
  return diagnostics.has_errors() ? nullptr : theory;
}

namespace {

std::vector<std::string> programs_of(Session& session, const std::string& package) {
  std::vector<std::string> names;
  for (const auto& [name, kind] : session.workspace().modules(package)) {
    if (kind == term::ModuleKind::program) names.push_back(name);
  }
  return names;
}

}  // namespace

std::shared_ptr<const term::Theory> program(Session& session, const std::string& file,
                                            const std::string& name,
                                            syntax::Diagnostics& diagnostics) {
  auto theory = module(session, file, name, diagnostics);
  if (!theory || theory->kind == term::ModuleKind::program) return theory;
  const auto package = session.workspace().load(file, diagnostics);
  diagnostics.error(
      codes::not_a_program, {}, file + ": '" + name + "' is not declared as a program",
      package ? suggest(name, programs_of(session, *package), "the package declares no program")
              : std::string());
  return nullptr;
}

namespace {

bool is_one_of(const std::string& code, std::initializer_list<std::string_view> codes) {
  return std::ranges::find(codes, code) != codes.end();
}

// What is wrong with the shapes of a program's arrays, whatever they are at run time. Whether the
// program has a form that can be compiled is not asked.
std::vector<onf::Problem> shape_problems(Session& session, const term::Theory& program,
                                         const std::string& file) {
  const term::Store& store = session.store();
  std::vector<onf::Problem> problems;
  if (!onf::has_own_shapes(store, program, session.table())) return problems;
  lower::Options options;
  options.find_faults = true;
  (void)lower::lower(session.store(), program, session.table(), options, problems);
  std::erase_if(problems, [](const onf::Problem& problem) {
    return !lower::is_violation(problem) &&
           !is_one_of(problem.code, {"E0530", "E0531", "E0532", "E0533", "E0601"});
  });
  // Functions too that the file itself says something about. What they leave open their callers may
  // know.
  options.callables = [&](const term::Callable& callable) {
    return store[callable.symbol].kind == term::SymbolKind::function &&
           store[store.location(*callable.body)].file == file;
  };
  std::vector<onf::Problem> of_functions;
  (void)lower::lower(session.store(), program, session.table(), options, of_functions);
  for (onf::Problem& problem : of_functions) {
    const auto is_same = [&](const onf::Problem& other) {
      return other.location == problem.location && other.code == problem.code;
    };
    if (!lower::is_violation(problem)) continue;
    if (std::ranges::none_of(problems, is_same)) problems.push_back(std::move(problem));
  }
  return problems;
}

// In order of place.
void report_sorted(Session& session, std::vector<onf::Problem> problems,
                   syntax::Diagnostics& diagnostics) {
  std::ranges::stable_sort(problems, {}, [&](const onf::Problem& problem) {
    const term::Location& place = session.store()[problem.location];
    return std::tie(place.file, place.line, place.column);
  });
  report(session, problems, diagnostics);
}

}  // namespace

// Of what can be evaluated whatever else is wrong in the file.
void check(Session& session, const std::string& file, syntax::Diagnostics& diagnostics) {
  const auto package = load(session, file, diagnostics);
  if (!package) return;
  session.workspace().check(*package, diagnostics);
  const bool complete = !diagnostics.has_errors();
  for (const auto& [name, kind] : session.workspace().modules(*package)) {
    if (kind != term::ModuleKind::concept_) continue;
    syntax::Diagnostics again;  // what was reported above
    const auto theory = session.workspace().evaluate(*package, name, again);
    if (!theory || again.has_errors()) continue;
    report_contradictions(session, *theory, diagnostics);
    report_clashes(session, {*package, name}, file, diagnostics);
  }
  std::vector<onf::Problem> problems;
  for (const std::string& name : programs_of(session, *package)) {
    syntax::Diagnostics again;  // what was reported above
    const auto theory = session.workspace().evaluate(*package, name, again);
    if (!theory || again.has_errors()) continue;
    if (session.no_assume()) report_assumed(session, *theory, diagnostics);
    for (onf::Problem& problem : shape_problems(session, *theory, file)) {
      // What is missing may stand in what could not be read.
      if (complete || lower::is_violation(problem)) problems.push_back(std::move(problem));
    }
  }
  report_sorted(session, std::move(problems), diagnostics);
}

void report(Session& session, const std::vector<onf::Problem>& problems,
            syntax::Diagnostics& diagnostics) {
  std::set<std::tuple<term::LocationId, std::string, std::string>> told;
  for (const onf::Problem& problem : problems) {
    // Programs of one file share what is wrong with it.
    if (!told.emplace(problem.location, problem.code, problem.message).second) continue;
    const syntax::Span span = session.span(problem.location);
    if (problem.error) {
      diagnostics.error(problem.code, span, problem.message, problem.advice);
    } else {
      diagnostics.warning(problem.code, span, problem.message, problem.advice);
    }
  }
}

namespace {

// Which accesses could not be decided is told once it is known what runs, by tell_undecided().
std::vector<onf::Problem> problems_of(const onf::Module& module) {
  std::vector<onf::Problem> problems = onf::verify(module);
  std::erase_if(problems, [](const onf::Problem& problem) { return problem.code == "E0524"; });
  return problems;
}

}  // namespace

void tell_undecided(Session& session, const onf::Module& module,
                    const std::vector<std::string>& entries, syntax::Diagnostics& diagnostics) {
  report(session, onf::undecided(module, kokkos::emitted_functions(module, entries)), diagnostics);
}

std::optional<onf::Module> lower(Session& session, const term::Theory& program,
                                 const lower::Options& options, syntax::Diagnostics& diagnostics) {
  std::vector<onf::Problem> problems;
  auto module = lower::lower(session.store(), program, session.table(), options, problems);
  if (module) {
    const std::vector<onf::Problem> more = problems_of(*module);
    problems.insert(problems.end(), more.begin(), more.end());
  }
  report(session, problems, diagnostics);
  if (!module && !diagnostics.has_errors()) {
    diagnostics.error(codes::not_lowered, {}, "'" + program.name + "' has no operational form");
  }
  if (diagnostics.has_errors()) return std::nullopt;
  return module;
}

std::optional<std::vector<schedule::Step>> prepare(
    Session& session, onf::Module& module, const schedule::Recipe& recipe,
    const schedule::Surroundings& around, const std::optional<schedule::Machine>& tiles_for,
    syntax::Diagnostics& diagnostics) {
  auto steps = schedule::hoist(module, recipe, around);
  if (tiles_for) schedule::part_folds(module, *tiles_for);
  std::ranges::move(schedule::lay_out(module, recipe, around), std::back_inserter(steps));
  if (std::ranges::any_of(steps, &schedule::Step::holds))
    report(session, problems_of(module), diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return steps;
}

std::optional<std::vector<schedule::Tiled>> tile(Session& session, onf::Module& module,
                                                 const schedule::Machine& machine,
                                                 syntax::Diagnostics& diagnostics) {
  auto tiles = schedule::tile_folds(module, machine);
  const bool any = std::ranges::any_of(
      tiles, [](const schedule::Tiled& one) { return one.taken || one.regrouped; });
  if (any) report(session, problems_of(module), diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return tiles;
}

schedule::Outcome schedule(Session& session, onf::Module& module, const schedule::Recipe& recipe,
                           const schedule::Surroundings& around, std::vector<schedule::Step> taken,
                           const std::optional<std::vector<std::string>>& entries,
                           syntax::Diagnostics& diagnostics) {
  // What could not be decided of the program before was told before.
  const std::vector<onf::Problem> told = problems_of(module);
  schedule::Outcome outcome = schedule::apply(module, recipe, around);
  outcome.steps.insert(outcome.steps.begin(), std::make_move_iterator(taken.begin()),
                       std::make_move_iterator(taken.end()));
  schedule::tell_places(session.store(), outcome);
  std::vector<onf::Problem> problems = problems_of(module);
  std::erase_if(problems, [&](const onf::Problem& problem) {
    return !problem.error && std::ranges::any_of(told, [&](const onf::Problem& known) {
      return known.code == problem.code && known.message == problem.message;
    });
  });
  // A schedule that somebody wrote is asked for wherever it says.
  const bool written = recipe.location != term::LocationId{};
  for (const schedule::Kept& kept : outcome.kept) {
    if (!entries) break;
    const bool entry = std::ranges::count(*entries, kept.function) > 0;
    const bool asked = entry || (outcome.functions == 0 && (entries->empty() || written));
    if (asked) problems.push_back(kept.remark);
  }
  for (onf::Problem& remark : schedule::remarks_on(recipe, outcome)) {
    problems.push_back(std::move(remark));
  }
  report(session, problems, diagnostics);
  return outcome;
}

}  // namespace rhopsi::driver
