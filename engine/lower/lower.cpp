#include "engine/lower/lower.hpp"

#include <algorithm>
#include <utility>

#include "engine/lower/context.hpp"
#include "engine/lower/shaped.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/index_width.hpp"
#include "engine/onf/over_domain.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/stacks.hpp"
#include "engine/onf/verify.hpp"
#include "engine/onf/weight.hpp"

namespace rhopsi::lower {

namespace {

bool takes_index(const Context& context, const Callable& callable) {
  for (term::SortId sort : context.store[callable.symbol].parameters) {
    const auto type = onf::representation_of(context.store, context.program, sort, context.table);
    if (type && type->kind == Representation::Kind::index) return true;
  }
  return false;
}

// Everything with a body; but a scalar function of an index that makes arrays on its way
// exists only as the element of a schedule, where it is inlined.
void lower_all(Context& context) {
  for (const Callable& callable : context.program.callables) {
    if (!callable.body || context.failed()) continue;
    const auto result =
        context.store[callable.symbol].kind == SymbolKind::procedure
            ? std::nullopt
            : onf::representation_of(context.store, context.program,
                                     context.store[callable.symbol].result, context.table);
    const bool makes_scalar = result && result->kind != Representation::Kind::array;
    const bool only_element =
        !context.device(callable.symbol) && makes_scalar && takes_index(context, callable);
    if (!only_element) context.function(callable.symbol);
  }
}

void lower_entries(Context& context) {
  for (const Callable* callable : context.entries()) {
    if (!context.failed()) context.function(callable->symbol);
  }
}

// Before it is verified.
std::optional<onf::Module> lowered(Context& context) {
  const bool own_shapes = onf::has_own_shapes(context.store, context.program, context.table);
  context.module.name = context.program.name;
  context.module.rank = own_shapes ? 0 : context.options.rank;
  if (!own_shapes) context.find_pad();
  if (!own_shapes) context.classify();
  context.find_types();
  context.find_entries();
  context.find_parameters();
  if (own_shapes) {
    lower_shaped(context);
  } else if (context.options.entries.empty()) {
    lower_all(context);
  } else {
    lower_entries(context);
  }
  if (context.failed()) return std::nullopt;
  return std::move(context.module);
}

std::optional<onf::Module> verified(onf::Module module, std::vector<onf::Problem>& problems) {
  bool sound = true;
  for (onf::Problem& problem : onf::verify(module)) {
    if (!problem.error) continue;
    sound = false;
    problems.push_back(std::move(problem));
  }
  if (!sound) return std::nullopt;
  return module;
}

}  // namespace

std::optional<onf::Module> lower(term::Store& store, const term::Program& program,
                                 const onf::PrimitiveTable& table, const Options& options,
                                 std::vector<onf::Problem>& problems) {
  Context context(store, program, table, options, problems);
  auto module = lowered(context);
  if (!module) return std::nullopt;
  if (onf::has_own_shapes(store, program, table)) {
    for (onf::Function& function : module->functions) onf::choose_index_widths(*module, function);
  }
  return verified(std::move(*module), problems);
}

namespace {

// Of an element of all nests, what is computed, loaded, stored and read back.
double weight_of(const onf::Module& module) {
  constexpr double of_storing = 4;
  double weight = 0;
  for (const onf::Function& function : module.functions) {
    const auto form = [&](const auto& statement) {
      if constexpr (std::is_same_v<std::decay_t<decltype(statement)>, onf::Nest>)
        weight += onf::weight_in_row(statement) + of_storing;
    };
    onf::each_in(function.body, form, [](const Expr&) {});
  }
  return weight;
}

// What Context counts.
struct Counted {
  int parts = 0;
  int loops = 0;
  bool stacks = false;  // are there arrays with an axis more than the domain?
};

// Does the program say how long the axis of its stacks is that is taken apart? What runs have for
// it by chance is no number of fields.
bool states_stacks(term::Store& store, const term::Program& program,
                   const onf::PrimitiveTable& table, Options options,
                   const std::vector<std::int64_t>& domain) {
  const std::size_t axis = *options.stacked;
  std::map<std::string, std::vector<std::int64_t>> stacks;
  for (const auto& [name, lengths] : options.others) {
    if (onf::is_stack_over(lengths, axis, domain)) stacks.emplace(name, lengths);
  }
  options.stacked.reset();
  for (const auto& [name, lengths] : stacks) options.others.erase(name);
  std::vector<onf::Problem> problems;
  Context context(store, program, table, options, problems);
  const auto module = lowered(context);
  return module && onf::states_lengths(*module, axis, stacks);
}

bool has_stacks(const onf::Module& module, std::size_t rank) {
  return std::ranges::any_of(module.functions, [&](const onf::Function& function) {
    return std::ranges::any_of(function.blocks, [&](const onf::Block& block) {
      return block.extents && block.extents->size() == rank + 1;
    });
  });
}

tl::expected<onf::Module, std::string> over_domain(term::Store& store, const term::Program& program,
                                                   const onf::PrimitiveTable& table,
                                                   const Options& options,
                                                   const std::vector<std::int64_t>& shape,
                                                   Counted& counted) {
  std::vector<onf::Problem> problems;
  Context context(store, program, table, options, problems);
  auto module = lowered(context);
  counted = {context.stored_parts, context.short_loops,
             module && has_stacks(*module, shape.size())};
  const auto kept = [&store](const std::string& why, term::LocationId location) {
    const std::string place = onf::place(store, location);
    return tl::unexpected(why + (place.empty() ? "" : " (" + place + ")"));
  };
  if (!module) {
    const auto error = std::ranges::find_if(problems, &onf::Problem::error);
    return error == problems.end() ? tl::unexpected(std::string())
                                   : kept(error->message, error->location);
  }
  std::optional<onf::DomainObstacle> obstacle;
  if (options.stacked)
    obstacle = onf::take_stacks_apart(*module, *options.stacked, shape, options.others);
  if (!obstacle) obstacle = onf::put_over_domain(*module, shape, options.others, options.less);
  if (obstacle) {
    const onf::Function& function = module->functions[onf::number(obstacle->function)];
    return kept(function.name + " " + obstacle->what, obstacle->location);
  }
  auto sound = verified(std::move(*module), problems);
  if (!sound) return kept(problems.back().message, problems.back().location);
  return std::move(*sound);
}

// With or without stored parts, whatever takes less.
tl::expected<onf::Module, std::string> lighter_over_domain(
    term::Store& store, const term::Program& program, const onf::PrimitiveTable& table,
    Options options, const std::vector<std::int64_t>& shape, Counted& counted) {
  // Without them elements grow with the product of what reads one another: of more than a few it
  // is not tried.
  constexpr int few = 3;
  options.one_shape = options.stores_parts = true;
  options.domain = shape;
  auto module = over_domain(store, program, table, options, shape, counted);
  if (counted.parts == 0 || (module && counted.parts > few)) return module;
  options.stores_parts = false;
  Counted unused;
  auto without = over_domain(store, program, table, options, shape, unused);
  const bool better = !module || (without && weight_of(*without) <= weight_of(*module));
  return better ? std::move(without) : std::move(module);
}

// Arguments of the entries that only come in, and have or may have the lengths of the domain, as
// others: they need not be read like arrays over it. All but the first array, where none is
// written. Nothing: there are none.
std::optional<Options> all_others(const term::Store& store, const term::Program& program,
                                  const Options& options, const std::vector<std::int64_t>& shape) {
  Options made = options;
  for (const Callable& callable : program.callables) {
    const term::Symbol& symbol = store[callable.symbol];
    if (std::ranges::find(options.entries, symbol.name) == options.entries.end()) continue;
    bool first =
        std::ranges::none_of(symbol.modes, [](term::Mode mode) { return mode == term::Mode::upd; });
    for (std::size_t k = 0; k < callable.parameters.size(); ++k) {
      const std::string& name = store[callable.parameters[k]].name;
      const auto rank = options.ranks.find(name);
      if (symbol.modes[k] != term::Mode::obs || rank == options.ranks.end()) continue;
      if (rank->second != shape.size() || made.others.contains(name)) continue;
      if (std::exchange(first, false)) continue;
      std::vector<std::int64_t> lengths = shape;
      if (const auto less = made.less.find(name); less != made.less.end()) {
        for (std::size_t axis = 0; axis < shape.size(); ++axis) lengths[axis] -= less->second[axis];
        made.less.erase(less);
      }
      made.others[name] = std::move(lengths);
    }
  }
  if (made.others.size() == options.others.size()) return std::nullopt;
  return made;
}

// With arguments as they are, and then as windows; and then with short loops written out.
tl::expected<onf::Module, std::string> lower_with_all(
    term::Store& store, const term::Program& program, const onf::PrimitiveTable& table,
    const Options& options, const std::vector<std::int64_t>& shape, Counted& counted) {
  const auto others = all_others(store, program, options, shape);
  const auto tried = [&](bool writes_out_loops) {
    Options with = options;
    with.writes_out_loops = writes_out_loops;
    auto module = lighter_over_domain(store, program, table, with, shape, counted);
    if (module || !others) return module;
    with = *others;
    with.writes_out_loops = writes_out_loops;
    Counted unused;
    auto with_others = lighter_over_domain(store, program, table, with, shape, unused);
    return with_others ? std::move(with_others) : std::move(module);
  };
  auto module = tried(false);
  if (module || counted.loops == 0) return module;
  auto written_out = tried(true);
  return written_out ? std::move(written_out) : std::move(module);
}

}  // namespace

tl::expected<onf::Module, std::string> lower_over_domain(term::Store& store,
                                                         const term::Program& program,
                                                         const onf::PrimitiveTable& table,
                                                         const Options& options,
                                                         const std::vector<std::int64_t>& shape) {
  if (options.stacked && !states_stacks(store, program, table, options, shape))
    return tl::unexpected(std::string());
  Counted counted;
  auto module = lower_with_all(store, program, table, options, shape, counted);
  if (module || options.stacked || !counted.stacks) return module;
  for (const std::size_t axis : {std::size_t{0}, shape.size()}) {
    Options with = options;
    with.stacked = axis;
    Counted unused;
    auto apart = lower_with_all(store, program, table, with, shape, unused);
    if (apart) return apart;
  }
  return module;
}

bool is_violation(const onf::Problem& problem) {
  const auto codes = {"E0608", "E0609", "E0611", "E0612", "E0614"};
  return std::ranges::find(codes, problem.code) != codes.end();
}

}  // namespace rhopsi::lower
