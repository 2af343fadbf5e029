#include <nlohmann/json.hpp>

#include "frontend/cli/commands.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/array_text.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/evaluation.hpp"

namespace rhopsi::cli {
namespace {

using Json = nlohmann::ordered_json;

// Options that only make sense together.
void check_together(const EvalOptions& options, syntax::Diagnostics& diagnostics) {
  const auto needs = [&](bool wrong, const std::string& message, const std::string& advice) {
    if (wrong) diagnostics.error(driver::codes::malformed_option, {}, message, advice);
  };
  const bool file = !options.file.empty();
  needs(!file && !options.expression, "no expression to evaluate",
        "write rhopsi eval \"EXPR\", or name a file of cases with --file");
  needs(file && options.expression.has_value(), "an expression and --file",
        "leave one of them out");
  needs(file && !options.inputs.empty(), "--in has no meaning with --file",
        "each line of the file has its own inputs: EXPR | A=a.npy");
  needs(file && (options.normal_form || options.accesses),
        "--dnf and --onf have no meaning with --file", "ask for one expression at a time");
}

std::string dump(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json failure(const syntax::Diagnostics& diagnostics) {
  return {{"errors", diagnostics.error_count()},
          {"diagnostics", Json::parse(syntax::render_json(diagnostics))}};
}

Json json_of(const reference::Array& array) {
  Json object = {{"shape", array.shape}, {"element", onf::to_string(array.element)}};
  std::visit([&](const auto& elements) { object["elements"] = elements; }, *array.elements);
  return object;
}

std::string lines_of(const reference::Array& array) {
  return driver::shape_line(array.shape) + "\n" + driver::elements_line(*array.elements) + "\n";
}

// The output for one expression; nothing after an error.
std::optional<std::string> evaluate(const EvalOptions& options, driver::Evaluation& evaluation,
                                    syntax::Diagnostics& diagnostics) {
  const auto given =
      evaluation.read(driver::command_line_case(*options.expression, options.inputs), diagnostics);
  if (!given) return std::nullopt;
  if (options.normal_form || options.accesses) {
    const auto form = evaluation.normal_form(*given, diagnostics);
    if (!form) return std::nullopt;
    const std::string dnf = options.normal_form ? moa::to_string(*form) : "";
    const std::string onf = options.accesses ? moa::accesses_to_string(*form) : "";
    if (!options.json) return dnf + onf;
    Json object;
    if (options.normal_form) object["normal_form"] = dnf;
    if (options.accesses) object["accesses"] = onf;
    return dump(object);
  }
  const auto array = evaluation.value(*given, diagnostics);
  if (!array) return std::nullopt;
  return options.json ? dump(json_of(*array)) : lines_of(*array);
}

struct Count {
  std::size_t cases = 0;
  std::size_t failed = 0;
};

// Every case has its output, in order, whatever becomes of the others.
bool evaluate_all(const std::vector<driver::ExpressionCase>& cases, bool json,
                  driver::Evaluation& evaluation, Count& count) {
  Json objects = Json::array();
  for (const driver::ExpressionCase& each : cases) {
    syntax::Diagnostics diagnostics;
    const auto given = evaluation.read(each, diagnostics);
    const auto array = given ? evaluation.value(*given, diagnostics) : std::nullopt;
    ++count.cases;
    if (!array) ++count.failed;
    if (json) {
      objects.push_back(array ? json_of(*array) : failure(diagnostics));
    } else if (!print(array ? lines_of(*array)
                            : "error: " + driver::one_line(diagnostics, *each.text) + "\n\n")) {
      return false;
    }
  }
  return !json || print(dump({{"errors", count.failed}, {"cases", objects}}));
}

int eval_file(const EvalOptions& options, driver::Evaluation& evaluation,
              syntax::Diagnostics& diagnostics) {
  const auto cases = driver::read_cases(options.file, diagnostics);
  if (!cases) return user_error;
  Count count;
  if (!evaluate_all(*cases, options.json, evaluation, count)) return user_error;
  if (count.failed > 0) {
    note(std::to_string(count.failed) + " of " + std::to_string(count.cases) + " cases failed");
  }
  return success;
}

int eval(const EvalOptions& options, syntax::Diagnostics& diagnostics) {
  check_together(options, diagnostics);
  if (diagnostics.has_errors()) return user_error;
  driver::Session session({options.include, onf::Scalar::float64, false});
  auto scope = driver::open_scope(session, options.with, diagnostics);
  if (!scope) return user_error;
  driver::Evaluation evaluation(session, std::move(scope));
  if (!options.file.empty()) return eval_file(options, evaluation, diagnostics);
  const auto output = evaluate(options, evaluation, diagnostics);
  return output && print(*output) ? success : user_error;
}

}  // namespace

int eval(const EvalOptions& options) {
  syntax::Diagnostics diagnostics;
  const int exit_code = eval(options, diagnostics);
  show(diagnostics);
  if (options.json && diagnostics.has_errors()) print(dump(failure(diagnostics)));
  return exit_code;
}

}  // namespace rhopsi::cli
