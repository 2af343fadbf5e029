// What the readers of both formats share: a place in the tokens, symbols by name, messages.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/trs/system.hpp"
#include "frontend/trs/token.hpp"

namespace rhopsi::trs {

class Reader {
 public:
  Reader(std::shared_ptr<const syntax::SourceFile> file, std::vector<Token> tokens,
         syntax::Diagnostics& diagnostics)
      : file_(std::move(file)), tokens_(std::move(tokens)), diagnostics_(diagnostics) {}

 protected:
  using Kind = Token::Kind;

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(place_ + ahead, tokens_.size() - 1)];
  }
  const Token& next() {
    const Token& token = peek();
    if (place_ + 1 < tokens_.size()) ++place_;
    return token;
  }
  std::size_t place() const { return place_; }
  void return_to(std::size_t place) { place_ = place; }
  const Token& token(std::size_t place) const { return tokens_[place]; }

  syntax::Span span(const Token& token) const { return {file_, token.begin, token.end}; }
  syntax::Span span(const Token& first, const Token& last) const {
    return {file_, first.begin, last.end};
  }

  void error(const char* code, const Token& at, std::string message, std::string note = {}) {
    diagnostics_.error(code, span(at), std::move(message), std::move(note));
    failed_ = true;
  }
  // Something else stands where `what` has to; `form` says how it is written.
  void missing(const Token& at, const std::string& what, const char* form) {
    error("E0130", at, what + " is expected here",
          at.is(Kind::end) ? std::string("the text ends too early: ") + form : form);
  }
  bool expect(Kind kind, const char* what, const char* form) {
    if (peek().is(kind)) {
      next();
      return true;
    }
    missing(peek(), what, form);
    return false;
  }
  // Past the bracket that closes the one before the current place.
  void skip_to_close() {
    std::size_t depth = 1;
    while (depth > 0 && !peek().is(Kind::end)) {
      if (peek().is(Kind::open)) ++depth;
      if (peek().is(Kind::close)) --depth;
      next();
    }
  }

  // As a rule's terms have it; a new one where the name is not among names_.
  std::int32_t variable(Rule& rule, const Token& name) {
    const auto [found, made] =
        names_.emplace(name.text, static_cast<std::int32_t>(rule.variables.size()));
    if (made) rule.variables.push_back({name.text, 0, span(name)});
    return found->second;
  }

  std::shared_ptr<const syntax::SourceFile> file_;
  std::vector<Token> tokens_;
  syntax::Diagnostics& diagnostics_;
  System system_;
  std::unordered_map<std::string, std::uint32_t> symbols_;  // by name
  std::unordered_map<std::string, std::int32_t> names_;     // of the rule's variables
  bool failed_ = false;

 private:
  std::size_t place_ = 0;
};

}  // namespace rhopsi::trs
