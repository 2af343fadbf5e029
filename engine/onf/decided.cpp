#include "engine/onf/decided.hpp"

namespace rhopsi::onf {

namespace {

std::optional<std::int64_t> applied(const std::vector<std::int64_t>& lengths, const Expr& e) {
  std::vector<std::int64_t> part;
  for (const Expr& operand : e.operands) {
    const auto found = decided_by(lengths, operand);
    // What is added to a length, or is a multiple of it, is far from where integers wrap.
    constexpr std::int64_t most = std::int64_t{1} << 30;
    if (!found || *found > most || *found < -most) return std::nullopt;
    part.push_back(*found);
  }
  switch (e.function) {
    case ScalarFunction::add:
      return part[0] + part[1];
    case ScalarFunction::subtract:
      return part[0] - part[1];
    case ScalarFunction::multiply:
      return part[0] * part[1];
    case ScalarFunction::less:
      return part[0] < part[1];
    case ScalarFunction::less_equal:
      return part[0] <= part[1];
    case ScalarFunction::greater:
      return part[0] > part[1];
    case ScalarFunction::greater_equal:
      return part[0] >= part[1];
    case ScalarFunction::equal:
      return part[0] == part[1];
    case ScalarFunction::not_equal:
      return part[0] != part[1];
    case ScalarFunction::and_:
      return part[0] != 0 && part[1] != 0;
    case ScalarFunction::or_:
      return part[0] != 0 || part[1] != 0;
    case ScalarFunction::not_:
      return part[0] == 0;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::int64_t> decided_by(const std::vector<std::int64_t>& lengths, const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::integer:
    case Expr::Kind::boolean:
      return e.integer;
    case Expr::Kind::extent:
      return lengths[static_cast<std::size_t>(e.axis)];
    case Expr::Kind::apply:
      return applied(lengths, e);
    default:
      return std::nullopt;
  }
}

}  // namespace rhopsi::onf
