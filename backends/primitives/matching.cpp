#include "backends/primitives/matching.hpp"

#include <fmt/format.h>

namespace rhopsi::primitives {

namespace {

struct Slot {
  char letter;
  char repeat = 0;  // 0, '+' or '*'
};

struct Pattern {
  std::vector<Slot> arguments;
  std::optional<char> result;
};

Pattern parse(std::string_view text) {
  Pattern pattern;
  const std::size_t arrow = text.find('>');
  for (char c : text.substr(0, arrow)) {
    if (c == '+' || c == '*') {
      pattern.arguments.back().repeat = c;
    } else {
      pattern.arguments.push_back({c});
    }
  }
  if (arrow + 1 < text.size()) pattern.result = text[arrow + 1];
  return pattern;
}

// One letter per argument, the repeated slot (at most one) stretched to fit `count`.
std::optional<std::string> stretch(const Pattern& pattern, std::size_t count) {
  std::string letters;
  for (const Slot& slot : pattern.arguments) {
    if (slot.repeat == 0) {
      letters += slot.letter;
      continue;
    }
    const std::size_t others = pattern.arguments.size() - 1;
    if (count < others + (slot.repeat == '+' ? 1 : 0)) return std::nullopt;
    letters.append(count - others, slot.letter);
  }
  if (letters.size() != count) return std::nullopt;
  return letters;
}

}  // namespace

std::optional<Misfit> misfit(std::string_view pattern_text, const Subject& subject) {
  const Pattern pattern = parse(pattern_text);
  const std::optional<std::string> letters = stretch(pattern, subject.arguments);
  if (!letters) return Misfit{Misfit::Kind::count};
  for (std::size_t i = 0; i < letters->size(); ++i) {
    if (!subject.fits((*letters)[i], i)) return Misfit{Misfit::Kind::argument, i, (*letters)[i]};
  }
  if (pattern.result.has_value() != subject.has_result) {
    return Misfit{Misfit::Kind::result, subject.arguments, pattern.result.value_or(0)};
  }
  if (pattern.result && !subject.fits(*pattern.result, subject.arguments)) {
    return Misfit{Misfit::Kind::result, subject.arguments, *pattern.result};
  }
  return std::nullopt;
}

std::string letter_text(char letter) {
  switch (letter) {
    case 'T':
      return "T";
    case 'R':
      return "R";
    case 'S':
      return "S";
    case 'D':
      return "D";
    case 'B':
      return "Bool";
    case 'M':
      return "Number";
    case 'P':
      return "Predicate";
    case 'I':
      return "Index";
    case 'A':
      return "Array";
    case 'u':
      return "upd Array";
    case 'E':
      return "E";
    case 'N':
      return "N";
    case 'X':
      return "Axis";
    case 'O':
      return "Offset";
    case 'C':
      return "ScalarIndex";
    case 'L':
      return "AxisLength";
    case 'V':
      return "a scalar type";
    default:
      return "xs";
  }
}

std::string form_text(const OperationRow& row) {
  const Pattern pattern = parse(row.pattern);
  std::string text = std::string(row.name) + "(";
  for (std::size_t i = 0; i < pattern.arguments.size(); ++i) {
    if (i > 0) text += ", ";
    text += letter_text(pattern.arguments[i].letter);
    if (pattern.arguments[i].repeat != 0) text += "...";
  }
  text += ")";
  if (pattern.result) text += ": " + letter_text(*pattern.result);
  return text;
}

}  // namespace rhopsi::primitives
