#include "engine/onf/tile.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "engine/onf/alike.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/infix.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/ravel.hpp"
#include "engine/onf/regrouping.hpp"
#include "engine/onf/weight.hpp"

namespace rhopsi::onf {

namespace {

constexpr std::size_t most_nodes = 400;

bool is_number(const Representation& type) {
  return type.kind == Representation::Kind::scalar && type.scalar != Scalar::boolean;
}

bool combines(ScalarFunction function, bool truths) {
  switch (function) {
    case ScalarFunction::and_:
    case ScalarFunction::or_:
      return truths;
    case ScalarFunction::add:
    case ScalarFunction::subtract:
    case ScalarFunction::multiply:
    case ScalarFunction::minimum:
    case ScalarFunction::maximum:
      return true;
    default:
      return false;
  }
}

// Takes an element apart. What it names is put in the place of the names.
class TileReader {
 public:
  TileReader(const Function& function, std::string* why) : function_(function), why_(why) {}

  std::optional<TileForm> read(const Nest& nest) {
    TileForm made;
    if (!read(nest.body, made)) return std::nullopt;
    made.element = written_out(nest.element);
    if (!fits_) return std::nullopt;
    if (made.folds.empty() || !is_number(made.element.type)) {
      instead(made.folds.empty() ? "it has no fold" : "it is a truth value");
      return std::nullopt;
    }
    return made;
  }

  std::optional<TileForm> read(const Fold& fold) {
    truths_ = true;
    lengths_.emplace(function_, fold);
    TileForm made;
    if (!read(fold, made) || !fits_) return std::nullopt;
    drop_unused_names(made);
    made.element.kind = Expr::Kind::variable;
    made.element.variable = fold.variable;
    made.element.type = function_.variables[number(fold.variable)].type;
    return made;
  }

 private:
  // Why there is no form: the first thing that is found.
  bool instead(const std::string& what) {
    if (why_ != nullptr && why_->empty()) *why_ = what;
    return false;
  }
  const std::string& name(VariableId variable) const {
    return function_.variables[number(variable)].name;
  }

  // The statements around one fold at most, which goes to the end with those that it holds.
  bool read(const Statements& body, TileForm& made) {
    bool found = false, costly = false;
    const bool named = lengths_ && std::ranges::none_of(body, is_fold);
    for (const Statement& statement : body) {
      if (const auto* let = std::get_if<Let>(&statement.form)) {
        if (!let->constant || !let->value) return instead(name(let->variable) + " changes");
        Expr value = written_out(*let->value);
        if (named) {
          made.names.push_back({let->variable, std::move(value)});
        } else {
          values_.insert_or_assign(let->variable, std::move(value));
        }
        costly = costly || is_costly(*let->value);
      } else if (const auto* fold = std::get_if<Fold>(&statement.form)) {
        // What is computed before a fold would be written out within it.
        if (found) return instead("it has several folds beside each other");
        if (costly) return instead("a quotient or root is computed before " + name(fold->variable));
        if (!read(*fold, made)) return false;
        found = true;
      } else if (const auto* check = std::get_if<Check>(&statement.form)) {
        if (!lengths_ || !lengths_->is_certain(check->condition))
          return instead("it may be an error: " + check->message);
      } else {
        return instead("it has a loop or a branch");
      }
      if (!fits_) return false;
    }
    return true;
  }

  bool read(const Fold& fold, TileForm& made) {
    if (!fold.function) return instead("a function of the program folds " + name(fold.variable));
    if (!combines(*fold.function, truths_))
      return instead(called(*fold.function) + " folds " + name(fold.variable));
    if (!is_value(function_.variables[number(fold.variable)].type))
      return instead(name(fold.variable) + " is no number");
    const std::size_t place = made.folds.size();
    made.folds.push_back({fold.index, fold.variable, *fold.function, written_out(fold.count), {}});
    if (!read(fold.body, made)) return false;
    Expr& element = made.folds[place].element;
    element = written_out(fold.element);
    return is_value(element.type) || instead("it folds what are no numbers");
  }
  static bool is_fold(const Statement& statement) {
    return std::holds_alternative<Fold>(statement.form);
  }

  bool is_value(const Representation& type) const {
    return is_number(type) ||
           (truths_ && type.kind == Representation::Kind::scalar && type.scalar == Scalar::boolean);
  }

  Expr written_out(const Expr& e) {
    nodes_ = 0;
    return copy(e);
  }
  Expr copy(const Expr& e) {
    if (++nodes_ > most_nodes || !is_known(e)) {
      instead(nodes_ > most_nodes ? "it has more than " + std::to_string(most_nodes) + " operations"
                                  : "it takes more than numbers, lengths and elements of arrays");
      fits_ = false;
      return {};
    }
    if (e.kind == Expr::Kind::variable) {
      const auto found = values_.find(e.variable);
      return found == values_.end() ? e : copy(Expr(found->second));
    }
    Expr made = e;
    for (Expr& operand : made.operands) {
      operand = copy(operand);
      if (!fits_) return {};
    }
    return made;
  }
  static bool is_known(const Expr& e) {
    switch (e.kind) {
      case Expr::Kind::integer:
      case Expr::Kind::real:
      case Expr::Kind::boolean:
      case Expr::Kind::variable:
      case Expr::Kind::parameter:
      case Expr::Kind::length:
      case Expr::Kind::extent:
      case Expr::Kind::apply:
      case Expr::Kind::if_:
        return e.type.kind == Representation::Kind::scalar;
      case Expr::Kind::load:
        return std::ranges::all_of(e.operands, [](const Expr& component) {
          return component.type.kind == Representation::Kind::scalar;
        });
      default:
        return false;
    }
  }

  const Function& function_;
  std::string* why_;
  bool truths_ = false;
  std::optional<LengthProducts> lengths_;  // of a fold outside of nests
  std::map<VariableId, Expr> values_;
  std::size_t nodes_ = 0;
  bool fits_ = true;
};

bool reads(const Expr& e) {
  return e.kind == Expr::Kind::load || std::ranges::any_of(e.operands, reads);
}

void find_operands(const Expr& e, VariableId row, VariableId lane, TileOperands& found) {
  if (!reads(e) && weight_of_all(e) < of_an_exponential) return;
  const bool by_row = depends_on(e, row), by_lane = depends_on(e, lane);
  if (!by_row && !by_lane) return;
  if (by_row != by_lane && is_number(e.type)) {
    std::vector<Expr>& same = by_row ? found.rows : found.lanes;
    const bool known =
        std::ranges::any_of(same, [&](const Expr& other) { return is_same(e, other); });
    if (!known) same.push_back(e);
    return;
  }
  // An index that is read stays with its array.
  if (is_lazy(e) || e.kind == Expr::Kind::load) return;
  for (const Expr& operand : e.operands) find_operands(operand, row, lane, found);
}

}  // namespace

std::optional<TileForm> tile_form(const Function& function, const Nest& nest, std::string* why) {
  return TileReader(function, why).read(nest);
}

std::optional<TileForm> fold_form(const Function& function, const Fold& fold, std::string* why) {
  return TileReader(function, why).read(fold);
}

bool is_costly(const Expr& e) {
  const bool here = e.kind == Expr::Kind::apply &&
                    (e.function == ScalarFunction::divide || e.function == ScalarFunction::modulo ||
                     (e.function >= ScalarFunction::sqrt && e.function <= ScalarFunction::pow));
  return here || std::ranges::any_of(e.operands, is_costly);
}

bool depends_on(const Expr& e, VariableId variable) {
  if (e.kind == Expr::Kind::variable && e.variable == variable) return true;
  return std::ranges::any_of(e.operands,
                             [&](const Expr& operand) { return depends_on(operand, variable); });
}

bool counts_with(const Expr& e, VariableId variable) {
  if (e.kind == Expr::Kind::variable) return e.variable == variable;
  if (e.kind != Expr::Kind::apply) return false;
  if (e.function == ScalarFunction::plus) return counts_with(e.operands[0], variable);
  if (e.function != ScalarFunction::add && e.function != ScalarFunction::subtract) return false;
  const Expr &left = e.operands[0], &right = e.operands[1];
  if (counts_with(left, variable)) return !depends_on(right, variable);
  return e.function == ScalarFunction::add && counts_with(right, variable) &&
         !depends_on(left, variable);
}

void drop_unused_names(TileForm& form) {
  for (std::size_t k = form.names.size(); k-- > 0;) {
    const VariableId variable = form.names[k].variable;
    const auto at = form.names.begin() + static_cast<std::ptrdiff_t>(k);
    const bool used = depends_on(form.folds.back().element, variable) ||
                      std::any_of(at + 1, form.names.end(), [&](const TileForm::Name& later) {
                        return depends_on(later.value, variable);
                      });
    if (!used) form.names.erase(at);
  }
}

bool is_next_to(const Expr& load, VariableId variable) {
  if (load.kind != Expr::Kind::load || load.operands.empty()) return false;
  for (std::size_t axis = 0; axis + 1 < load.operands.size(); ++axis) {
    if (depends_on(load.operands[axis], variable)) return false;
  }
  return counts_with(load.operands.back(), variable);
}

TileOperands operands_of(const TileForm& form, VariableId row, VariableId lane) {
  TileOperands found;
  find_operands(form.folds.back().element, row, lane, found);
  return found;
}

bool is_of_all_rows(const TileForm& form, std::size_t place, VariableId row) {
  return std::all_of(form.folds.begin() + static_cast<std::ptrdiff_t>(place), form.folds.end(),
                     [row](const TileFold& fold) {
                       return !depends_on(fold.count, row) && !depends_on(fold.element, row);
                     });
}

Expr with_operands(const Expr& e, const std::vector<Expr>& parts,
                   const std::vector<VariableId>& variables) {
  const auto found =
      std::ranges::find_if(parts, [&](const Expr& part) { return is_same(e, part); });
  if (found != parts.end()) {
    Expr named;
    named.kind = Expr::Kind::variable;
    named.type = e.type;
    named.location = e.location;
    named.variable = variables[static_cast<std::size_t>(found - parts.begin())];
    return named;
  }
  Expr made = e;
  // What is not looked for in branches is not replaced there either.
  if (e.kind == Expr::Kind::if_ || e.kind == Expr::Kind::load) return made;
  for (Expr& operand : made.operands) operand = with_operands(operand, parts, variables);
  return made;
}

namespace {

// How much more it is where the variable is one more: 1, 0 or -1, of sums and differences.
std::optional<int> slope_of(const Expr& e, VariableId variable) {
  if (!depends_on(e, variable)) return 0;
  if (e.kind == Expr::Kind::variable) return 1;
  if (e.kind != Expr::Kind::apply) return std::nullopt;
  std::vector<int> parts;
  for (const Expr& operand : e.operands) {
    const auto part = slope_of(operand, variable);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  switch (e.function) {
    case ScalarFunction::plus:
      return parts[0];
    case ScalarFunction::negate:
      return -parts[0];
    case ScalarFunction::add:
      return parts[0] + parts[1];
    case ScalarFunction::subtract:
      return parts[0] - parts[1];
    default:
      return std::nullopt;
  }
}

Expr with_value(Expr e, VariableId variable, const Expr& value) {
  each_part(e, [&](Expr& part) {
    if (part.kind == Expr::Kind::variable && part.variable == variable) part = value;
  });
  return e;
}

}  // namespace

std::optional<RunningFolds> running_folds(const Nest& nest, const TileForm& form) {
  if (!nest.box || form.folds.size() != 1) return std::nullopt;
  const TileFold& fold = form.folds.front();
  for (std::size_t axis = 0; axis < nest.indices.size(); ++axis) {
    const VariableId own = nest.indices[axis];
    const auto slope = slope_of(fold.count, own);
    if (!slope || *slope * *slope != 1 || depends_on(fold.element, own)) continue;
    const bool others = std::ranges::any_of(nest.indices, [&](VariableId index) {
      return index != own && depends_on(fold.count, index);
    });
    if (others) return std::nullopt;
    const Interval& ends = (*nest.box)[axis];
    const Expr first =
        *slope > 0 ? ends.low
                   : applied(ScalarFunction::subtract, Scalar::int64, {ends.high, integer(1)});
    return RunningFolds{axis, *slope < 0, with_value(fold.count, own, first)};
  }
  return std::nullopt;
}

namespace {

std::string wrong_with_running(const Nest& nest, const TileForm& form) {
  const Tile alone{.running = nest.tile->running};
  if (*nest.tile != alone) return "has rows or lanes, and folds that go on from one another";
  const auto running = running_folds(nest, form);
  if (!running || running->axis != nest.tile->running)
    return "has folds that are not those of the elements before and one step more";
  return {};
}

}  // namespace

std::string wrong_with_tile(const Function& function, const Nest& nest) {
  const Tile& tile = *nest.tile;
  const bool powers = std::has_single_bit(static_cast<std::uint64_t>(tile.lanes));
  if (tile.lanes < 1 || tile.lanes > 64 || !powers || tile.vectors < 1 || tile.vectors > 4096 ||
      tile.rows < 1 || tile.rows > 64 || tile.fold_block < 0) {
    return "has no size";
  }
  if (!nest.box || nest.indices.empty() || !nest.also.empty() || nest.padded) {
    return "is of a nest without a box and a last axis";
  }
  if (tile.axis ? *tile.axis + 1 >= nest.indices.size() : tile.rows > 1 || tile.packs) {
    return "has rows of no axis of its own";
  }
  const auto form = tile_form(function, nest);
  if (!form) return "is of elements that are no folds";
  if (tile.running) return wrong_with_running(nest, *form);
  if (tile.wide && (tile.axis || form->folds.size() > 1)) {
    return "keeps in a cache what it has of several rows or folds";
  }
  for (std::size_t k = 0; k < form->folds.size(); ++k) {
    const Expr& count = form->folds[k].count;
    const auto varies = [&](VariableId index) { return depends_on(count, index); };
    if (varies(nest.indices.back()) || (tile.axis && varies(nest.indices[*tile.axis]))) {
      return "has elements whose folds are of different lengths";
    }
    bool differs = std::ranges::any_of(nest.indices, varies);
    for (std::size_t outer = 0; outer < k; ++outer) {
      differs = differs || varies(form->folds[outer].index);
    }
    if (tile.packs && differs) return "has panels for folds of different lengths";
  }
  if (std::string wrong = wrong_with_regrouping(function, nest, *form); !wrong.empty()) {
    return wrong;
  }
  if (tile.fold_block == 0) return {};
  const Scalar stored = function.blocks[number(function.views[number(nest.target)].block)].element;
  const bool itself = form->element.kind == Expr::Kind::variable &&
                      form->element.variable == form->folds[0].variable &&
                      form->element.type.scalar == stored;
  if (!tile.packs || form->folds.size() > 1 || !itself) {
    return "keeps in the target what is not the fold itself";
  }
  return {};
}

}  // namespace rhopsi::onf
