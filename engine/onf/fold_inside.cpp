#include "engine/onf/fold_inside.hpp"

#include <algorithm>
#include <utility>

#include "engine/onf/each_expression.hpp"

namespace rhopsi::onf {

namespace {

// Sums of so few lengths and such numbers are far from what 64 bits do not hold.
constexpr std::size_t most_lengths = 4;
constexpr std::int64_t greatest_number = std::int64_t{1} << 31;
constexpr std::size_t most_operations = 32;  // of a side of a comparison

bool is_small(std::int64_t number) {
  return -greatest_number <= number && number <= greatest_number;
}

struct Sum {
  std::int64_t number = 0;
  std::vector<Expr> lengths = {};
  std::optional<std::size_t> fold = std::nullopt;  // whose index is added, once
};

std::optional<bool> truth_of(const Expr& e) {
  return e.kind == Expr::Kind::boolean ? std::optional(e.integer != 0) : std::nullopt;
}

Expr truth(const Expr& of, bool value) {
  Expr made = of;
  made.kind = Expr::Kind::boolean;
  made.integer = value ? 1 : 0;
  made.operands.clear();
  return made;
}

class InsideReader {
 public:
  InsideReader(const TileForm& form, const LengthProducts& lengths)
      : form_(form), lengths_(lengths), ranges_(form.folds.size()) {}

  std::optional<FoldInside> read() {
    TileForm made = form_;
    for (TileForm::Name& name : made.names) name.value = inside(name.value);
    made.folds.back().element = inside(made.folds.back().element);
    if (!chosen_) return std::nullopt;
    drop_unused_names(made);
    return FoldInside{std::move(ranges_), std::move(made)};
  }

 private:
  std::optional<std::size_t> fold_of(VariableId index) const {
    const auto found = std::ranges::find(form_.folds, index, &TileFold::index);
    if (found == form_.folds.end()) return std::nullopt;
    return static_cast<std::size_t>(found - form_.folds.begin());
  }

  std::optional<Sum> sum(const Expr& e, std::size_t& left) const {
    if (left == 0) return std::nullopt;
    --left;
    switch (e.kind) {
      case Expr::Kind::integer:
        if (!is_small(e.integer)) return std::nullopt;
        return Sum{e.integer};
      case Expr::Kind::length:
      case Expr::Kind::extent:
        return Sum{0, {e}};
      case Expr::Kind::variable: {
        if (const auto fold = fold_of(e.variable)) return Sum{0, {}, fold};
        const auto name = std::ranges::find(form_.names, e.variable, &TileForm::Name::variable);
        if (name != form_.names.end()) return sum(name->value, left);
        const Expr& meant = lengths_.meant(e);
        if (meant.kind == Expr::Kind::variable) return std::nullopt;
        return sum(meant, left);
      }
      case Expr::Kind::apply:
        return sum_of_two(e, left);
      default:
        return std::nullopt;
    }
  }
  std::optional<Sum> sum_of_two(const Expr& e, std::size_t& left) const {
    const bool minus = applies(e, ScalarFunction::subtract);
    if (!minus && !applies(e, ScalarFunction::add)) return std::nullopt;
    auto one = sum(e.operands[0], left);
    const auto other = one ? sum(e.operands[1], left) : std::nullopt;
    if (!other || (one->fold && other->fold)) return std::nullopt;
    if (minus && (other->fold || !other->lengths.empty())) return std::nullopt;
    one->number += minus ? -other->number : other->number;
    one->lengths.insert(one->lengths.end(), other->lengths.begin(), other->lengths.end());
    if (other->fold) one->fold = other->fold;
    const bool fits = is_small(one->number) && one->lengths.size() <= most_lengths;
    return fits ? one : std::nullopt;
  }

  // What a comparison of an index with a place is inside, whose range ends there.
  std::optional<bool> compared(const Expr& e) {
    const bool equal = applies(e, ScalarFunction::less_equal);
    if (!equal && !applies(e, ScalarFunction::less)) return std::nullopt;
    std::size_t left = most_operations;
    const auto low = sum(e.operands[0], left), high = sum(e.operands[1], left);
    if (!low || !high || low->fold.has_value() == high->fold.has_value()) return std::nullopt;
    const bool below = low->fold.has_value();  // so it holds in front of the place
    const Sum &index = below ? *low : *high, &place = below ? *high : *low;
    if (!index.lengths.empty()) return std::nullopt;
    const std::int64_t number = place.number - index.number + (below == equal ? 1 : 0);
    FoldInside::Range& range = ranges_[*index.fold];
    if (place.lengths.empty()) {
      range.from = std::max(range.from, number);
      return !below;
    }
    range.until.push_back(total(place.lengths, number));
    return below;
  }
  static Expr total(const std::vector<Expr>& lengths, std::int64_t number) {
    Expr made = lengths.front();
    const auto add = [&](Expr more) {
      Expr both;
      both.kind = Expr::Kind::apply;
      both.function = ScalarFunction::add;
      both.type = made.type;
      both.location = made.location;
      both.operands = {std::move(made), std::move(more)};
      made = std::move(both);
    };
    for (std::size_t k = 1; k < lengths.size(); ++k) add(lengths[k]);
    if (number == 0) return made;
    Expr last = lengths.front();
    last.kind = Expr::Kind::integer;
    last.integer = number;
    add(std::move(last));
    return made;
  }

  // Choices alone are worth a range; a comparison that is a value stays.
  Expr inside(const Expr& e) {
    Expr made = e;
    if (e.kind == Expr::Kind::if_) {
      const Expr condition = decided(e.operands[0]);
      if (const auto value = truth_of(condition)) {
        chosen_ = true;
        return inside(e.operands[*value ? 1 : 2]);
      }
      made.operands[0] = condition;
      for (std::size_t k = 1; k < e.operands.size(); ++k) made.operands[k] = inside(e.operands[k]);
      return made;
    }
    for (Expr& operand : made.operands) operand = inside(operand);
    return made;
  }
  Expr decided(const Expr& e) {
    if (const auto value = compared(e)) return truth(e, *value);
    const bool all = applies(e, ScalarFunction::and_);
    if (!all && !applies(e, ScalarFunction::or_)) return e;
    Expr made = e;
    for (Expr& operand : made.operands) operand = decided(operand);
    for (std::size_t k = 0; k < 2; ++k) {
      if (const auto value = truth_of(made.operands[k])) {
        return *value == all ? Expr(made.operands[1 - k]) : truth(e, !all);
      }
    }
    return made;
  }

  const TileForm& form_;
  const LengthProducts& lengths_;
  std::vector<FoldInside::Range> ranges_;
  bool chosen_ = false;
};

}  // namespace

std::optional<FoldInside> fold_inside(const TileForm& form, const LengthProducts& lengths) {
  return InsideReader(form, lengths).read();
}

}  // namespace rhopsi::onf
