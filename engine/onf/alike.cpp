#include "engine/onf/alike.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace rhopsi::onf {

namespace {

// Compares what has names of its own: those of the one stand for those of the other.
class Comparison {
 public:
  bool same(const Expr& a, const Expr& b) const {
    return a.kind == b.kind && a.type == b.type && a.integer == b.integer &&
           std::bit_cast<std::uint64_t>(a.real) == std::bit_cast<std::uint64_t>(b.real) &&
           same_variable(a, b) && a.view == b.view && a.parameter == b.parameter &&
           a.callee == b.callee && a.external == b.external && a.function == b.function &&
           a.axis == b.axis && a.wraps == b.wraps && a.spelling == b.spelling &&
           std::ranges::equal(a.operands, b.operands,
                              [&](const Expr& x, const Expr& y) { return same(x, y); });
  }

  bool same(const Fold& a, const Fold& b) {
    if (a.function != b.function || a.callee != b.callee || a.regrouping != b.regrouping ||
        !same(a.count, b.count)) {
      return false;
    }
    names_.insert_or_assign(a.index, b.index);
    if (!same(a.body, b.body) || !same(a.element, b.element)) return false;
    names_.insert_or_assign(a.variable, b.variable);
    return true;
  }

 private:
  bool same_variable(const Expr& a, const Expr& b) const {
    if (a.kind != Expr::Kind::variable) return true;
    const auto found = names_.find(a.variable);
    return (found == names_.end() ? a.variable : found->second) == b.variable;
  }

  bool same(const Statements& a, const Statements& b) {
    return std::ranges::equal(a, b, [&](const Statement& x, const Statement& y) {
      const auto *fold = std::get_if<Fold>(&x.form), *other = std::get_if<Fold>(&y.form);
      if (fold != nullptr && other != nullptr) return same(*fold, *other);
      const auto *let = std::get_if<Let>(&x.form), *second = std::get_if<Let>(&y.form);
      return let != nullptr && second != nullptr && same(*let, *second);
    });
  }
  bool same(const Let& a, const Let& b) {
    if (!a.constant || !b.constant || !a.value || !b.value || !same(*a.value, *b.value)) {
      return false;
    }
    names_.insert_or_assign(a.variable, b.variable);
    return true;
  }

  std::map<VariableId, VariableId> names_;
};

}  // namespace

bool is_same(const Expr& a, const Expr& b) { return Comparison().same(a, b); }

bool is_same(const Fold& a, const Fold& b) { return Comparison().same(a, b); }

}  // namespace rhopsi::onf
