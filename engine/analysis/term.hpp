// First-order terms for analyses: what is left of a rewriting system when only symbols, variables
// and sorts count.
//
// A TermBank shares equal terms, so that equality is equality of handles, a table may be indexed
// by terms, and thousands of terms that an analysis makes cost little. Nothing is freed before the
// bank.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rhopsi::analysis {

enum class Term : std::uint32_t {};

// Sorts are numbers; a system without sorts has sort 0 only.
using Sort = std::int32_t;

struct Symbol {
  std::string name;
  std::vector<Sort> parameters;
  Sort result = 0;

  std::size_t arity() const { return parameters.size(); }
};

class TermBank {
 public:
  int add_symbol(Symbol symbol);
  int add_symbol(std::string name, std::size_t arity);
  int fresh_variable(Sort sort, std::string name = {});

  Term make(int symbol, std::span<const Term> arguments);
  Term make(int symbol, std::initializer_list<Term> arguments);
  Term variable(int number);

  const Symbol& symbol(int symbol) const { return symbols_[static_cast<std::size_t>(symbol)]; }
  int symbol_count() const { return static_cast<int>(symbols_.size()); }
  Sort variable_sort(int variable) const {
    return variables_[static_cast<std::size_t>(variable)].sort;
  }
  const std::string& variable_name(int variable) const {
    return variables_[static_cast<std::size_t>(variable)].name;
  }

  bool is_variable(Term term) const { return node(term).head < 0; }
  int head(Term term) const { return node(term).head; }          // of no variable
  int variable_of(Term term) const { return ~node(term).head; }  // of a variable
  std::span<const Term> arguments(Term term) const { return node(term).arguments; }
  Sort sort(Term term) const;
  bool ground(Term term) const { return node(term).ground; }
  std::uint64_t size(Term term) const { return node(term).size; }    // saturates
  std::uint32_t depth(Term term) const { return node(term).depth; }  // 0 of a variable or constant
  std::size_t term_count() const { return nodes_.size(); }

 private:
  struct Node {
    int head;  // a symbol, or ~variable
    std::vector<Term> arguments;
    std::uint64_t size = 1;
    std::uint32_t depth = 0;
    bool ground = true;
  };
  struct Variable {
    Sort sort;
    std::string name;
  };
  const Node& node(Term term) const { return nodes_[static_cast<std::size_t>(term)]; }
  Term intern(int head, std::span<const Term> arguments);

  std::vector<Symbol> symbols_;
  std::vector<Variable> variables_;
  std::deque<Node> nodes_;  // references stay valid
  std::unordered_multimap<std::size_t, Term> index_;
};

// The path of argument numbers from the root.
using Position = std::vector<std::uint32_t>;
std::string to_string(const Position& position);  // "1.2", counted from 1; "root"

// Variable -> term.
class Substitution {
 public:
  const Term* find(int variable) const;
  void bind(int variable, Term term) { bindings_.insert_or_assign(variable, term); }
  bool empty() const { return bindings_.empty(); }
  const std::unordered_map<int, Term>& bindings() const { return bindings_; }

 private:
  std::unordered_map<int, Term> bindings_;
};

Term apply(TermBank& bank, Term term, const Substitution& substitution);
Term subterm(const TermBank& bank, Term term, const Position& position);
Term replace(TermBank& bank, Term term, const Position& position, Term replacement);
bool has_position(const TermBank& bank, Term term, const Position& position);
// Positions of all subterms that are no variables, in pre-order.
std::vector<Position> function_positions(const TermBank& bank, Term term);
std::vector<Position> positions(const TermBank& bank, Term term);
// Variables, each once, in order of first occurrence; and with every occurrence.
std::vector<int> variables(const TermBank& bank, Term term);
std::vector<int> variable_occurrences(const TermBank& bank, Term term);
bool linear(const TermBank& bank, Term term);
bool occurs(const TermBank& bank, int variable, Term term);
bool is_subterm(const TermBank& bank, Term small, Term large);
// Distinct subterms, the term itself among them.
std::vector<Term> subterms(const TermBank& bank, Term term);

std::string to_string(const TermBank& bank, Term term);

}  // namespace rhopsi::analysis
