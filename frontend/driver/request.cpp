#include "frontend/driver/request.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

#include "frontend/driver/codes.hpp"

namespace rhopsi::driver {
namespace {

void malformed(syntax::Diagnostics& diagnostics, const std::string& message,
               const std::string& note, const syntax::Span& place = {}) {
  diagnostics.error(codes::malformed_option, place, message, note);
}

std::optional<std::int64_t> read_length(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

std::vector<std::string> split_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

bool product_fits(const std::vector<std::int64_t>& shape) {
  std::int64_t product = 1;
  for (const std::int64_t length : shape) {
    if (product > std::numeric_limits<std::int64_t>::max() / length / 16) return false;
    product *= length;
  }
  return true;
}

}  // namespace

std::string to_string(Target target) {
  switch (target) {
    case Target::serial:
      return "serial";
    case Target::openmp:
      return "openmp";
    case Target::cuda:
      return "cuda";
  }
  return {};
}

std::string to_string(Backend backend) {
  return backend == Backend::kokkos ? "kokkos" : "reference";
}

std::optional<std::vector<Pair>> read_pairs(const std::string& option,
                                            const std::vector<std::string>& texts,
                                            syntax::Diagnostics& diagnostics,
                                            const std::vector<syntax::Span>& places) {
  std::vector<Pair> pairs;
  std::set<std::string> names;
  bool good = true;
  for (std::size_t k = 0; k < texts.size(); ++k) {
    const std::string& text = texts[k];
    const syntax::Span place = places.empty() ? syntax::Span{} : places[k];
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      malformed(diagnostics, option + " " + text + ": this is not name=value",
                "write " + option + " name=" + (option == "--set" ? "0.5" : "file.npy"), place);
      good = false;
      continue;
    }
    Pair pair{text.substr(0, equals), text.substr(equals + 1), place};
    if (!names.insert(pair.name).second) {
      diagnostics.error(codes::given_twice, place, option + " gives '" + pair.name + "' twice",
                        "keep one of them");
      good = false;
    }
    pairs.push_back(std::move(pair));
  }
  if (!good) return std::nullopt;
  return pairs;
}

std::optional<std::vector<std::int64_t>> read_shape(const std::string& text,
                                                    syntax::Diagnostics& diagnostics,
                                                    const std::string& name) {
  std::vector<std::int64_t> shape;
  for (const std::string& part : split_commas(text)) {
    const auto length = read_length(part);
    if (!length) {
      malformed(diagnostics, "--shape " + name + text + ": '" + part + "' is not a length",
                "give the lengths of the axes, at least 1 each: --shape " + name + "128,128,96");
      return std::nullopt;
    }
    shape.push_back(*length);
  }
  if (shape.size() > most_axes || !product_fits(shape)) {
    malformed(diagnostics, "--shape " + name + text + " is too large",
              "at most " + std::to_string(most_axes) + " axes, and fewer than 2^59 elements");
    return std::nullopt;
  }
  return shape;
}

std::optional<Shapes> read_shapes(const std::vector<std::string>& texts,
                                  syntax::Diagnostics& diagnostics) {
  Shapes shapes;
  const auto twice = [&](const std::string& what) {
    diagnostics.error(codes::given_twice, {}, "--shape gives " + what + " twice",
                      "keep one of them");
  };
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const bool named = equals != std::string::npos;
    const std::string name = named ? text.substr(0, equals) : "", before = named ? name + "=" : "";
    const auto lengths = named && before == text
                             ? std::vector<std::int64_t>()
                             : read_shape(text.substr(before.size()), diagnostics, before);
    if (!lengths) continue;
    if (named && !shapes.others.emplace(name, *lengths).second) twice("'" + name + "'");
    if (!named && !shapes.domain.empty()) twice("lengths of all arrays");
    if (!named) shapes.domain = *lengths;
  }
  if (diagnostics.has_errors()) return std::nullopt;
  if (shapes.domain.empty() && !shapes.others.empty()) {
    malformed(diagnostics, "--shape " + texts.front() + ": what the other arrays have is not said",
              "give their lengths first: --shape 512,512 --shape " + texts.front());
    return std::nullopt;
  }
  return shapes;
}

std::optional<double> read_number(const std::string& option, const std::string& text,
                                  syntax::Diagnostics& diagnostics) {
  if (text == "true") return 1.0;
  if (text == "false") return 0.0;
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, failure] = std::from_chars(text.data(), last, value);
  if (failure != std::errc() || end != last || !std::isfinite(value)) {
    malformed(diagnostics, option + ": '" + text + "' is not a number", "write it as 0.01 or 1e-2");
    return std::nullopt;
  }
  return value;
}

std::optional<std::vector<double>> read_spacing(const std::string& text,
                                                syntax::Diagnostics& diagnostics) {
  std::vector<double> distances;
  for (const std::string& part : split_commas(text)) {
    const auto distance = read_number("--spacing", part, diagnostics);
    if (!distance) return std::nullopt;
    if (*distance <= 0) {
      malformed(diagnostics, "--spacing: " + part + " is not positive",
                "give a distance of points");
      return std::nullopt;
    }
    distances.push_back(*distance);
  }
  return distances;
}

std::size_t element_count(const std::vector<std::int64_t>& shape) {
  std::size_t count = 1;
  for (const std::int64_t length : shape) count *= static_cast<std::size_t>(length);
  return count;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  if (shape.empty()) return "a single number";
  std::string text;
  for (const std::int64_t length : shape) {
    if (!text.empty()) text += "x";
    text += std::to_string(length);
  }
  return text;
}

}  // namespace rhopsi::driver
