// What the grammar carries along while it reads one text.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "frontend/syntax/ast.hpp"
#include "frontend/syntax/deep_stack.hpp"
#include "frontend/syntax/operators.hpp"
#include "frontend/syntax/scan.hpp"

namespace rhopsi::syntax {

// One thing that the grammar insists on, with the words for its absence.
struct Expectation {
  const char* code;
  const char* message;  // "expected ..."
  const char* note;     // what to do
  // The caret goes after the token before (a missing `;`), not to the one found.
  bool after_previous = false;
  // Missed, its note explains also a failure further on in the same statement.
  bool explains_later = false;
};

class ParseState {
 public:
  ParseState(std::shared_ptr<const SourceFile> source, Diagnostics& sink,
             std::vector<Damage> damaged_parts, std::size_t earlier_errors)
      : file(std::move(source)),
        diagnostics(sink),
        errors_before(earlier_errors),
        begin(file->text().data()),
        end(begin + file->text().size()),
        damage_(std::move(damaged_parts)) {}

  std::shared_ptr<const SourceFile> file;
  Diagnostics& diagnostics;
  std::size_t errors_before;  // told of other texts
  const char* begin;
  const char* end;

  int depth = 0;                    // of expressions and modules around this place
  std::uintptr_t stack_floor = 0;   // where the stack ends
  int level_limit = loosest_level;  // operators looser than this end the expression
  bool assignment = true;           // whether `x = e` is an expression here
  bool item_failed = false;         // an error was passed over inside this item
  bool reported = false;            // the exception under way was already told

  Span span(const char* from, const char* to) const { return {file, offset(from), offset(to)}; }
  std::uint32_t offset(const char* p) const { return static_cast<std::uint32_t>(p - begin); }

  // Notes what the grammar insisted on, just before it throws.
  void fail(const char* where, const Expectation& expected);
  // The same with a message made for the occasion, at [where, stop).
  void fail(const char* where, const char* stop, std::string code, std::string message,
            std::string note);
  // Notes what would have let a form go on that was given up for another reading.
  void missed(const char* where, const Expectation& expected);

  // Turns the noted failure into a diagnostic.
  void report();
  // Whether this text has had as many errors as anybody reads.
  bool is_exhausted() const { return diagnostics.error_count() >= errors_before + most_errors; }

  // What stands in parentheses inside a form that may be given up is kept: as the
  // arguments of a call it is then not read a second time.
  struct Reading {
    ExprPtr expression;
    const char* end;
  };
  int tentative = 0;  // forms around this place that may be given up
  std::unordered_map<const char*, Reading> readings;

  // Forms that begin with a word are tried once: what did not fit is not tried
  // again, or nested forms would be read exponentially often.
  void forget() {
    readings.clear();
    failed_forms_.clear();
  }
  bool failed_before(const char* where, int form) const {
    return failed_forms_.count(form_key(where, form)) != 0;
  }
  void remember_failure(const char* where, int form) {
    failed_forms_.insert(form_key(where, form));
  }

 private:
  std::uint64_t form_key(const char* where, int form) const {
    return (std::uint64_t{offset(where)} << 4) | static_cast<std::uint64_t>(form);
  }
  bool is_damaged(const char* place) const;

  std::vector<Damage> damage_;
  std::unordered_set<std::uint64_t> failed_forms_;
  Diagnostic failure_;
  const char* failure_place_ = nullptr;
  const char* missed_place_ = nullptr;
  const Expectation* missed_ = nullptr;
};

// The grammar's entry points (grammar.cpp). Each reads one thing at `*place` and
// moves it behind; false where an error was reported, `*place` is then where
// parsing goes on.
bool read_head(ParseState& state, const char** place, Package& package);
bool read_top_declaration(ParseState& state, const char** place, std::vector<TopDecl>& into);
bool read_whole_expression(ParseState& state, const char** place, ExprPtr& expression);

}  // namespace rhopsi::syntax
