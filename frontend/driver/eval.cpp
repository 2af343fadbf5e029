#include "frontend/driver/eval.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "frontend/driver/array_text.hpp"
#include "frontend/driver/compiled_cases.hpp"
#include "frontend/driver/evaluation.hpp"
#include "frontend/syntax/deep_stack.hpp"

namespace rhopsi::driver {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json json_of(const reference::Array& array) {
  Json object = {{"shape", array.shape}, {"element", onf::to_string(array.element)}};
  std::visit([&](const auto& elements) { object["elements"] = elements; }, *array.elements);
  return object;
}

Json json_of(const syntax::Diagnostics& diagnostics) {
  return {{"errors", diagnostics.error_count()},
          {"diagnostics", Json::parse(syntax::render_json(diagnostics))}};
}

std::string lines_of(const reference::Array& array) {
  return shape_line(array.shape) + "\n" + elements_line(*array.elements) + "\n";
}

moa::Limits limits_of(const EvalRequest& request) {
  moa::Limits limits;
  limits.reassociate = request.reassociate;
  // Of what the thread has left, with room for what is no recursion.
  const std::size_t left = syntax::stack_address() - syntax::stack_floor();
  limits.stack_bytes = std::max(limits.stack_bytes, left / 4 * 3);
  return limits;
}

std::string text_of(const moa::Plan& plan, const EvalRequest& request) {
  const std::string dnf = request.normal_form ? moa::to_string(plan) : "";
  const std::string onf = request.accesses ? moa::accesses_to_string(plan) : "";
  if (!request.json) return dnf + onf;
  Json object;
  if (request.normal_form) object["normal_form"] = dnf;
  if (request.accesses) object["accesses"] = onf;
  return dump(object);
}

Outcome reference_value(Evaluation& evaluation, const ExpressionCase& each) {
  Outcome outcome;
  if (const auto given = evaluation.read(each, outcome.problems)) {
    outcome.array = evaluation.value(*given, outcome.problems);
  }
  return outcome;
}

// One case after the other, or all of them in one program.
bool for_each_outcome(Evaluation& evaluation, const std::vector<ExpressionCase>& cases,
                      Backend backend, syntax::Diagnostics& diagnostics,
                      const std::function<bool(const ExpressionCase&, const Outcome&)>& take) {
  std::optional<std::vector<Outcome>> compiled;
  if (backend == Backend::kokkos) {
    compiled = compiled_values(evaluation, cases, diagnostics);
    if (!compiled) return false;
  }
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Outcome outcome =
        compiled ? std::move((*compiled)[k]) : reference_value(evaluation, cases[k]);
    if (!take(cases[k], outcome)) return false;
  }
  return true;
}

std::optional<std::string> value_text(Session& session, const EvalRequest& request,
                                      syntax::Diagnostics& diagnostics) {
  auto scope = open_scope(session, request.with, diagnostics);
  if (!scope) return std::nullopt;
  Evaluation evaluation(session, std::move(scope), limits_of(request));
  const ExpressionCase given = command_line_case(request.expression, request.inputs);
  if (request.normal_form || request.accesses) {
    const auto read = evaluation.read(given, diagnostics);
    const auto plan = read ? evaluation.plan(*read, diagnostics) : std::nullopt;
    if (!plan) return std::nullopt;
    return text_of(*plan, request);
  }
  std::optional<std::string> text;
  for_each_outcome(evaluation, {given}, request.backend, diagnostics,
                   [&](const ExpressionCase&, const Outcome& outcome) {
                     for (const auto& problem : outcome.problems.all()) diagnostics.add(problem);
                     if (!outcome.array) return false;
                     text = request.json ? dump(json_of(*outcome.array)) : lines_of(*outcome.array);
                     return true;
                   });
  return text;
}

std::optional<CaseCount> each_case(Session& session, const EvalRequest& request,
                                   const std::function<bool(const std::string&)>& print,
                                   syntax::Diagnostics& diagnostics) {
  const auto cases = read_cases(request.file, diagnostics);
  auto scope = open_scope(session, request.with, diagnostics);
  if (!cases || !scope) return std::nullopt;
  Evaluation evaluation(session, std::move(scope), limits_of(request));
  CaseCount count;
  Json objects = Json::array();
  const auto take = [&](const ExpressionCase& each, const Outcome& outcome) {
    const auto& array = outcome.array;
    ++count.cases;
    if (!array) ++count.failed;
    if (request.json) {
      objects.push_back(array ? json_of(*array) : json_of(outcome.problems));
      return true;
    }
    return print(array ? lines_of(*array) : one_line(outcome.problems, *each.text) + "\n\n");
  };
  if (!for_each_outcome(evaluation, *cases, request.backend, diagnostics, take)) {
    return std::nullopt;
  }
  if (request.json && !print(dump({{"errors", count.failed}, {"cases", objects}}))) {
    return std::nullopt;
  }
  return count;
}

}  // namespace

// Long sums are deep terms.
std::optional<std::string> evaluate(Session& session, const EvalRequest& request,
                                    syntax::Diagnostics& diagnostics) {
  std::optional<std::string> text;
  syntax::run_on_deep_stack([&] { text = value_text(session, request, diagnostics); });
  return text;
}

std::optional<CaseCount> evaluate_cases(Session& session, const EvalRequest& request,
                                        const std::function<bool(const std::string&)>& print,
                                        syntax::Diagnostics& diagnostics) {
  std::optional<CaseCount> count;
  syntax::run_on_deep_stack([&] { count = each_case(session, request, print, diagnostics); });
  return count;
}

}  // namespace rhopsi::driver
