// Programs whose arrays have shapes of their own, from text to the operational form.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/onf/nests.hpp"
#include "engine/onf/verify.hpp"
#include "tests/unit/lower/fixture.hpp"

namespace rhopsi {

class Shaped : public Lowering {
 protected:
  Shaped() { table = primitives::make_table(onf::Scalar::float64); }

  // A program with these operations over the library of array operations; they begin at line 5.
  bool load(const std::string& operations) {
    const std::filesystem::path file = folder / "unit.mg";
    std::ofstream(file) << "package unit imports moa.library;\n"
                           "program P = implement Expressions in {\n"
                           "  use Expressions;\n"
                           "\n"
                        << operations << "};\n";
    theory = program(file.string(), "P");
    return theory != nullptr;
  }

  // The form of these entries, or of all procedures; what lowering and the verifier have to say is
  // in `problems`.
  std::optional<onf::Module> shaped(std::vector<std::string> entries = {},
                                    std::map<std::string, std::size_t> ranks = {}) {
    problems.clear();
    if (!theory) return std::nullopt;
    auto module = lower::lower(store, *theory, *table,
                               {3, std::move(entries), false, std::move(ranks)}, problems);
    if (!module) return module;
    for (onf::Problem& problem : onf::verify(*module)) problems.push_back(std::move(problem));
    return module;
  }

  // The body of an entry as text, in front of it what is said of it.
  std::string form(const std::string& entry, std::map<std::string, std::size_t> ranks = {}) {
    const auto module = shaped({entry}, std::move(ranks));
    if (!module) return messages();
    const std::string all = onf::to_string(store, *module);
    return messages() + all.substr(all.find('\n', all.find("procedure " + entry)) + 1);
  }
  std::string form_of(const std::string& operations,
                      std::map<std::string, std::size_t> ranks = {}) {
    return load(operations) ? form("p", std::move(ranks)) : "";
  }

  // The statements of an element on one line: `x1 = add k { A[i, k] }; `.
  static std::string text_of(const onf::Module& module, const onf::Function& function,
                             const onf::Statements& body) {
    const auto name = [&](onf::VariableId id) { return function.variables[onf::number(id)].name; };
    const auto text = [&](const onf::Expr& e) { return onf::to_string(module, function, e); };
    std::string all;
    for (const onf::Statement& statement : body) {
      if (const auto* let = std::get_if<onf::Let>(&statement.form)) {
        all += name(let->variable) + (let->value ? " = " + text(*let->value) : "") + "; ";
      } else if (const auto* fold = std::get_if<onf::Fold>(&statement.form)) {
        all += name(fold->variable) + " = " +
               (fold->function ? onf::name_of(*fold->function) : "") + " " + name(fold->index) +
               " { " + text_of(module, function, fold->body) + text(fold->element) + " }; ";
      } else {
        all += "...; ";
      }
    }
    return all;
  }

  // What the verifier says of the module, and the nests of its last function, one a line.
  static std::string nests_text(const onf::Module& module) {
    std::string text;
    for (const onf::Problem& problem : onf::verify(module)) {
      text += problem.code + ": " + problem.message + "\n";
    }
    const onf::Function& p = module.functions.back();
    onf::each_nest(p.body, [&](const onf::Nest& nest, const onf::Pipeline*) {
      std::string indices;
      for (const onf::VariableId id : nest.indices) {
        indices += (indices.empty() ? "" : ", ") + p.variables[onf::number(id)].name;
      }
      text += p.views[onf::number(nest.target)].name + "[" + indices +
              "] := " + text_of(module, p, nest.body) + onf::to_string(module, p, nest.element) +
              "\n";
    });
    return text;
  }

  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
      ++found;
    }
    return found;
  }
  static bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  std::shared_ptr<const term::Theory> theory;
};

}  // namespace rhopsi
