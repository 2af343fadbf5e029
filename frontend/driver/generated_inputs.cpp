#include "frontend/driver/generated_inputs.hpp"

#include <cstdlib>
#include <string>
#include <system_error>
#include <variant>

#include "backends/io/npy.hpp"
#include "frontend/driver/array_inputs.hpp"
#include "frontend/driver/codes.hpp"

namespace rhopsi::driver {

namespace fs = std::filesystem;

GeneratedInputs::~GeneratedInputs() {
  std::error_code failure;
  if (!folder_.empty()) fs::remove_all(folder_, failure);
}

void GeneratedInputs::write(std::vector<Pair>& inputs, syntax::Diagnostics& diagnostics) {
  for (Pair& input : inputs) {
    if (!is_generated(input.value)) continue;
    const auto made = read_input("--in", input, diagnostics);
    if (!made) continue;
    std::error_code failure;
    if (folder_.empty()) {
      std::string pattern = (fs::temp_directory_path(failure) / "rhopsi-in-XXXXXX").string();
      if (::mkdtemp(pattern.data()) != nullptr) folder_ = pattern;
    }
    // Named after the input, since messages name the file.
    const std::string path = (folder_ / (input.name + "=" + input.value)).string();
    try {
      std::visit(
          [&](const auto& elements) { io::write_npy(path, made->array.shape, elements.data()); },
          *made->array.elements);
      input.written = input.value;
      input.value = path;
    } catch (const io::Error& error) {
      diagnostics.error(codes::write_failed, {}, "--in " + input.name + ": " + error.what(),
                        "make room for it");
    }
  }
}

}  // namespace rhopsi::driver
