// Terms as `f(a, g(b))`, over the symbols of a system. Names may be overloaded: which one is
// meant is decided by the number and the sorts of the arguments.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/trs/rec.hpp"
#include "frontend/trs/system.hpp"

namespace rhopsi::trs {

// "1 argument", "2 arguments".
std::string arguments(std::size_t count);

// Words, brackets, commas and arrows of a text, one at a time: texts may hold terms of many
// millions of symbols, whose tokens nobody should keep.
class TextScanner {
 public:
  TextScanner(std::shared_ptr<const syntax::SourceFile> file, TermSyntax syntax);

  // The token at the current place; empty at the end.
  std::string_view peek() const { return token_; }
  bool at(std::string_view spelling) const { return token_ == spelling; }
  // No sign: a word that may be a name.
  bool at_name() const;
  bool at_quoted() const { return syntax_ == TermSyntax::quoted && token_.starts_with('|'); }
  // The token begins as a quoted name does, and no bar closes it.
  bool at_open_quote() const;
  void advance();
  syntax::Span span() const;
  std::uint32_t begin() const { return begin_; }
  syntax::Span span_from(std::uint32_t begin) const { return {file_, begin, last_end_}; }
  const std::shared_ptr<const syntax::SourceFile>& file() const { return file_; }
  // In declarations `:` stands alone, also where it touches a name.
  void split_at_colons(bool wanted) { colons_ = wanted; }

 private:
  bool arrow_at(std::size_t place) const;
  std::size_t token_end(std::size_t begin) const;

  std::shared_ptr<const syntax::SourceFile> file_;
  std::string_view text_;
  std::string_view token_;
  TermSyntax syntax_;
  std::uint32_t begin_ = 0;
  std::uint32_t last_end_ = 0;  // of the token before
  bool colons_ = false;
};

class TermReader {
 public:
  TermReader(System& system, syntax::Diagnostics& diagnostics);

  void add_symbol(std::uint32_t number);
  bool knows(const std::string& name) const { return symbols_.contains(name); }
  // Words that end what they stand in, and are no names.
  void stop_at(bool (*section)(std::string_view word)) { section_ = section; }
  // Names that nobody has declared become symbols; for systems without sorts.
  void declare_what_is_new(bool wanted) { declares_ = wanted; }

  // The number and the sort of a variable, for names that are used without arguments.
  struct Known {
    std::int32_t number;
    std::uint32_t sort;
  };
  using Variables = std::function<std::optional<Known>(std::string_view name, std::uint32_t begin)>;

  // Without recursion. None after an error, which has been reported.
  std::optional<Term> read(TextScanner& scanner, const Variables& variables);
  std::uint32_t last_sort() const { return last_sort_; }

 private:
  // Small: there may be millions of them.
  struct Open {
    std::uint32_t begin;  // of its name, in the text
    std::uint32_t length;
    std::uint32_t at;          // in the term
    std::uint32_t first_sort;  // of its arguments, among those that are open
  };

  static std::string name_of(const TextScanner& scanner, const Open& open);
  bool at_stop(const TextScanner& scanner) const;
  void expected(const TextScanner& scanner, const char* what, const std::vector<Open>& open);
  bool close(const TextScanner& scanner, const Open& open, Term& term);
  std::optional<std::uint32_t> choose(const std::string& name, const Open& open) const;
  void report(const TextScanner& scanner, const Open& open);
  void report_sorts(const syntax::Span& span, const std::string& name,
                    const std::vector<std::uint32_t>& overloads, const Open& open);
  std::string declaration(std::uint32_t number) const;
  std::uint32_t declare(const std::string& name, std::size_t arity);

  System& system_;
  syntax::Diagnostics& diagnostics_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> symbols_;
  std::vector<std::uint32_t> sorts_;  // of arguments that have been read
  bool (*section_)(std::string_view word) = nullptr;
  std::uint32_t last_sort_ = 0;
  bool declares_ = false;
};

}  // namespace rhopsi::trs
