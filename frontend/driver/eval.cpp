#include "frontend/driver/eval.hpp"

#include <nlohmann/json.hpp>

#include "frontend/driver/array_text.hpp"
#include "frontend/driver/evaluation.hpp"

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

std::string text_of(const moa::NormalForm& form, const EvalRequest& request) {
  const std::string dnf = request.normal_form ? moa::to_string(form) : "";
  const std::string onf = request.accesses ? moa::accesses_to_string(form) : "";
  if (!request.json) return dnf + onf;
  Json object;
  if (request.normal_form) object["normal_form"] = dnf;
  if (request.accesses) object["accesses"] = onf;
  return dump(object);
}

}  // namespace

std::optional<std::string> evaluate(Session& session, const EvalRequest& request,
                                    syntax::Diagnostics& diagnostics) {
  auto scope = open_scope(session, request.with, diagnostics);
  if (!scope) return std::nullopt;
  Evaluation evaluation(session, std::move(scope));
  const auto given =
      evaluation.read(command_line_case(request.expression, request.inputs), diagnostics);
  if (!given) return std::nullopt;
  if (request.normal_form || request.accesses) {
    const auto form = evaluation.normal_form(*given, diagnostics);
    if (!form) return std::nullopt;
    return text_of(*form, request);
  }
  const auto array = evaluation.value(*given, diagnostics);
  if (!array) return std::nullopt;
  return request.json ? dump(json_of(*array)) : lines_of(*array);
}

std::optional<CaseCount> evaluate_cases(Session& session, const EvalRequest& request,
                                        const std::function<bool(const std::string&)>& print,
                                        syntax::Diagnostics& diagnostics) {
  const auto cases = read_cases(request.file, diagnostics);
  auto scope = open_scope(session, request.with, diagnostics);
  if (!cases || !scope) return std::nullopt;
  Evaluation evaluation(session, std::move(scope));
  CaseCount count;
  Json objects = Json::array();
  for (const ExpressionCase& each : *cases) {
    syntax::Diagnostics problems;
    const auto given = evaluation.read(each, problems);
    const auto array = given ? evaluation.value(*given, problems) : std::nullopt;
    ++count.cases;
    if (!array) ++count.failed;
    if (request.json) {
      objects.push_back(array ? json_of(*array) : json_of(problems));
    } else if (!print(array ? lines_of(*array) : one_line(problems, *each.text) + "\n\n")) {
      return std::nullopt;
    }
  }
  if (request.json && !print(dump({{"errors", count.failed}, {"cases", objects}}))) {
    return std::nullopt;
  }
  return count;
}

}  // namespace rhopsi::driver
