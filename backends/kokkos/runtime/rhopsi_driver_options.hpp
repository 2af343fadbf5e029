// The command line of an emitted program. Part of rhopsi_driver.cpp.
#pragma once

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "rhopsi_error.hpp"

namespace rhopsi::driver {

inline Error malformed(const std::string& message) {
  return Error(message, codes::malformed_option);
}

struct Options {
  std::string entry;
  std::int64_t repeat = 1;
  std::vector<std::int64_t> shape;
  std::map<std::string, std::string> in, out, set;
  std::int64_t every = 0;
  std::string checkpoint;
  std::int64_t checkpoint_every = 0;
  std::string restart;
  std::vector<double> spacing;
  bool json = false;
  bool quiet = false;
  bool help = false;
  std::vector<std::string> for_kokkos;  // --kokkos-...
};

inline constexpr const char* options_text =
    R"(  --entry NAME            the entry to run (may be left out if there is one only)
  --repeat N              call it until step N (default 1)
  --shape A,B,...         the arrays' shape; taken from the inputs if left out, and not given
                          where each array has a shape of its own
  --in NAME=FILE.npy      the value of an obs or upd array
  --set NAME=VALUE        the value of a parameter, or of an obs or upd scalar
  --out NAME=FILE         where to write an upd or out array, or `result` (.npy, .vti)
  --every K               also write them after every K steps, as FILE-STEP
  --spacing DX[,DY,DZ]    distance of grid points, for .vti
  --checkpoint FILE       write the state there at the end, and when interrupted
  --checkpoint-every K    and after every K steps
  --restart FILE          go on from such a file
  --json                  end with one line of JSON on the standard output
  --quiet                 no progress, no summary
  --help                  print this
)";

inline std::int64_t parse_integer(const std::string& text, const std::string& what,
                                  std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                                  std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  const bool digits = !text.empty() && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'));
  if (!digits || *end != '\0') throw malformed(what + ": '" + text + "' is not an integer");
  if (errno == ERANGE || value < least || value > most)
    throw malformed(what + ": " + text + " is not between " + std::to_string(least) + " and " +
                    std::to_string(most));
  return value;
}

inline double parse_real(const std::string& text, const std::string& what) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || text[0] == ' ')
    throw malformed(what + ": '" + text + "' is not a number");
  return value;
}

inline std::vector<std::string> split_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

class OptionParser {
 public:
  OptionParser(int argc, char** argv) : words_(argv + 1, argv + argc) {}

  Options parse() {
    while (at_ < words_.size()) option(words_[at_++]);
    if (options_.every > 0 && options_.out.empty())
      throw malformed("--every writes the arrays that --out names, and there is no --out");
    if (options_.checkpoint_every > 0 && options_.checkpoint.empty())
      throw malformed("--checkpoint-every needs --checkpoint FILE");
    return std::move(options_);
  }

 private:
  void option(std::string word) {
    if (word.rfind("--kokkos-", 0) == 0) {
      options_.for_kokkos.push_back(word);
      return;
    }
    inline_value_.clear();
    has_inline_value_ = false;
    const std::size_t equals = word.find('=');
    if (word.rfind("--", 0) == 0 && equals != std::string::npos) {
      inline_value_ = word.substr(equals + 1);
      has_inline_value_ = true;
      word.resize(equals);
    }
    if (!flag(word) && !number(word) && !text(word)) {
      throw malformed("unknown argument '" + word + "'; --help lists the options");
    }
  }

  bool flag(const std::string& word) {
    bool* const target = word == "--json"                   ? &options_.json
                         : word == "--quiet"                ? &options_.quiet
                         : word == "--help" || word == "-h" ? &options_.help
                                                            : nullptr;
    if (target == nullptr) return false;
    if (has_inline_value_) throw malformed(word + " takes no value");
    *target = true;
    return true;
  }

  bool number(const std::string& word) {
    std::int64_t* const target = word == "--repeat"             ? &options_.repeat
                                 : word == "--every"            ? &options_.every
                                 : word == "--checkpoint-every" ? &options_.checkpoint_every
                                                                : nullptr;
    if (target == nullptr) return false;
    *target = parse_integer(value(word), word, 1);
    return true;
  }

  bool text(const std::string& word) {
    if (word == "--entry")
      options_.entry = value(word);
    else if (word == "--checkpoint")
      options_.checkpoint = value(word);
    else if (word == "--restart")
      options_.restart = value(word);
    else if (word == "--in")
      pair(word, options_.in);
    else if (word == "--out")
      pair(word, options_.out);
    else if (word == "--set")
      pair(word, options_.set);
    else if (word == "--shape")
      shape(value(word));
    else if (word == "--spacing")
      spacing(value(word));
    else
      return false;
    return true;
  }

  void shape(const std::string& text) {
    options_.shape.clear();
    for (const std::string& side : split_commas(text))
      options_.shape.push_back(parse_integer(side, "--shape", 1));
  }

  void spacing(const std::string& text) {
    options_.spacing.clear();
    for (const std::string& distance : split_commas(text)) {
      options_.spacing.push_back(parse_real(distance, "--spacing"));
      if (!(options_.spacing.back() > 0) || !std::isfinite(options_.spacing.back()))
        throw malformed("--spacing: " + distance + " is not a positive number");
    }
  }

  std::string value(const std::string& word) {
    if (has_inline_value_) return inline_value_;
    if (at_ == words_.size()) throw malformed(word + " needs a value");
    return words_[at_++];
  }

  void pair(const std::string& word, std::map<std::string, std::string>& into) {
    const std::string text = value(word);
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw malformed(word + " needs NAME=" + (word == "--set" ? "VALUE" : "FILE") + ", not '" +
                      text + "'");
    if (!into.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
      throw Error(word + ": '" + text.substr(0, equals) + "' is given twice", codes::given_twice);
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0;
  std::string inline_value_;
  bool has_inline_value_ = false;
  Options options_;
};

}  // namespace rhopsi::driver
