#include "engine/schedule/tile_folds.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "engine/onf/scalar_size.hpp"
#include "engine/onf/tile.hpp"
#include "engine/schedule/lane_blocks.hpp"
#include "engine/schedule/regroup_folds.hpp"
#include "engine/schedule/separate_folds.hpp"
#include "engine/schedule/split_folds.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Tile;
using onf::TileForm;
using onf::VariableId;

namespace {

// Sums of that many scalars at a time hide how long one sum takes.
constexpr std::int64_t chains = 8;
// Rows that have accumulators beside each other.
constexpr std::int64_t few = 8;

// Calls f(load) for those of the expression.
template <class F>
void each_load(const Expr& e, const F& f) {
  if (e.kind == Expr::Kind::load) f(e);
  for (const Expr& operand : e.operands) each_load(operand, f);
}

class TileChoice {
 public:
  TileChoice(const onf::Module& module, const onf::Function& function, const onf::Nest& nest,
             const TileForm& form, const Machine& machine)
      : module_(module),
        function_(function),
        nest_(nest),
        form_(form),
        machine_(machine),
        lane_(nest.indices.back()),
        term_(form.folds.back().element),
        size_(static_cast<double>(onf::bytes_of(sum_type()))) {}

  std::optional<Tile> choose(std::string& reason) const {
    if (const auto running = onf::running_folds(nest_, form_)) {
      const std::string& along =
          function_.variables[onf::number(nest_.indices[running->axis])].name;
      reason = std::string("each fold is that of the element ") +
               (running->backwards ? "behind" : "before") + " along " + along +
               ", and one step more";
      return Tile{.running = running->axis};
    }
    if (counts_depend_on(lane_)) {
      reason = "along its last axis all folds have one length, but " +
               length_of(module_, function_, form_, {lane_});
      return std::nullopt;
    }
    Tile tile;
    tile.lanes = lanes();
    if (const auto axis = rows_axis()) {
      reason = "what is read for a row serves all lanes, and what is read for a lane all rows";
      tile.axis = axis;
      tile.vectors = std::min<std::int64_t>(2, vectors_of_axis());
      tile.rows = std::min(most_rows(tile.vectors), known_length(*axis, 64));
      tile.packs = counts_are_uniform();
      if (tile.packs) pack(tile);
      return tile;
    }
    const bool neighbours = reads_neighbours();
    if (const auto axis = neighbours ? short_axis() : std::nullopt) {
      reason = "what a row of " + std::to_string(known_length(*axis, few)) +
               " folds is the same for all of them";
      tile.axis = axis;
      tile.rows = known_length(*axis, few);
      tile.vectors = std::min(std::max<std::int64_t>(1, chains / tile.rows), vectors_of_axis());
      return tile;
    }
    if (!neighbours) {
      reason = "folds along rows: several at a time";
      tile.lanes = 1;
      tile.vectors = std::min(chains, known_length(nest_.indices.size() - 1, chains));
      return tile;
    }
    if (form_.folds.size() == 1 && streams()) {
      reason = "the rows that are folded are read one after the other";
      tile.wide = true;
      tile.vectors = std::clamp<std::int64_t>(
          static_cast<std::int64_t>(nearest_cache() / 2 / machine_.vector_bytes), 1, 4096);
      return tile;
    }
    reason = "the folds of neighbours go on in registers";
    tile.vectors = std::min(chains, vectors_of_axis());
    return tile;
  }

 private:
  onf::Scalar sum_type() const {
    return function_.variables[onf::number(form_.folds.back().variable)].type.scalar;
  }
  std::int64_t lanes() const {
    const auto most = static_cast<std::uint64_t>(std::max(1.0, machine_.vector_bytes / size_));
    return static_cast<std::int64_t>(std::min<std::uint64_t>(std::bit_floor(most), 64));
  }
  double nearest_cache() const { return cache(0, 32768); }
  double cache(std::size_t level, double otherwise) const {
    return level < machine_.caches.size() ? machine_.caches[level].bytes : otherwise;
  }

  // Of an axis of the box, where both ends are known and it is shorter than `otherwise`.
  std::int64_t known_length(std::size_t axis, std::int64_t otherwise) const {
    const onf::Interval& interval = (*nest_.box)[axis];
    const bool known =
        interval.low.kind == Expr::Kind::integer && interval.high.kind == Expr::Kind::integer;
    if (!known) return otherwise;
    return std::clamp<std::int64_t>(interval.high.integer - interval.low.integer, 1, otherwise);
  }
  std::int64_t vectors_of_axis() const {
    const std::int64_t elements = known_length(nest_.indices.size() - 1, chains * lanes());
    return (elements + lanes() - 1) / lanes();
  }
  // Registers but for those of a row operand, of the lane operands, and one to spare.
  std::int64_t most_rows(std::int64_t vectors) const {
    const auto registers = static_cast<std::int64_t>(machine_.vector_registers);
    return std::clamp<std::int64_t>((registers - 2 - vectors) / vectors, 1, 64);
  }

  bool counts_depend_on(VariableId index) const {
    return std::ranges::any_of(
        form_.folds, [&](const onf::TileFold& fold) { return onf::depends_on(fold.count, index); });
  }
  bool counts_are_uniform() const {
    const auto varies = [&](VariableId index) { return counts_depend_on(index); };
    return std::ranges::none_of(nest_.indices, varies) &&
           std::ranges::none_of(form_.folds,
                                [&](const onf::TileFold& fold) { return varies(fold.index); });
  }

  // An axis for rows, the innermost one for which something is read for a lane that serves all
  // rows.
  std::optional<std::size_t> rows_axis() const {
    for (std::size_t axis = nest_.indices.size() - 1; axis-- > 0;) {
      const VariableId row = nest_.indices[axis];
      if (counts_depend_on(row) || known_length(axis, 2) < 2) continue;
      const onf::TileOperands found = onf::operands_of(form_, row, lane_);
      if (!found.lanes.empty() && !found.rows.empty()) return axis;
    }
    return std::nullopt;
  }

  // An axis of a few elements, of which an inner fold is the same for all.
  std::optional<std::size_t> short_axis() const {
    for (std::size_t axis = nest_.indices.size() - 1; axis-- > 0;) {
      const VariableId row = nest_.indices[axis];
      const std::int64_t length = known_length(axis, few + 1);
      if (length < 2 || length > few || counts_depend_on(row)) continue;
      for (std::size_t place = 1; place < form_.folds.size(); ++place) {
        if (onf::is_of_all_rows(form_, place, row)) return axis;
      }
    }
    return std::nullopt;
  }

  // Are the lanes' operands neighbours in memory, so that they make a vector?
  bool reads_neighbours() const {
    bool all = true, any = false;
    each_load(term_, [&](const Expr& load) {
      if (!onf::depends_on(load, lane_)) return;
      any = true;
      all = all && onf::is_next_to(load, lane_);
    });
    return all && any;
  }

  // Is each element that it reads read for one element of the nest alone?
  bool streams() const {
    const VariableId step = form_.folds.back().index;
    bool found = false;
    each_load(term_, [&](const Expr& load) {
      if (!onf::depends_on(load, step) || !onf::depends_on(load, lane_)) return;
      found = found || std::ranges::all_of(load.operands, [&](const Expr& component) {
                return !onf::depends_on(component, step) || !depends_on_nest(component);
              });
    });
    return found;
  }
  bool depends_on_nest(const Expr& e) const {
    return std::ranges::any_of(nest_.indices,
                               [&](VariableId index) { return onf::depends_on(e, index); });
  }

  // A panel of lanes in the nearest cache, those of rows in half of the second one, and all panels
  // of lanes in a share of the last one.
  void pack(Tile& tile) const {
    const double width = static_cast<double>(tile.lanes * tile.vectors) * size_;
    const onf::Scalar stored =
        function_.blocks[onf::number(function_.views[onf::number(nest_.target)].block)].element;
    const bool itself = form_.element.kind == Expr::Kind::variable &&
                        form_.element.variable == form_.folds[0].variable &&
                        form_.element.type.scalar == stored;
    if (form_.folds.size() == 1 && itself) {
      const double steps = nearest_cache() * 2 / 3 / width;
      tile.fold_block = std::max<std::int64_t>(32, static_cast<std::int64_t>(steps) / 16 * 16);
    }
    tile.row_elements = static_cast<std::int64_t>(cache(1, 262144) / 2 / size_);
    const double last = machine_.caches.empty() ? 1048576 : machine_.caches.back().bytes;
    const double threads = machine_.caches.empty() ? 1 : machine_.caches.back().threads;
    tile.lane_elements = static_cast<std::int64_t>(std::min(last / 2 / threads, 1.6e7) / size_);
  }

  const onf::Module& module_;
  const onf::Function& function_;
  const onf::Nest& nest_;
  const TileForm& form_;
  const Machine& machine_;
  VariableId lane_;
  const Expr& term_;
  double size_;
};

bool holds_fold(const onf::Nest& nest) {
  return std::ranges::any_of(nest.body, [](const onf::Statement& statement) {
    return std::holds_alternative<onf::Fold>(statement.form);
  });
}

// Walks a function of the host, whose statements outside of nests run on one thread.
class FoldTiles {
 public:
  FoldTiles(const onf::Module& module, const onf::Function& function, const Machine& machine,
            std::vector<Tiled>& found)
      : module_(module), function_(function), machine_(machine), found_(found) {}

  void walk(onf::Statements& body) {
    for (onf::Statement& statement : body) {
      std::visit([&](auto& form) { visit(form); }, statement.form);
    }
  }

 private:
  void visit(onf::Nest& nest) {
    if (!nest.box || nest.indices.empty() || !holds_fold(nest)) return;
    Tiled made{function_.name, nest.label, ""};
    std::string why;
    if (const auto form = onf::tile_form(function_, nest, &why)) {
      nest.tile = TileChoice(module_, function_, nest, *form, machine_).choose(made.reason);
      made.taken = nest.tile.has_value();
      if (nest.tile && !nest.tile->running) {
        nest.tile->regrouping =
            regrouping_of(module_, function_, nest, *nest.tile, *form, machine_, made.regrouping);
        made.regrouped = nest.tile->regrouping.has_value();
      }
    } else {
      made.reason = "its element is one fold of indices and arrays alone, but " + why;
    }
    found_.push_back(std::move(made));
  }
  void visit(onf::Fold& fold) {
    Tiled made{function_.name, "fold " + name_of(fold), ""};
    if (const auto lazy = read_lazily(fold)) {
      made.regrouping = "what it reads is computed before it, but " +
                        function_.variables[onf::number(*lazy)].name +
                        " is computed where it is read first";
    } else {
      fold.regrouping = regrouping_of(function_, fold, machine_, made.regrouping);
    }
    made.regrouped = fold.regrouping.has_value();
    found_.push_back(std::move(made));
    if (!fold.regrouping) walk(fold.body);
  }
  // Computed where it is read, which may be in a nest.
  void visit(onf::Lazy& lazy) { lazy_.insert(lazy.variable); }
  void visit(onf::If& choice) {
    walk(choice.then);
    walk(choice.otherwise);
  }
  template <class Form>
  void visit(Form& form) {
    if constexpr (requires { form.before; }) walk(form.before);
    if constexpr (requires { form.body; }) walk(form.body);
  }

  const std::string& name_of(const onf::Fold& fold) const {
    return function_.variables[onf::number(fold.variable)].name;
  }
  std::optional<VariableId> read_lazily(const onf::Fold& fold) const {
    const auto form = onf::fold_form(function_, fold);
    if (!form) return std::nullopt;
    for (const VariableId id : lazy_) {
      const bool reads = std::ranges::any_of(form->folds, [&](const onf::TileFold& each) {
        return onf::depends_on(each.count, id) || onf::depends_on(each.element, id);
      });
      const bool named = std::ranges::any_of(form->names, [&](const onf::TileForm::Name& each) {
        return onf::depends_on(each.value, id);
      });
      if (reads || named) return id;
    }
    return std::nullopt;
  }

  const onf::Module& module_;
  const onf::Function& function_;
  const Machine& machine_;
  std::vector<Tiled>& found_;
  std::set<VariableId> lazy_;
};

}  // namespace

void part_folds(onf::Module& module, const Machine& machine) {
  for (onf::Function& function : module.functions) {
    if (function.device) continue;
    split_folds(function, [&](const onf::Fold& fold) {
      std::string why;
      if (!onf::fold_form(function, fold)) return false;
      const auto regrouping = regrouping_of(function, fold, machine, why);
      return !regrouping || regrouping->reals;
    });
    separate_folds(module, function, [&](const onf::Nest& nest) -> std::optional<Tile> {
      std::string why;
      const auto form = onf::tile_form(function, nest);
      if (!form) return std::nullopt;
      return TileChoice(module, function, nest, *form, machine).choose(why);
    });
  }
}

std::vector<Tiled> tile_folds(onf::Module& module, const Machine& machine) {
  part_folds(module, machine);
  std::vector<Tiled> found;
  for (onf::Function& function : module.functions) {
    if (function.device) continue;
    const std::size_t first = found.size();
    FoldTiles(module, function, machine, found).walk(function.body);
    const std::map<std::string, std::string> blocks = store_in_blocks(function);
    for (std::size_t k = first; k < found.size(); ++k) {
      if (const auto told = blocks.find(found[k].site); told != blocks.end())
        found[k].reason += told->second;
    }
  }
  return found;
}

std::optional<Tile> usual_tile(const onf::Module& module, const onf::Function& function,
                               const onf::Nest& nest) {
  const Machine machine = standard_machine();
  std::string unused;
  const auto form = onf::tile_form(function, nest);
  if (!form) return std::nullopt;
  const auto tile = TileChoice(module, function, nest, *form, machine).choose(unused);
  return tile && !tile->running ? tile : std::nullopt;
}

std::string describe(const std::vector<Tiled>& tiles) {
  std::string text;
  for (const Tiled& one : tiles) {
    const std::string at = " at " + one.site + " in " + one.function + ": ";
    if (!one.reason.empty()) {
      text += std::string(one.taken ? "tile" : "no tile") + at + one.reason + "\n";
    }
    if (!one.regrouping.empty()) {
      text += std::string(one.regrouped ? "blocks" : "no blocks") + at + one.regrouping + "\n";
    }
  }
  return text;
}

}  // namespace rhopsi::schedule
