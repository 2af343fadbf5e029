#include "frontend/syntax/parse_state.hpp"

#include <algorithm>

#include "frontend/syntax/expectations.hpp"
#include "frontend/syntax/lexer.hpp"

namespace rhopsi::syntax {

namespace {

// The token at `p` as a message names it, and its end.
std::string describe(const char* p, const char* end, const char** stop) {
  *stop = p;
  if (p == end) return "the end of the file";
  *stop = std::max(name_end(p, end), symbol_end(p, end));
  if (*stop == p) {
    const std::string_view rest(p, static_cast<std::size_t>(end - p));
    *stop = p + decode(rest, 0).length;
  }
  constexpr std::ptrdiff_t longest = 40;
  if (*stop - p > longest) {
    const char* cut = p;
    while (cut - p < longest) {
      cut += decode({cut, static_cast<std::size_t>(end - cut)}, 0).length;
    }
    return "'" + std::string(p, cut) + "...'";
  }
  return "'" + std::string(p, *stop) + "'";
}

bool is_ascii_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The first character of the comment that ends at `p` (trailing blanks apart), or
// `p` where there is none.
const char* comment_begin(const char* begin, const char* p, const char* end) {
  const std::string_view before(begin, static_cast<std::size_t>(p - begin));
  if (before.size() >= 4 && before.substr(before.size() - 2) == "*/") {
    const std::size_t open = before.rfind("/*", before.size() - 4);
    if (open != std::string_view::npos && comment_end(begin + open, end) == p) return begin + open;
  }
  const std::size_t line = before.rfind('\n') + 1;
  const std::size_t open = before.find("//", line);
  return open != std::string_view::npos && comment_end(begin + open, end) >= p ? begin + open : p;
}

// Where the last token before `where` ends: what lies between is blank.
const char* previous_token_end(const char* begin, const char* where, const char* end) {
  const char* p = where;
  while (p != begin) {
    while (p != begin && is_ascii_blank(p[-1])) --p;
    const char* comment = comment_begin(begin, p, end);
    if (comment == p) return p;
    p = comment;
  }
  return p;
}

// Whether what was missed at `missed` is why the text is not understood at `where`.
bool explains(const Expectation& expectation, const char* missed, const char* where) {
  return expectation.explains_later && std::find(missed, where, ';') == where;
}

}  // namespace

void ParseState::fail(const char* where, const Expectation& expected) {
  // A form given up further on tells more about what was meant.
  if (missed_ && missed_place_ > where) {
    const Expectation& better = *missed_;
    const char* place = missed_place_;
    missed_ = nullptr;
    fail(place, better);
    return;
  }
  const char* stop = where;
  const char* previous = previous_token_end(begin, where, end);
  const std::string found = describe(where, end, &stop);
  failure_place_ = where;
  failure_ = Diagnostic{};
  failure_.code = expected.code;
  failure_.message = std::string(expected.message) + ", found " + found;
  failure_.note = expected.note;
  failure_.span = expected.after_previous ? span(previous, previous) : span(where, stop);
  if (where != end && *where == ':' && previous != begin && previous[-1] == ')') {
    failure_.note = "a type can be given after a call or a name, not after a parenthesis";
  } else if (&expected == &grammar::expected::statement_end && where != end &&
             (*where == '[' || *where == '=')) {
    failure_.note =
        "a statement assigns to a variable, and not to elements of it: an array with other "
        "elements is w = forall (p < shape(w)) (if at(p, 0) == 0 then ... else ...)";
  } else if (missed_ && (missed_place_ == where || explains(*missed_, missed_place_, where))) {
    failure_.note = missed_->note;
  }
}

void ParseState::fail(const char* where, const char* stop, std::string code, std::string message,
                      std::string note) {
  failure_place_ = where;
  failure_ = Diagnostic{};
  failure_.code = std::move(code);
  failure_.message = std::move(message);
  failure_.note = std::move(note);
  failure_.span = span(where, stop);
}

void ParseState::missed(const char* where, const Expectation& expected) {
  if (missed_ && missed_place_ > where) return;
  missed_place_ = where;
  missed_ = &expected;
}

bool ParseState::is_damaged(const char* place) const {
  const std::uint32_t at = offset(place);
  return std::any_of(damage_.begin(), damage_.end(),
                     [&](const Damage& part) { return at >= part.begin && at < part.end; });
}

void ParseState::report() {
  item_failed = true;
  if (reported) return;
  reported = true;
  if (failure_place_ && is_damaged(failure_place_)) return;
  if (!is_exhausted()) diagnostics.add(failure_);
}

}  // namespace rhopsi::syntax
