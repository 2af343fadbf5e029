// Parts of a JSON text taken with their places, so that what is wrong can be named.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/check/certificate.hpp"

namespace rhopsi::check {

using Json = nlohmann::json;

// Thrown within the reader, and caught by it.
struct Unreadable {
  Flaw flaw;
};

// A value and where it stands.
class Part {
 public:
  Part(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  [[noreturn]] void fail(const std::string& message) const;

  // --- an object: has exactly these keys, and perhaps those
  void expect_keys(const std::vector<std::string>& needed,
                   const std::vector<std::string>& possible = {}) const;
  bool has(const std::string& key) const { return json_.contains(key); }
  Part operator[](const std::string& key) const;

  // --- an array
  std::size_t size() const;
  Part at(std::size_t index) const;
  std::vector<Part> list() const;

  // --- values
  bool is_array() const { return json_.is_array(); }
  bool is_text() const { return json_.is_string(); }
  std::string text() const;
  bool truth() const;
  std::int64_t integer() const;
  // Below `bound`.
  std::size_t index(std::size_t bound, const char* what) const;

 private:
  const Json& json_;
  std::string place_;
};

// The sorts, symbols and terms of a certificate, in a store.
class TermTables {
 public:
  explicit TermTables(term::Store& store) : store_(store) {}
  void read(const Part& sorts, const Part& symbols, const Part& terms);

  term::SortId sort(const Part& part) const;
  SymbolId symbol(const Part& part) const;
  SymbolId variable(const Part& part) const;
  TermId term(const Part& part) const;
  const term::Store& store() const { return store_; }

 private:
  SymbolId read_symbol(const Part& part);
  SymbolId read_control(const Part& part);
  std::vector<term::SortId> sorts_of(const Part& part) const;
  void check(const Part& part, const term::Symbol& symbol, const std::vector<SymbolId>& bound,
             const std::vector<TermId>& children) const;
  void check_control(const Part& part, const term::Symbol& symbol,
                     const std::vector<SymbolId>& bound, const std::vector<TermId>& children) const;

  term::Store& store_;
  std::vector<term::SortId> sorts_;
  std::vector<SymbolId> symbols_;
  std::vector<TermId> terms_;
};

}  // namespace rhopsi::check
