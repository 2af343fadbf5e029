#include "frontend/syntax/format.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "frontend/syntax/format_tokens.hpp"

namespace rhopsi::syntax {
namespace {

using Kind = LayoutToken::Kind;

constexpr std::size_t step = 2;     // for each brace
constexpr std::size_t go_on = 4;    // of a line that went on left of where it began
constexpr std::size_t rounds = 10;  // until nothing changes any more

bool is_prefix_symbol(const LayoutToken& token) {
  return token.kind == Kind::symbol &&
         (token.text == "+" || token.text == "-" || token.text == "!" || token.text == "~");
}

bool ends_operand(const LayoutToken& token) {
  return token.kind == Kind::name || token.is(")") || token.is("]") || token.is("}");
}

// Behind `}` on a line of their own they go on with what the brace has ended.
bool goes_on(const LayoutToken& token) {
  constexpr std::array<std::string_view, 7> words{"with",  "by",     "in",          "guard",
                                                  "bound", "models", "approximates"};
  if (token.kind == Kind::symbol) return true;
  if (token.kind == Kind::mark) return !token.opens() && !token.is("}");
  return token.kind == Kind::name && std::ranges::find(words, token.text) != words.end();
}

class Formatter {
 public:
  explicit Formatter(std::string_view text) : tokens_(layout_tokens(text)) {
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if (tokens_[k].first) lines_.push_back(k);
      line_of_.push_back(lines_.size() - 1);
    }
  }

  std::string run() {
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      gaps_.push_back(tokens_[k].first ? indented_ = indentation(k) : blanks(k));
      follow(k);
    }
    align();
    std::string text;
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if (tokens_[k].first && k > 0) {
        const bool at_edge = tokens_[k - 1].is("{") || tokens_[k].is("}");
        text += tokens_[k].after_gap && !at_edge ? "\n\n" : "\n";
      }
      text.append(gaps_[k], ' ').append(tokens_[k].text);
    }
    return text.empty() ? text : text + "\n";
  }

 private:
  // What is open at a place: the text itself, or a bracket.
  struct Level {
    bool braces = true;      // are all that are open braces?
    std::size_t inside = 0;  // where lines begin that begin an item of it
    std::size_t close = 0;   // and the brace that ends it
    std::size_t item = 0;    // where the last such line begins
    long moved = 0;          // how far that was moved, and what goes on with it
  };

  const LayoutToken* before(std::size_t k) const {
    while (k-- > 0) {
      if (tokens_[k].kind != Kind::comment) return &tokens_[k];
    }
    return nullptr;
  }

  // ---------------------------------------------------------------- lines

  std::size_t indentation(std::size_t k) {
    const LayoutToken& token = tokens_[k];
    Level& level = levels_.back();
    if (level.braces && levels_.size() > 1 && token.is("}")) return level.close;
    if (begins_item(k)) {
      if (token.kind == Kind::comment) return level.inside;
      level.item = level.inside;
      level.moved = static_cast<long>(level.inside) - static_cast<long>(token.column);
      return level.inside;
    }
    const long moved = static_cast<long>(token.column) + level.moved;
    const long least = static_cast<long>(level.item) + (token.closes() ? 0 : 1);
    return moved < least ? level.item + go_on : static_cast<std::size_t>(moved);
  }

  bool begins_item(std::size_t k) const {
    if (!levels_.back().braces) return false;
    const LayoutToken* last = before(k);
    if (last == nullptr || last->is(";") || last->is("{")) return true;
    return last->is("}") && (tokens_[k].kind == Kind::comment || !goes_on(tokens_[k]));
  }

  void follow(std::size_t k) {
    const LayoutToken& token = tokens_[k];
    if (token.closes() && levels_.size() > 1) levels_.pop_back();
    if (!token.opens()) return;
    Level level = levels_.back();
    level.braces = level.braces && token.is("{");
    const std::size_t base = ends_below_its_line(k) ? indented_ : level.item;
    level.inside = base + step;
    level.close = base;
    levels_.push_back(level);
  }

  // Has the author put `}` below the begin of the line that `{` stands on, where that line goes on
  // with another one?
  bool ends_below_its_line(std::size_t k) const {
    const LayoutToken& close = tokens_[tokens_[k].partner];
    const LayoutToken& line = tokens_[lines_[line_of_[k]]];
    return close.first && close.column == line.column &&
           static_cast<long>(line.column) + levels_.back().moved !=
               static_cast<long>(levels_.back().item);
  }

  // ---------------------------------------------------------------- blanks

  // Before a token that does not begin its line.
  std::size_t blanks(std::size_t k) const {
    const LayoutToken& token = tokens_[k];
    if (token.kind == Kind::comment) return std::max<std::size_t>(token.blanks, 1);
    return wanted_blanks(k);
  }

  std::size_t wanted_blanks(std::size_t k) const {
    const LayoutToken& last = tokens_[k - 1];
    const LayoutToken& token = tokens_[k];
    const std::size_t kept = std::min<std::size_t>(token.blanks, 1);
    if (last.kind == Kind::comment) return std::max<std::size_t>(kept, 1);
    if (token.is(",") || token.is(";")) return 0;
    if (last.is("{") || token.is("}")) return last.is("{") && token.is("}") ? kept : 1;
    if (last.is("(") || last.is("[")) return is_roomy(k - 1) ? kept : 0;
    if (token.is(")") || token.is("]")) return is_roomy(token.partner) ? kept : 0;
    if (last.is(",") || last.is(";")) return 1;
    if (token.is(":")) return 0;
    if (last.is(":") || token.is("..") || last.is("..") || token.is("{")) return 1;
    if (token.text.front() == '.' || last.is(".")) return 0;
    if (last.kind == Kind::symbol) return is_prefix(k - 1) || is_tight(k - 1) ? 0 : 1;
    if (is_tight(k)) return 0;
    if (token.is("(") || token.is("[")) return kept;
    return 1;
  }

  // A list that is written on several lines may have a blank at its brackets, for its columns, and
  // a renaming beside such ones at both of them.
  bool is_roomy(std::size_t k) const {
    const std::size_t end = tokens_[k].partner;
    if (line_of_[k] != line_of_[end]) return true;
    return tokens_[k].is("[") && k + 1 < end && tokens_[k + 1].blanks > 0 &&
           tokens_[end].blanks > 0;
  }

  // `-` of `-x`. After a name it may be one too, of `value -x`.
  bool is_prefix(std::size_t k) const {
    if (!is_prefix_symbol(tokens_[k]) || k + 1 == tokens_.size()) return false;
    const LayoutToken* last = before(k);
    if (last == nullptr || !ends_operand(*last)) return tokens_[k + 1].kind != Kind::symbol;
    const bool apart = tokens_[k].first || tokens_[k].blanks > 0;
    return apart && !tokens_[k + 1].first && tokens_[k + 1].blanks == 0;
  }

  // `2*x`: products may be written without blanks, to be told from the sums that they are in.
  bool is_tight(std::size_t k) const {
    const LayoutToken& token = tokens_[k];
    const bool product = token.is("*") || token.is("/") || token.is("%");
    return product && !token.first && token.blanks == 0 && k + 1 < tokens_.size() &&
           !tokens_[k + 1].first && tokens_[k + 1].blanks == 0 &&
           tokens_[k + 1].kind != Kind::comment;
  }

  // ---------------------------------------------------------------- columns

  // Tokens that the author has put below each other, in neighbouring lines, stay so. Those further
  // to the left are put first.
  void align() {
    std::map<std::size_t, std::vector<std::vector<std::size_t>>> groups;
    for (std::size_t line = 0; line < lines_.size(); ++line) {
      for (std::size_t k = lines_[line] + 1; k < end_of(line); ++k) {
        if (!may_stand_apart(k)) continue;
        auto& of_column = groups[tokens_[k].column];
        const bool goes_on = !of_column.empty() && line_of_[of_column.back().back()] + 1 == line &&
                             !tokens_[lines_[line]].after_gap;
        if (!goes_on) of_column.emplace_back();
        of_column.back().push_back(k);
      }
    }
    for (const auto& [column, of_column] : groups) {
      for (const auto& group : of_column) align(group);
    }
  }

  void align(const std::vector<std::size_t>& group) {
    const bool meant = std::ranges::any_of(group, [&](std::size_t k) {
      return tokens_[k].blanks > 1 || tokens_[k].kind == Kind::comment;
    });
    if (group.size() < 2 || !meant) return;
    std::size_t least = tokens_[group.front()].blanks;
    for (std::size_t k : group) least = std::min(least, tokens_[k].blanks);
    std::size_t target = 0;
    for (std::size_t k : group) target = std::max(target, end_before(k) + least);
    for (std::size_t k : group) gaps_[k] = target - end_before(k);
  }

  bool may_stand_apart(std::size_t k) const { return tokens_[k].blanks > 0 && gaps_[k] > 0; }

  std::size_t end_of(std::size_t line) const {
    return line + 1 < lines_.size() ? lines_[line + 1] : tokens_.size();
  }

  // The column behind the token before this one of the line, as it is laid out so far.
  std::size_t end_before(std::size_t k) const {
    std::size_t column = 0;
    for (std::size_t at = lines_[line_of_[k]]; at < k; ++at) {
      column = end_column(column + gaps_[at], tokens_[at].text);
    }
    return column;
  }

  std::vector<LayoutToken> tokens_;
  std::vector<std::size_t> lines_;    // the first token of each
  std::vector<std::size_t> line_of_;  // each token
  std::vector<Level> levels_{Level{}};
  std::vector<std::size_t> gaps_;  // blanks before each token
  std::size_t indented_ = 0;       // the line that is looked at
};

}  // namespace

std::string format(std::string_view text) {
  // What stands below what may change with what is moved.
  std::string result(text);
  for (std::size_t round = 0; round < rounds; ++round) {
    std::string next = Formatter(result).run();
    if (next == result) break;
    result = std::move(next);
  }
  return result;
}

std::string comments_of(std::string_view text) {
  std::string comments;
  for (const LayoutToken& token : layout_tokens(text)) {
    if (token.kind == Kind::comment) comments.append(token.text).append("\n");
  }
  return comments;
}

}  // namespace rhopsi::syntax
