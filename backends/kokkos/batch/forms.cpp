#include "backends/kokkos/batch/forms.hpp"

#include <algorithm>
#include <utility>

#include "backends/kokkos/emit/emit.hpp"
#include "backends/kokkos/emit/names.hpp"
#include "engine/lower/normal_form.hpp"
#include "engine/onf/verify.hpp"

namespace rhopsi::kokkos {

namespace {

std::string function_name(std::size_t number) { return "form_" + std::to_string(number); }
std::string table_name(std::size_t file) { return "entries_" + std::to_string(file); }

// One entry: the arrays of a case to the function, and its result back.
std::string entry_text(const onf::Module& module, const onf::Function& function) {
  std::string arguments;
  for (const onf::Argument& argument : function.arguments) {
    const onf::View& view = function.views[onf::number(*argument.view)];
    const onf::Block& block = function.blocks[onf::number(view.block)];
    if (!arguments.empty()) arguments += ",\n      ";
    arguments += "c.array<" + cpp_type(block.element) + ", " +
                 std::to_string(block.extents->size()) + ">(" +
                 std::to_string(&argument - function.arguments.data()) + ")";
  }
  return "void call_" + function.name + "(rhopsi::batch::Case& c) {\n  c.give(" + module.name +
         "{}." + function.name + "(" + arguments + "));\n}\n";
}

std::string calls_text(const onf::Module& module, std::size_t file) {
  std::string text = "// The entries of " + module.name +
                     ".\n#include \"rhopsi_batch.hpp\"\n\n#include \"" + module.name +
                     ".hpp\"\n\nnamespace {\n\n";
  std::string table;
  for (const onf::Function& function : module.functions) {
    text += entry_text(module, function) + "\n";
    table += "    call_" + function.name + ",\n";
  }
  const std::string name = "const rhopsi::batch::Entry " + table_name(file) + "[" +
                           std::to_string(module.functions.size()) + "]";
  return text + "}  // namespace\n\nextern " + name + ";\n" + name + " = {\n" + table + "};\n";
}

std::string main_text(const std::vector<std::size_t>& sizes) {
  std::string text = "#include \"rhopsi_batch_program.hpp\"\n\n";
  std::string tables;
  for (std::size_t file = 0; file < sizes.size(); ++file) {
    const std::string size = std::to_string(sizes[file]);
    text += "extern const rhopsi::batch::Entry " + table_name(file) + "[" + size + "];\n";
    tables += "      {" + table_name(file) + ", " + size + "},\n";
  }
  return text + "\nint main(int argc, char** argv) {\n  return rhopsi::batch::run(argc, argv, {\n" +
         tables + "  });\n}\n";
}

// Little is gained from what the optimiser does at its slowest: each function is called once.
std::string cmake_text(std::size_t files) {
  std::string sources;
  for (std::size_t file = 0; file < files; ++file) {
    sources += " forms_" + std::to_string(file) + ".cpp";
  }
  return "cmake_minimum_required(VERSION 3.16)\nproject(batch LANGUAGES CXX)\n"
         "include(rhopsi_program.cmake)\n"
         "rhopsi_batch(batch main.cpp" +
         sources + ")\n";
}

}  // namespace

tl::expected<std::size_t, CaseResult> Forms::add(const moa::Plan& plan) {
  if (const auto found = known_.find(&plan); found != known_.end()) return found->second;
  const auto made = [&]() -> tl::expected<std::size_t, CaseResult> {
    onf::Module module = lower::module_of_forms("forms");
    if (const auto id = lower::lower(plan, "form", module); !id) {
      return tl::unexpected(CaseResult{std::nullopt, id.error().code, id.error().message});
    }
    if (prepare_) prepare_(module);
    for (const onf::Problem& problem : onf::verify(module)) {
      if (problem.error)
        return tl::unexpected(CaseResult{std::nullopt, problem.code, problem.message});
    }
    const auto [place, fresh] =
        by_text_.try_emplace(emit_header(term::Store(), module).text, forms_.size());
    if (fresh) forms_.push_back(&plan);
    return place->second;
  }();
  known_.emplace(&plan, made);
  return made;
}

std::vector<File> Forms::program(std::size_t first, std::size_t last, std::size_t per_file) const {
  std::vector<File> files = batch_files();
  for (const File& file : runtime_files()) {
    const bool drives = file.name.starts_with("rhopsi_driver");
    if (file.name.starts_with("rhopsi_") && !drives) files.push_back(file);
  }
  std::vector<std::size_t> sizes;
  for (std::size_t begin = first; begin < last; begin += per_file) {
    const std::size_t file = sizes.size();
    onf::Module module = lower::module_of_forms("forms_" + std::to_string(file));
    const std::size_t end = std::min(last, begin + per_file);
    for (std::size_t k = begin; k < end; ++k) {
      static_cast<void>(lower::lower(*forms_[k], function_name(k), module));
    }
    if (prepare_) prepare_(module);
    files.push_back(emit_header(term::Store(), module));
    files.push_back({"forms_" + std::to_string(file) + ".cpp", calls_text(module, file)});
    sizes.push_back(end - begin);
  }
  files.push_back({"main.cpp", main_text(sizes)});
  files.push_back({"CMakeLists.txt", cmake_text(sizes.size())});
  return files;
}

}  // namespace rhopsi::kokkos
