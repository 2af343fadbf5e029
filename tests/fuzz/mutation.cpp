#include <algorithm>
#include <array>
#include <cctype>
#include <random>

#include "tests/fuzz/targets.hpp"

namespace rhopsi::fuzz {
namespace {

constexpr std::array<std::string_view, 75> words{
    "package",   "imports",     "concept",  "implementation",
    "signature", "program",     "renaming", "satisfaction",
    "schedule",  "use",         "require",  "external",
    "rewrite",   "implement",   "with",     "in",
    "by",        "type",        "function", "predicate",
    "procedure", "axiom",       "theorem",  "guard",
    "assert",    "value",       "var",      "if",
    "then",      "else",        "for",      "while",
    "fold",      "forall",      "call",     "skip",
    "upd",       "obs",         "out",      "models",
    "innermost", "outermost",   "topdown",  "bottomup",
    "repeat",    "try",         "reverse",  "on",
    "pad",       "fuse",        "pipeline", "literals",
    "integer",   "real",        "Kokkos",   "array",
    "index",     "=>",          "==",       "=",
    "...",       "_+_",         "[",        "]",
    "{",         "}",           "(",        ")",
    ";",         ",",           ":",        "0",
    "1",         "99999999999", "2.5"};

enum class Kind { word, sign, single };

Kind kind_of(char c) {
  if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.') return Kind::word;
  return std::string_view("+-*/%<>=!&|~^@?").find(c) == std::string_view::npos ? Kind::single
                                                                               : Kind::sign;
}

// With the blanks behind each; put together they are the text.
std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at++;
    const Kind kind = kind_of(text[begin]);
    while (kind != Kind::single && at < text.size() && kind_of(text[at]) == kind) ++at;
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    tokens.push_back(text.substr(begin, at - begin));
  }
  return tokens;
}

class Mutation {
 public:
  Mutation(std::vector<std::string> tokens, unsigned seed)
      : tokens_(std::move(tokens)), random_(seed) {}

  std::string run() {
    for (unsigned left = 1 + below(3); left > 0; --left) step();
    std::string text;
    for (const std::string& each : tokens_) text += each;
    return text;
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  auto place(std::size_t at) { return tokens_.begin() + static_cast<std::ptrdiff_t>(at); }

  // A stretch of the text: mostly short, sometimes one that ends where a bracket does.
  std::pair<std::size_t, std::size_t> stretch() {
    const std::size_t begin = below(tokens_.size());
    const char first = tokens_[begin].front();
    if (first == '(' || first == '{' || first == '[') return {begin, close(begin)};
    const std::size_t length = 1 + below(below(4) == 0 ? 24 : 3);
    return {begin, std::min(tokens_.size(), begin + length)};
  }

  std::size_t close(std::size_t at) const {
    int depth = 0;
    for (; at < tokens_.size(); ++at) {
      const char c = tokens_[at].front();
      if (c == '(' || c == '{' || c == '[') ++depth;
      if (c == ')' || c == '}' || c == ']') --depth;
      if (depth <= 0) return at + 1;
    }
    return at;
  }

  std::string word() {
    if (!tokens_.empty() && below(2) == 0) return tokens_[below(tokens_.size())];
    return std::string(words[below(words.size())]) + " ";
  }

  void step() {
    if (tokens_.empty()) {
      tokens_.push_back(word());
      return;
    }
    const auto [begin, end] = stretch();
    const std::vector<std::string> piece(place(begin), place(end));
    switch (below(6)) {
      case 0:
        tokens_.erase(place(begin), place(end));
        break;
      case 1:  // the same once more, anywhere
        tokens_.insert(place(below(tokens_.size() + 1)), piece.begin(), piece.end());
        break;
      case 2:  // one of them elsewhere in the text stands here too
        tokens_[begin] = word();
        break;
      case 3:
        tokens_.insert(place(begin), word());
        break;
      case 4: {
        const auto [from, to] = stretch();
        const std::vector<std::string> other(place(from), place(to));
        tokens_.erase(place(begin), place(end));
        tokens_.insert(place(begin), other.begin(), other.end());
        break;
      }
      default:  // nested in itself
        for (std::size_t k = below(5) + 1; k > 0 && tokens_.size() < 6000; --k) {
          tokens_.insert(place(begin), piece.begin(), piece.end());
        }
    }
  }

  std::vector<std::string> tokens_;
  std::mt19937 random_;
};

}  // namespace

std::string mutated(std::string text, unsigned seed) {
  return Mutation(tokens_of(text), seed).run();
}

}  // namespace rhopsi::fuzz
