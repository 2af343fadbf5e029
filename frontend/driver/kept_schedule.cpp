#include "frontend/driver/kept_schedule.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "backends/kokkos/build/digest.hpp"
#include "backends/kokkos/build/kokkos.hpp"
#include "engine/lower/reached.hpp"
#include "engine/schedule/time.hpp"
#include "engine/term/operations.hpp"
#include "engine/term/rule.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/entries.hpp"

namespace rhopsi::driver {
namespace {

namespace fs = std::filesystem;

constexpr const char* head =
    "// Found by `rhopsi tune`. `rhopsi run` takes this schedule where all of these are the "
    "same:\n";
constexpr const char* last = "// digest: ";

// 2^k where the length is nearest to it by ratio.
std::int64_t nearest_power(std::int64_t length) {
  const auto below =
      static_cast<std::int64_t>(std::bit_floor(std::uint64_t(std::max<std::int64_t>(1, length))));
  const double ratio = static_cast<double>(length) / static_cast<double>(below);
  return ratio * ratio < 2 ? below : 2 * below;
}

std::vector<std::pair<std::string, std::string>> fields_of(const TuningKey& key) {
  return {{"program", key.program}, {"entry", key.entry},   {"shape", key.shape},
          {"real", key.real},       {"target", key.target}, {"machine", key.machine},
          {"reals", key.reals}};
}

std::string digest_of_text(const std::string& text) {
  return kokkos::Digest().add_part(text).hex();
}

// Of the measured one, as a comment.
std::string line_of(const Measured& measured) {
  char number[40];
  std::snprintf(number, sizeof number, "%.6g", measured.seconds);
  return "//   " + std::string(number) + " s of " + std::to_string(measured.runs) +
         (measured.runs == 1 ? " run" : " runs") + ": " + measured.name + "\n";
}

std::optional<Measured> measured_in(const std::string& line) {
  Measured made;
  unsigned long runs = 0;
  int end = 0;
  if (std::sscanf(line.c_str(), "//   %lg s of %lu run%*[s:] %n", &made.seconds, &runs, &end) < 2 ||
      end == 0) {
    return std::nullopt;
  }
  made.runs = runs;
  made.name = line.substr(static_cast<std::size_t>(end));
  return made;
}

// What stands in the file; nothing where it cannot be read, as a folder cannot.
std::optional<std::string> text_of(const fs::path& path) {
  std::error_code failure;
  if (!fs::is_regular_file(path, failure)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  try {
    return std::string{std::istreambuf_iterator<char>(file), {}};
  } catch (const std::ios_base::failure&) {
    return std::nullopt;
  }
}

// Why the text is not what is kept for this key; empty where it is.
std::string fault_of(const std::string& text, const TuningKey& key) {
  const std::size_t end = text.rfind(last);
  if (end == std::string::npos ||
      text.compare(end, std::string::npos, last + digest_of_text(text.substr(0, end)) + "\n") !=
          0) {
    return "it was changed, or is not whole";
  }
  for (const auto& [name, value] : fields_of(key)) {
    if (text.find("// " + name + ": " + value + "\n") == std::string::npos)
      return "its " + name + " is another one";
  }
  return {};
}

}  // namespace

namespace {

// What the entry is and leads to, and the axioms that say what operations mean.
std::string digest_of_entry(Session& session, const term::Theory& program,
                            const std::string& entry) {
  term::Store& store = session.store();
  std::vector<term::SymbolId> roots;
  for (const Entry& each : entries(session, program))
    if (each.name == entry) roots.push_back(each.callable->symbol);
  const auto reached = lower::reached(store, program, session.table(), roots);
  kokkos::Digest digest;
  digest.add_part(program.name);
  const auto add = [&](const std::optional<term::TermId>& part) {
    digest.add_part(part ? term::to_string(store, *part) : "");
  };
  for (const term::Callable& callable : program.callables) {
    if (!reached.contains(callable.symbol)) continue;
    digest.add_part(term::to_string(store, callable.symbol));
    for (const term::SymbolId parameter : callable.parameters)
      digest.add_part(store[parameter].name);
    add(callable.guard);
    add(callable.body);
  }
  for (const term::Rule& rule : term::rules_of(store, program).rules) {
    add(rule.condition);
    add(rule.left);
    add(rule.right);
  }
  return digest.hex();
}

}  // namespace

TuningKey tuning_key(Session& session, const term::Theory& program, const std::string& entry,
                     const std::vector<std::int64_t>& shape, Target target,
                     const std::string& machine, bool any_order) {
  std::vector<std::int64_t> lengths;
  for (const std::int64_t length : shape) lengths.push_back(nearest_power(length));
  return {digest_of_entry(session, program, entry),
          entry,
          shape_text(lengths),
          session.real() == onf::Scalar::float32 ? "float" : "double",
          to_string(target),
          machine,
          any_order ? "in any order" : "as written"};
}

fs::path kept_path(const TuningKey& key) {
  kokkos::Digest digest;
  for (const auto& [name, value] : fields_of(key)) digest.add_part(name).add_part(value);
  return kokkos::cache_folder() / "tuned" / ("t" + digest.hex().substr(0, 20) + ".mg");
}

std::string kept_text(const TuningKey& key, const KeptSchedule& kept, const fs::path& path) {
  std::string text = head;
  for (const auto& [name, value] : fields_of(key)) text += "// " + name + ": " + value + "\n";
  text += "// measured, medians of the seconds of a call, the first one kept:\n";
  for (const Measured& measured : kept.measured) text += line_of(measured);
  schedule::Recipe recipe = kept.recipe;
  recipe.name = "tuned_schedule";
  text += "package " + path.stem().string() + ";\n\n" + to_string(recipe);
  return text + last + digest_of_text(text) + "\n";
}

std::optional<KeptSchedule> find_kept(const TuningKey& key, syntax::Diagnostics& diagnostics) {
  const fs::path path = kept_path(key);
  std::error_code failure;
  if (!fs::exists(path, failure)) return std::nullopt;
  const auto read = text_of(path);
  const std::string text = read.value_or("");
  std::string fault = read ? fault_of(text, key) : "it is no file that can be read";
  KeptSchedule kept;
  if (fault.empty()) {
    const std::size_t begin = text.find("\nschedule ");
    const std::size_t end = text.rfind(last);
    const auto recipe = begin == std::string::npos
                            ? std::nullopt
                            : schedule::read_recipe(text.substr(begin + 1, end - begin - 1));
    if (recipe) kept.recipe = *recipe;
    if (!recipe) fault = "it has no schedule that can be read";
  }
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (auto measured = measured_in(text.substr(begin, end - begin)))
      kept.measured.push_back(std::move(*measured));
    begin = end + 1;
  }
  if (fault.empty() && kept.measured.empty()) fault = "it has no measurement";
  if (!fault.empty()) {
    diagnostics.warning(
        codes::kept_damaged, {},
        "the schedule that was tuned is not used: '" + path.string() + "': " + fault,
        "run rhopsi tune again, or remove the file");
    return std::nullopt;
  }
  kept.recipe.name = "tuned";
  kept.name = kept.measured.front().name;
  return kept;
}

}  // namespace rhopsi::driver
