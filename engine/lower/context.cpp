#include "engine/lower/context.hpp"

#include <algorithm>
#include <functional>

#include "engine/lower/reached.hpp"
#include "engine/onf/print.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::lower {

using Kind = Representation::Kind;

void Context::report(std::string code, std::string message, std::string advice, LocationId location,
                     bool error) {
  problems_.push_back({std::move(code), std::move(message), std::move(advice), location, error});
  failed_ = failed_ || error;
}

void Context::forget(std::size_t reported) {
  problems_.resize(reported);
  failed_ = std::any_of(problems_.begin() + static_cast<std::ptrdiff_t>(attempt_), problems_.end(),
                        [](const onf::Problem& problem) { return problem.error; });
}

Context::Level::Level(Context& context, LocationId location) : depth_(context.depth_) {
  constexpr std::size_t deepest_level = 10000;
  fits_ = ++depth_ <= deepest_level;
  if (fits_) return;
  context.report("E0512", "operations are nested too deep here", "name inner parts as variables",
                 location);
}

Representation Context::represent(term::SortId sort, LocationId location) {
  if (auto known = onf::representation_of(store, program, sort, table)) {
    if (known->kind == Kind::opaque) provide(sort);
    return *known;
  }
  report("E0501", "the type " + store.name(sort) + " has no representation in this backend",
         "bind it in an external block of the backend, or in a C++ header of your own", location);
  return {Kind::opaque, onf::Scalar::float64, store.name(sort)};
}

bool Context::is_array(TermId term) {
  const term::SortId sort = store.sort(term);
  if (sort == store.statement_sort()) return false;
  const auto known = onf::representation_of(store, program, sort, table);
  return known && known->kind == Kind::array;
}

std::optional<onf::Primitive> Context::primitive(const Callable& callable) {
  auto [place, fresh] = primitives_.try_emplace(callable.symbol);
  if (fresh) place->second = onf::primitive_of(store, program, callable, table);
  return place->second;
}

std::optional<std::int64_t> Context::constant(TermId term) {
  return onf::constant_value(store, program, term, table);
}

// A scalar result, no array made on the way, nothing that only a host can call.
bool Context::runs_in_kernels(const Callable& callable) {
  const term::Symbol symbol = store[callable.symbol];
  if (symbol.kind == SymbolKind::procedure || !callable.body) return false;
  const auto scalar_like = [&](term::SortId sort) {
    const auto type = onf::representation_of(store, program, sort, table);
    return type && (type->kind == Kind::scalar || type->kind == Kind::index);
  };
  if (!scalar_like(symbol.result)) return false;
  for (term::SortId sort : symbol.parameters) {
    const auto type = onf::representation_of(store, program, sort, table);
    if (!type || type->kind == Kind::opaque) return false;
  }
  bool good = true;
  term::for_each_subterm(store, *callable.body, [&](TermId term) {
    const term::Symbol& head = store.head(term);
    if (head.kind == SymbolKind::procedure) good = false;
    if (head.kind != SymbolKind::variable && is_array(term)) good = false;
    if (store.is(term, Control::declare) && is_array(store.children(term)[0])) good = false;
    if (store.is(term, Control::assert_)) good = false;
    if (head.kind == SymbolKind::function || head.kind == SymbolKind::predicate) {
      const Callable* callee = program.find(store.symbol(term));
      if (callee != nullptr && callee->external && !primitive(*callee)) good = false;
    }
    return good;
  });
  return good;
}

void Context::classify() {
  for (const Callable& callable : program.callables) {
    if (runs_in_kernels(callable)) device_.insert(callable.symbol);
  }
  // A function that calls what is not a device function is none either.
  for (bool changed = true; changed;) {
    changed = false;
    for (const Callable& callable : program.callables) {
      if (!device_.contains(callable.symbol)) continue;
      for (SymbolId used : term::operations_in(store, *callable.body)) {
        const Callable* callee = program.find(used);
        if (callee == nullptr || !callee->body || device_.contains(used)) continue;
        device_.erase(callable.symbol);
        changed = true;
        break;
      }
    }
  }
}

// The width is the value of the required nullary operation of each block that pads.
void Context::find_pad() {
  std::optional<std::int64_t> width;
  std::set<const term::ExternalBlock*> seen;
  for (const Callable& callable : program.callables) {
    if (!callable.external) continue;
    const auto found = primitive(callable);
    if (!found || !(found->padded || found->refills)) continue;
    if (found->kind == onf::Primitive::Kind::index) continue;
    const auto block = callable.external->block;
    if (!seen.insert(block.get()).second) continue;
    for (const auto& operation : block->operations) {
      if (!operation.required || !store[operation.symbol].parameters.empty()) continue;
      const auto value = constant(store.make(operation.symbol));
      if (!value || *value < 0) {
        report("E0505",
               "the pad width " + operation.original + "() is not a constant of at least 0",
               "give it a literal body, such as = 1", block->location);
      } else if (width && *width != *value) {
        report("E0504",
               "pad widths disagree: " + std::to_string(*width) + " and " + std::to_string(*value),
               "every padded external of one program must require the same width", block->location);
      } else {
        width = value;
      }
    }
  }
  module.pad = width.value_or(0);
}

void Context::find_types() {
  for (const term::Type& type : program.types) {
    if (!type.external) continue;
    const auto known = onf::representation_of(store, program, type.sort, table);
    if (known && known->kind == Kind::array) module.element = known->scalar;
    if (known && known->kind == Kind::opaque && options.entries.empty()) provide(type.sort);
  }
}

// A type of a C++ header, after those that its external requires.
void Context::provide(term::SortId sort) {
  if (!provided_.insert(sort).second) return;
  const term::ExternalBinding& binding = *program.find_type(sort)->external;
  const term::ExternalBlock& block = *binding.block;
  const bool needs_operations =
      std::ranges::any_of(block.operations, [](const auto& o) { return o.required; });
  if (needs_operations) {
    report("E0510", "the external " + block.path + " provides types and requires operations",
           "provide the types by an external block of their own", block.location);
    return;
  }
  const onf::ExternalId made = external(block);
  module.types.push_back({store.name(sort), made, binding.original});
}

// From the command line, or from C++.
bool Context::callable_from_outside(const Callable& callable) const {
  const term::Symbol& symbol = store[callable.symbol];
  const auto plain = [&](term::SortId sort) {
    const auto type = onf::representation_of(store, program, sort, table);
    return type && (type->kind == Kind::scalar || type->kind == Kind::array);
  };
  return std::ranges::all_of(symbol.parameters, plain) &&
         (symbol.kind == SymbolKind::procedure || plain(symbol.result));
}

// Names what modules define, and not what axioms do: of a library that may be much.
void Context::no_entry(const std::string& name) {
  std::string known;
  for (const Callable& callable : program.callables) {
    if (!callable.body || callable.by_rule) continue;
    known += (known.empty() ? "" : ", ") + store[callable.symbol].name;
  }
  report("E0503", "the program " + program.name + " has no entry " + name, "it has " + known, {});
}

// Of operations of one name those that can be called from outside, if some can: others, such as the
// element of a schedule, are lowered where they are called.
void Context::find_entries() {
  for (const std::string& name : options.entries) {
    std::vector<const Callable*> found = program.defined(store, name);
    if (found.empty()) no_entry(name);
    const auto plain = [&](const Callable* each) { return callable_from_outside(*each); };
    if (std::ranges::any_of(found, plain)) std::erase_if(found, std::not_fn(plain));
    entries_.insert(entries_.end(), found.begin(), found.end());
  }
}

void Context::find_parameters() {
  std::vector<SymbolId> roots;
  for (const Callable* callable : entries_) roots.push_back(callable->symbol);
  const auto needed = reached(store, program, table, roots);
  for (const Callable& callable : program.callables) {
    if (!options.entries.empty() && !needed.contains(callable.symbol)) continue;
    const auto found = primitive(callable);
    if (!found || found->kind != onf::Primitive::Kind::parameter) continue;
    parameter(callable, represent(store[callable.symbol].result, callable.location).scalar);
    used_parameters_.push_back(&callable);
  }
}

onf::ParameterId Context::parameter(const Callable& callable, onf::Scalar type) {
  auto [place, fresh] = parameters_.try_emplace(callable.symbol);
  if (fresh) {
    place->second = onf::ParameterId{static_cast<std::uint32_t>(module.parameters.size())};
    module.parameters.push_back({store[callable.symbol].name, type, callable.location});
  }
  return place->second;
}

// Nothing bounds the stack of what is compiled, least of all in kernels.
onf::FunctionId Context::function(SymbolId symbol, LocationId location) {
  auto [place, fresh] = functions_.try_emplace(symbol);
  if (!fresh) {
    const auto first = std::ranges::find(lowering_, symbol);
    if (first == lowering_.end()) return place->second;
    std::string through;
    for (auto each = first + 1; each < lowering_.end(); ++each) {
      through += (through.empty() ? ", through " : ", ") + store[*each].name;
    }
    report("E0508", store[symbol].name + " calls itself" + through,
           "write it as a loop; the reference backend runs it as it is", location);
    return place->second;
  }
  const auto id = onf::FunctionId{static_cast<std::uint32_t>(module.functions.size())};
  place->second = id;
  module.functions.emplace_back();
  lowering_.push_back(symbol);
  lower_body(*this, *program.find(symbol), id);
  lowering_.pop_back();
  module.order.push_back(id);
  return id;
}

namespace {

// "a.b.c" => "a/b.hpp" and "c"; "c" alone => "c.hpp" and "c"
void split_path(const std::string& path, onf::External& external) {
  const std::size_t dot = path.find_last_of('.');
  external.name = path.substr(dot == std::string::npos ? 0 : dot + 1);
  external.header = path.substr(0, dot);
  std::ranges::replace(external.header, '.', '/');
  external.header += ".hpp";
}

}  // namespace

onf::ExternalId Context::external(const term::ExternalBlock& block) {
  auto [place, fresh] = externals_.try_emplace(&block);
  if (!fresh) return place->second;
  const auto id = onf::ExternalId{static_cast<std::uint32_t>(module.externals.size())};
  place->second = id;
  onf::External made;
  made.location = block.location;
  split_path(block.path, made);
  module.externals.push_back(made);
  if (block.backend != "C++") {
    report("E0510", "external " + block.backend + " blocks cannot be emitted by this backend",
           "only blocks of this backend and of C++ headers can", block.location);
  }
  for (const auto& type : block.types) {
    if (!type.required) continue;
    made.requirements.push_back({represent(type.sort, block.location), {}, type.original});
  }
  for (const auto& operation : block.operations) {
    if (!operation.required) continue;
    const Callable* callable = program.find(operation.symbol);
    if (callable == nullptr || !callable->body) {
      report("E0502",
             "the operation " + operation.original + " that " + block.path +
                 " requires has no body in this program",
             "give it one that calls what it is bound to", block.location);
      continue;
    }
    made.requirements.push_back({std::nullopt, function(operation.symbol), operation.original});
  }
  module.externals[onf::number(id)] = std::move(made);
  return id;
}

}  // namespace rhopsi::lower
