#include "engine/onf/near_angles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "engine/onf/alike.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/primitive.hpp"
#include "engine/onf/tile.hpp"
#include "engine/onf/weight.hpp"

namespace rhopsi::onf {

namespace {

// One by one, functions of any angles take about so many times as long.
constexpr double most_for_a_test = 4;

Expr is_near(const Expr& angle) {
  Expr bound = angle;
  bound.kind = Expr::Kind::real;
  bound.real = near_angles_below;
  bound.operands.clear();
  return applied(ScalarFunction::less, Scalar::boolean,
                 {applied(ScalarFunction::absolute, angle.type.scalar, {angle}), std::move(bound)});
}

Expr all_of(std::vector<Expr> conditions) {
  if (conditions.empty()) return truth(true);
  Expr all = std::move(conditions.front());
  for (std::size_t k = 1; k < conditions.size(); ++k) {
    all =
        applied(ScalarFunction::and_, Scalar::boolean, {std::move(all), std::move(conditions[k])});
  }
  return all;
}

// How far from 0 a real number is at most, whatever the elements are: infinite where that may be
// any, so not a number is beyond all.
double most_of(const Expr& e) {
  constexpr double any = std::numeric_limits<double>::infinity();
  if (e.kind == Expr::Kind::real) return std::fabs(e.real);
  if (e.kind == Expr::Kind::integer) return std::fabs(static_cast<double>(e.integer));
  if (e.kind == Expr::Kind::if_) return std::max(most_of(e.operands[1]), most_of(e.operands[2]));
  if (e.kind != Expr::Kind::apply || !is_real(e.type.scalar)) return any;
  switch (e.function) {
    case ScalarFunction::sin:
    case ScalarFunction::cos:
      // Of what is not near not even that is known, but then the row is none of these.
    case ScalarFunction::tanh:
      return 1;
    case ScalarFunction::add:
    case ScalarFunction::subtract:
      return most_of(e.operands[0]) + most_of(e.operands[1]);
    case ScalarFunction::multiply: {
      const double a = most_of(e.operands[0]), b = most_of(e.operands[1]);
      return a == any || b == any ? any : a * b;
    }
    case ScalarFunction::negate:
    case ScalarFunction::absolute:
      return most_of(e.operands[0]);
    default:
      return any;
  }
}

void add(Expr condition, std::vector<Expr>& found) {
  if (std::ranges::none_of(found, [&](const Expr& known) { return is_same(known, condition); }))
    found.push_back(std::move(condition));
}

// Looks for angles in a nest, for what varies in it: other sines are computed in front of it.
class Search {
 public:
  explicit Search(const Nest& nest) : local_(declared_in(nest.body)) {
    local_.insert(nest.indices.begin(), nest.indices.end());
  }

  bool varies(const Expr& e) const {
    bool any = false;
    each_part(e, [&](const Expr& part) {
      any = any || names_view(part) ||
            (part.kind == Expr::Kind::variable && local_.contains(part.variable));
    });
    return any;
  }

  bool has_sines(const Nest& nest) const {
    bool any = false;
    each_of(nest, [&](const Expr& whole) {
      each_part(whole, [&](const Expr& e) { any = any || (is_sine(e) && varies(e)); });
    });
    return any;
  }

  void find(const Expr& e, std::vector<Expr>& found) const {
    if (e.kind == Expr::Kind::if_)
      return find_in_branches(e.operands[0], &e.operands[1], &e.operands[2], found);
    if (is_lazy(e)) {
      const Expr* right = &e.operands[1];
      const bool where_not = e.function == ScalarFunction::or_;
      return find_in_branches(e.operands[0], where_not ? nullptr : right,
                              where_not ? right : nullptr, found);
    }
    for (const Expr& operand : e.operands) find(operand, found);
    // Rounding is far from making more of it.
    if (is_sine(e) && varies(e) && most_of(e.operands[0]) > near_angles_below / 2)
      add(is_near(e.operands[0]), found);
  }

 private:
  // What has to hold where the condition does, and where it does not.
  void find_in_branches(const Expr& condition, const Expr* then, const Expr* otherwise,
                        std::vector<Expr>& found) const {
    find(condition, found);
    std::vector<Expr> there, elsewhere;
    if (then != nullptr) find(*then, there);
    if (otherwise != nullptr) find(*otherwise, elsewhere);
    if (there.empty() && elsewhere.empty()) return;
    Expr choice = truth(false);
    choice.kind = Expr::Kind::if_;
    choice.operands = {condition, all_of(std::move(there)), all_of(std::move(elsewhere))};
    add(std::move(choice), found);
  }

  std::set<VariableId> local_;
};

bool is_named(const Statement& statement) {
  const Let* let = std::get_if<Let>(&statement.form);
  return let != nullptr && let->value.has_value();
}

}  // namespace

std::optional<Nest> nearness_test(const Nest& nest) {
  if (!std::ranges::all_of(nest.body, is_named)) return std::nullopt;
  const Search search(nest);
  if (!search.has_sines(nest)) return std::nullopt;
  std::vector<Expr> found;
  each_of(nest, [&](const Expr& whole) { search.find(whole, found); });
  Nest test = nest;
  test.also.clear();
  test.element = all_of(std::move(found));
  test.element.location = nest.element.location;
  double of_nest = 0;
  each_of(nest, [&](const Expr& whole) { of_nest += weight_of_all(whole); });
  if (weight_of_all(test.element) > most_for_a_test * of_nest) return std::nullopt;
  std::vector<Expr> needed{test.element};
  test.body.clear();
  for (std::size_t k = nest.body.size(); k-- > 0;) {
    const Let& let = std::get<Let>(nest.body[k].form);
    if (std::ranges::none_of(needed, [&](const Expr& e) { return depends_on(e, let.variable); }))
      continue;
    needed.push_back(*let.value);
    test.body.insert(test.body.begin(), nest.body[k]);
  }
  return test;
}

}  // namespace rhopsi::onf
