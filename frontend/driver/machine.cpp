#include "frontend/driver/machine.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include <sched.h>
#include <unistd.h>

#include "backends/kokkos/build/digest.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/syntax/read_file.hpp"

namespace rhopsi::driver {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

double number_in(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// As OpenMP takes them: what the user says, else the processors that this process may use.
double threads_at_hand() {
  if (const char* const said = std::getenv("OMP_NUM_THREADS")) {
    const double threads = number_in(said);
    if (threads >= 1 && threads <= 4096) return threads;
  }
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) return std::max(1, CPU_COUNT(&mask));
  return static_cast<double>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

// "48K"
double bytes_in(const std::string& text) {
  const double unit = text.ends_with('K') ? 1024 : text.ends_with('M') ? 1048576 : 1;
  return number_in(text) * unit;
}

// How many processors "0-3,8" names.
double processors_in(const std::string& list) {
  double count = 0;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string part = list.substr(begin, end - begin);
    const std::size_t dash = part.find('-');
    count += dash == std::string::npos
                 ? 1
                 : number_in(part.substr(dash + 1)) - number_in(part.substr(0, dash)) + 1;
    begin = end + 1;
  }
  return std::max(1.0, count);
}

// "model name", "cpu MHz", "flags" of /proc/cpuinfo.
std::string of_processor(const std::string& wanted) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(wanted) || colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(' ', colon + 1);
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return {};
}

// Bytes in a second for one thread that caches have at each level, at a clock of 2.5 GHz. Of AMD's
// processors a last cache serves few cores, and gives half a line or more in a cycle.
using Bandwidths = std::array<double, 3>;
constexpr Bandwidths usual_bandwidths = {2e11, 8e10, 2e10};
constexpr Bandwidths bandwidths_of_amd = {2e11, 1.5e11, 1.2e11};

void find_caches(schedule::Machine& machine) {
  const Bandwidths& bandwidths =
      of_processor("vendor_id") == "AuthenticAMD" ? bandwidths_of_amd : usual_bandwidths;
  std::map<double, schedule::CacheLevel> levels;
  for (int index = 0; index < 16; ++index) {
    const std::string folder =
        "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    const std::string type = first_line(folder + "type");
    if (type.empty()) break;
    if (type == "Instruction") continue;
    const double level = number_in(first_line(folder + "level"));
    const double bytes = bytes_in(first_line(folder + "size"));
    if (level < 1 || bytes < 1) continue;
    const auto usual = std::min<std::size_t>(static_cast<std::size_t>(level) - 1, 2);
    levels[level] = {bytes, processors_in(first_line(folder + "shared_cpu_list")),
                     bandwidths[usual]};
  }
  if (levels.empty()) return;
  machine.caches.clear();
  for (const auto& [level, cache] : levels) machine.caches.push_back(cache);
}

// Vectors of sums in a cycle, three in two, where processors of our time can do up to four of sums
// and products in turns: 4 numbers in one where they have 32 bytes, 8 where they have 64.
double operations_of_processor(double otherwise) {
  const double clock = number_in(of_processor("cpu MHz")) * 1e6;
  if (clock < 1e8) return otherwise;
  const std::string flags = of_processor("flags") + " ";
  if (flags.find(" avx512f ") != std::string::npos) return clock * 12;
  return clock * (flags.find(" avx2 ") == std::string::npos ? 3 : 6);
}

// The widest registers that the processor has.
void find_vectors(schedule::Machine& machine) {
  const std::string flags = of_processor("flags") + " ";
  if (flags.find(" avx512f ") != std::string::npos) return;
  const bool wide = flags.find(" avx2 ") != std::string::npos;
  machine.vector_bytes = wide ? 32 : 16;
  machine.vector_registers = flags.size() > 1 ? 16 : 32;
}

KnownMachine detected() {
  KnownMachine made{schedule::standard_machine(), {}};
  schedule::Machine& machine = made.figures;
  machine.threads = threads_at_hand();
  machine.operations = operations_of_processor(machine.operations);
  // Threads that wait for work look for it all the time, and meet pair by pair.
  machine.region = 5e-7 * (1 + std::log2(machine.threads));
  // More cores than a few have memory of several channels, and wait for one another.
  machine.memory_one = 1.2e10;
  machine.memory_all = machine.memory_one * std::min(machine.threads, 16.0);
  find_vectors(machine);
  find_caches(machine);
  made.name = of_processor("model name");
  if (made.name.empty()) made.name = "processor";
  return made;
}

std::optional<KnownMachine> described(const std::string& file, syntax::Diagnostics& diagnostics) {
  KnownMachine made{schedule::standard_machine(), {}};
  if (file != "standard") {
    const auto content = syntax::read_file(file);
    std::optional<std::string> wrong;
    if (const auto* const problem = std::get_if<syntax::FileProblem>(&content)) {
      const bool large = problem->kind == syntax::FileProblem::too_large;
      wrong = "it cannot be read" + (large ? ": it is too large" : syntax::reason(*problem));
    } else {
      wrong = schedule::read_machine(std::get<std::string>(content), made.figures);
    }
    if (wrong) {
      diagnostics.error(
          codes::machine_unreadable, {},
          "the machine that RHOPSI_MACHINE names, '" + file + "': " + *wrong,
          "take `standard`, `here`, or a file of lines KEY = NUMBER as docs/cli.md has them");
      return std::nullopt;
    }
  }
  if (file == "standard") {
    made.name = "the standard machine";
    return made;
  }
  kokkos::Digest digest;
  made.name = "described " + digest.add_part(to_string(made.figures)).hex().substr(0, 16);
  return made;
}

KnownMachine machine_for(Target target, const char* otherwise, syntax::Diagnostics& diagnostics) {
  const char* named = std::getenv("RHOPSI_MACHINE");
  if (named == nullptr || *named == '\0') named = otherwise;
  std::optional<KnownMachine> machine;
  const bool at_hand = named == nullptr || std::string(named) == "here";
  if (!at_hand) machine = described(named, diagnostics);
  if (!machine) machine = detected();
  schedule::Machine& figures = machine->figures;
  if (target == Target::serial) {
    figures.threads = 1;
    figures.memory_all = figures.memory_one;
  }
  const auto threads = static_cast<long long>(figures.threads);
  machine->name += target == Target::cuda
                       ? ", one GPU"
                       : ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  return *machine;
}

}  // namespace

KnownMachine machine_at_hand(Target target, syntax::Diagnostics& diagnostics) {
  return machine_for(target, nullptr, diagnostics);
}

KnownMachine machine_elsewhere(Target target, syntax::Diagnostics& diagnostics) {
  return machine_for(target, "standard", diagnostics);
}

}  // namespace rhopsi::driver
