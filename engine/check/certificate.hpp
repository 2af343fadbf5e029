// A derivation with all that it takes to check it again: rules, terms, meanings, steps.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/term/operations.hpp"
#include "engine/term/oracle.hpp"
#include "engine/term/store.hpp"

namespace rhopsi::check {

using term::SymbolId;
using term::TermId;

// left -> right where the condition (absent: none) holds. If they are blocks of statements, what
// they say is said of these statements in a row within any block; a variable that left changes
// stands for a variable that no other one mentions.
struct Axiom {
  std::string name;
  std::string place;  // "rules/moa/dnf.mg:41"; for the reader
  std::vector<SymbolId> variables;
  TermId left;
  TermId right;
  std::optional<TermId> condition;
};

// The statement holds where the condition (absent: everywhere) does.
struct Lemma {
  std::string name;
  std::string place;
  std::vector<SymbolId> variables;
  TermId statement;
  std::optional<TermId> condition;
};

// What is known of an operation when the run begins (of a definition: when it ends).
struct Operation {
  SymbolId symbol{};
  term::Arithmetic meaning = term::Arithmetic::none;
  term::ArrayFunction array = term::ArrayFunction::none;
  std::vector<SymbolId> parameters;
  std::optional<TermId> guard;
  std::optional<TermId> body;
};

// An instance of a lemma.
struct LemmaUse {
  std::size_t lemma = 0;  // in the derivation's lemmas
  std::vector<TermId> binding;
};

// In a condition, and in what is known where it is asked: `before` becomes `after` everywhere
// outside of binders. An axiom without a condition says that they are equal; or, without one, what
// vectors and `if` are.
struct Unfolding {
  std::optional<std::size_t> axiom;  // in the derivation's axioms
  std::vector<TermId> binding;
  TermId before;
  TermId after;
};

// One use of an axiom: the redex `before` at `position` becomes `after`.
struct Step {
  bool in_guard = false;    // the position starts at the guard, else at the body
  term::Position position;  // as it was before the pass
  std::vector<TermId> binding;
  TermId before;
  TermId after;
  std::optional<TermId> condition;  // instantiated
  std::string decider;              // one of `deciders`; empty where there is no condition
  term::Basis basis = term::Basis::context;
  // Of statements in a row, where `before` is the block that they stand in: the first of them.
  std::optional<std::uint32_t> statement{};
  std::vector<LemmaUse> lemmas = {};       // that the decider "lemma" rests on, in order
  std::vector<Unfolding> unfoldings = {};  // after which it was decided, in order
};

// Uses of one axiom at places that are apart, from the left to the right: at the same time.
struct Pass {
  std::size_t axiom = 0;  // in the derivation's axioms
  std::vector<Step> steps;
};

struct Parts {
  std::optional<TermId> body;
  std::optional<TermId> guard;
};

// What a callable is at one point: its body and its guard, about the parameters.
struct State {
  SymbolId callable{};
  std::vector<SymbolId> parameters;
  Parts parts;
};

// How the body and the guard of one callable changed.
struct Run {
  SymbolId callable{};
  std::vector<SymbolId> parameters;
  Parts from;
  Parts to;
  std::vector<Pass> passes;
};

// A body that an axiom has given (two axioms, of its shape and its elements, for an array).
struct Definition {
  SymbolId callable{};
  std::vector<SymbolId> parameters;
  TermId body;
  std::optional<TermId> guard;  // of the callable from there on
  std::vector<std::size_t> axioms;
};

struct Derivation {
  std::string rules;  // as the module was named
  // What has another body or guard since, and not by a derivation.
  std::vector<State> changes{};
  std::vector<Axiom> axioms;
  std::vector<Lemma> lemmas;
  std::vector<Operation> operations;
  std::vector<Run> runs;                // of `rewrite`
  std::vector<Definition> definitions;  // of `implement`
};

// All in the names of the program that it led to.
struct Certificate {
  std::string file;
  std::string program;
  std::vector<State> begins;            // what no derivation gave, each callable once
  std::vector<Derivation> derivations;  // oldest first
  std::vector<State> changes;           // after the last one
  std::vector<State> ends;              // the program: each callable that was spoken of
};

// Who may decide a condition.
inline constexpr std::string_view deciders[] = {"constant", "fact", "interval", "Z3", "lemma"};

// As JSON text with a digest, linear in the different terms and the steps. Terms that are equal
// up to places stand once. The same certificate gives the same text.
std::string write(const term::Store& store, const Certificate& certificate);

// What is wrong with a text, and where in it: "terms[12]", "derivations[0].runs[1].passes[3]".
struct Flaw {
  std::string place;
  std::string message;
};

// The certificate in the text, its terms in `store`, which has none yet. Every handle is valid,
// every term has the arguments that its symbol asks for, and equal terms are one. A text with
// another digest than it names is a flaw.
std::variant<Certificate, Flaw> read(term::Store& store, std::string_view text);

// The text with the digest that fits its content: for a tool that writes certificates itself, and
// for tests of what the checker finds without the digest. Nothing if it is no JSON object.
std::optional<std::string> sealed(std::string_view text);

}  // namespace rhopsi::check
