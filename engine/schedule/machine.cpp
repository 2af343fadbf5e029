#include "engine/schedule/machine.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace rhopsi::schedule {

namespace {

constexpr std::size_t most_caches = 8;

struct Figure {
  std::string key;
  double* value;
};

// Of a machine with that many caches.
std::vector<Figure> figures_of(Machine& machine) {
  std::vector<Figure> figures{{"threads", &machine.threads},
                              {"operations", &machine.operations},
                              {"vector.bytes", &machine.vector_bytes},
                              {"vector.registers", &machine.vector_registers},
                              {"region", &machine.region}};
  for (std::size_t k = 0; k < machine.caches.size(); ++k) {
    const std::string cache = "cache" + std::to_string(k + 1);
    figures.push_back({cache + ".bytes", &machine.caches[k].bytes});
    figures.push_back({cache + ".threads", &machine.caches[k].threads});
    figures.push_back({cache + ".bandwidth", &machine.caches[k].bandwidth});
  }
  figures.push_back({"memory.one", &machine.memory_one});
  figures.push_back({"memory.all", &machine.memory_all});
  figures.push_back({"device.operations", &machine.device_operations});
  figures.push_back({"device.memory", &machine.device_memory});
  figures.push_back({"device.cache", &machine.device_cache});
  figures.push_back({"device.launch", &machine.device_launch});
  return figures;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// A cache that is named first appears with what the one before it has.
void make_room(Machine& machine, const std::string& key) {
  if (!key.starts_with("cache") || key.size() < 7 || key[6] != '.') return;
  const auto number = static_cast<std::size_t>(key[5] - '0');
  if (number < 1 || number > most_caches || number != machine.caches.size() + 1) return;
  machine.caches.push_back(machine.caches.empty() ? CacheLevel{32768, 1, 1e11}
                                                  : machine.caches.back());
}

}  // namespace

Machine standard_machine() {
  Machine machine;
  machine.threads = 2;
  machine.memory_all = 16e9;
  machine.caches = {{49152, 1, 2e11}, {2097152, 1, 4e10}, {33554432, 2, 1.5e10}};
  return machine;
}

std::optional<std::string> read_machine(const std::string& text, Machine& machine) {
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::string where = "line " + std::to_string(++number) + ": ";
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) return where + "this is not KEY = NUMBER";
    const std::string key = trimmed(line.substr(0, equals));
    const std::string written = trimmed(line.substr(equals + 1));
    make_room(machine, key);
    double* value = nullptr;
    for (const Figure& figure : figures_of(machine)) {
      if (figure.key == key) value = figure.value;
    }
    if (value == nullptr) return where + "no figure is called '" + key + "'";
    double read = 0;
    const auto [stop, failure] =
        std::from_chars(written.data(), written.data() + written.size(), read);
    const bool whole = failure == std::errc{} && stop == written.data() + written.size();
    const bool count = key == "threads" || key.ends_with(".threads");
    if (!whole || !std::isfinite(read) || read <= 0 || (count && read < 1)) {
      return where + "'" + written + "' is no " + (count ? "number of threads" : "positive number");
    }
    *value = read;
  }
  return std::nullopt;
}

std::string to_string(const Machine& machine) {
  Machine copy = machine;
  std::string text;
  for (const Figure& figure : figures_of(copy)) {
    std::array<char, 40> number;  // the shortest text that is read as the same
    const auto end = std::to_chars(number.data(), number.data() + number.size(), *figure.value).ptr;
    text += figure.key + " = " + std::string(number.data(), end) + "\n";
  }
  return text;
}

}  // namespace rhopsi::schedule
