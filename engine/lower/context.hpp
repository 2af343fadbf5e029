// What the lowering of one module shares between its functions.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/lower/lower.hpp"

namespace rhopsi::lower {

using onf::Expr;
using onf::Representation;
using term::Callable;
using term::Control;
using term::LocationId;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;

class Context {
 public:
  Context(term::Store& store, const term::Program& program, const onf::PrimitiveTable& table,
          const Options& options, std::vector<onf::Problem>& problems)
      : store(store), program(program), table(table), options(options), problems_(problems) {}

  term::Store& store;
  const term::Program& program;
  const onf::PrimitiveTable& table;
  const Options& options;
  onf::Module module;
  int stored_parts = 0;  // variables for which Options::stores_parts made a difference
  int short_loops = 0;   // and loops for which Options::writes_out_loops would

  // --- questions
  // Reports E0501 and gives an opaque type where there is none.
  Representation represent(term::SortId sort, LocationId location);
  bool is_array(TermId term);
  std::optional<onf::Primitive> primitive(const Callable& callable);
  std::optional<std::int64_t> constant(TermId term);
  // Can the callable run inside a kernel?
  bool device(SymbolId symbol) const { return device_.contains(symbol); }
  // What is lowered with what it calls, by the names of the options; none where they name none.
  const std::vector<const Callable*>& entries() const { return entries_; }
  // The parameters of the run that the entries lead to, in the order of the program. Without
  // entries all of them, used or not: who calls what is emitted may set any that the program
  // declares.
  const std::vector<const Callable*>& parameters() const { return used_parameters_; }

  // --- what is made on demand; lowering a callee first keeps Module::order right
  // `location`: of the call. One of a function that is being lowered is E0508.
  onf::FunctionId function(SymbolId symbol, LocationId location = {});
  onf::ParameterId parameter(const Callable& callable, onf::Scalar type);
  onf::ExternalId external(const term::ExternalBlock& block);

  void classify();         // decides device()
  void find_pad();         // Module::pad
  void find_types();       // Module::element and, where all is lowered, Module::types
  void find_entries();     // decides entries()
  void find_parameters();  // Module::parameters, and parameters()

  void report(std::string code, std::string message, std::string advice, LocationId location,
              bool error = true);
  bool failed() const { return failed_; }
  // What was reported since then is taken back, by who tries something else instead.
  std::size_t reported() const { return problems_.size(); }
  void forget(std::size_t reported);
  const onf::Problem& last() const { return problems_.back(); }

  // What is lowered meanwhile has not failed yet, whatever failed before. Afterwards both count.
  class Attempt {
   public:
    explicit Attempt(Context& context)
        : context_(context),
          failed_(std::exchange(context.failed_, false)),
          begin_(std::exchange(context.attempt_, context.reported())) {}
    ~Attempt() {
      context_.failed_ = context_.failed_ || failed_;
      context_.attempt_ = begin_;
    }
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;

   private:
    Context& context_;
    bool failed_;
    std::size_t begin_;
  };

  // One level more of what is followed by recursion: terms within terms, and the bodies of
  // the functions that they call first. False, and E0512, where it is one level too many.
  class Level {
   public:
    Level(Context& context, LocationId location);
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    explicit operator bool() const { return fits_; }

   private:
    std::size_t& depth_;
    bool fits_;
  };

 private:
  bool runs_in_kernels(const Callable& callable);
  bool callable_from_outside(const Callable& callable) const;
  void provide(term::SortId sort);  // Module::types
  void no_entry(const std::string& name);

  std::vector<onf::Problem>& problems_;
  bool failed_ = false;
  std::size_t attempt_ = 0;  // what had been reported before the innermost attempt
  std::size_t depth_ = 0;    // levels around what is being lowered
  std::unordered_set<SymbolId> device_;
  std::unordered_map<SymbolId, onf::FunctionId> functions_;
  std::vector<SymbolId> lowering_;  // each called by the one before
  std::vector<const Callable*> entries_, used_parameters_;
  std::set<term::SortId> provided_;  // in Module::types
  std::unordered_map<SymbolId, onf::ParameterId> parameters_;
  std::map<const term::ExternalBlock*, onf::ExternalId> externals_;
  std::map<SymbolId, std::optional<onf::Primitive>> primitives_;
};

// Lowers the body of `callable` into the function `id` of the context's module.
void lower_body(Context& context, const Callable& callable, onf::FunctionId id);

}  // namespace rhopsi::lower
