#include "frontend/driver/tune_inputs.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "backends/io/npy.hpp"
#include "frontend/driver/codes.hpp"

namespace rhopsi::driver {
namespace {

namespace fs = std::filesystem;

bool named(const std::vector<Pair>& pairs, const std::string& name) {
  return std::ranges::any_of(pairs, [&](const Pair& pair) { return pair.name == name; });
}

// Between 0.5 and 1.5, in no order that a program could profit from; whole numbers are 1.
template <class T>
void write_field(const std::string& path, const std::vector<std::int64_t>& shape, bool real) {
  std::vector<T> elements(element_count(shape));
  std::uint32_t state = 12345;
  for (T& element : elements) {
    state = state * 1664525u + 1013904223u;
    element = real ? static_cast<T>(0.5 + static_cast<double>(state >> 8) / 16777216.0) : T(1);
  }
  io::write_npy(path, shape, elements.data());
}

// Steps of a solver stay where they are for a while with a parameter of this size.
const char* small_number(onf::Scalar type) {
  return type == onf::Scalar::float32 || type == onf::Scalar::float64 ? "0.0625" : "1";
}

}  // namespace

TuningInputs::~TuningInputs() {
  std::error_code failure;
  if (!folder_.empty()) fs::remove_all(folder_, failure);
}

std::string TuningInputs::field(onf::Scalar element, const std::vector<std::int64_t>& shape,
                                syntax::Diagnostics& diagnostics) {
  if (const auto found = files_.find(element); found != files_.end()) return found->second;
  std::error_code failure;
  if (folder_.empty()) {
    std::string pattern = (fs::temp_directory_path(failure) / "rhopsi-tune-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) folder_ = pattern;
  }
  const std::string path = (folder_ / ("field-" + onf::to_string(element) + ".npy")).string();
  try {
    switch (element) {
      case onf::Scalar::float32:
        write_field<float>(path, shape, true);
        break;
      case onf::Scalar::float64:
        write_field<double>(path, shape, true);
        break;
      default:
        write_field<std::int64_t>(path, shape, false);
    }
  } catch (const io::Error& error) {
    diagnostics.error(codes::write_failed, {},
                      std::string("a field to measure with: ") + error.what(), "make room for it");
  }
  return files_[element] = path;
}

void TuningInputs::complete(Session& session, const term::Theory& program, const Entry& entry,
                            RunRequest& request, syntax::Diagnostics& diagnostics) {
  for (const EntryArgument& argument : entry.arguments) {
    if (!argument.read) continue;
    if (argument.array()) {
      if (request.shape.empty() || named(request.inputs, argument.name)) continue;
      request.inputs.push_back(
          {argument.name, field(argument.type.scalar, request.shape, diagnostics), {}, {}});
    } else if (!named(request.settings, argument.name)) {
      request.settings.push_back({argument.name, small_number(argument.type.scalar), {}, {}});
    }
  }
  for (const RunParameter& parameter : parameters(session, program, entry)) {
    if (named(request.settings, parameter.name)) continue;
    request.settings.push_back({parameter.name, small_number(parameter.type), {}, {}});
  }
}

}  // namespace rhopsi::driver
