// Choices that are the same for all elements of a row: there is a loop for either side, in which
// nothing is chosen.
//
//   v_to[j] = c0 ? f(j) : g(j)
//     =>  rhopsi::on_side(c0, [&](const auto c0) { for (...) v_to[j] = c0 ? f(j) : g(j); });
#include <algorithm>
#include <cctype>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/weight.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

namespace {

bool is_name(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](const unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
}

// Choices that are made for every element; not those on one side of another one.
template <class Visit>
void each_certain_choice(const Expr& e, const Visit& visit) {
  if (e.kind == Expr::Kind::if_) visit(e);
  const std::size_t certain = onf::is_lazy(e) ? 1 : e.operands.size();
  for (std::size_t k = 0; k < certain; ++k) each_certain_choice(e.operands[k], visit);
}

// What counts less is computed on both sides sooner than a loop of its own is begun.
bool is_worth_a_loop(const Expr& choice) {
  return onf::weight_of_all(choice.operands[1]) + onf::weight_of_all(choice.operands[2]) >
         onf::most_unasked;
}

}  // namespace

// The names of conditions of the nest's element that are known in front of its rows, two at most:
// each doubles the loops.
std::vector<std::string> FunctionWriter::sides_of(const onf::Nest& s) {
  constexpr std::size_t most = 2;
  std::vector<std::string> sides;
  onf::each_of(s, [&](const Expr& whole) {
    each_certain_choice(whole, [&](const Expr& choice) {
      const bool number = choice.type.scalar != onf::Scalar::boolean;
      if (sides.size() == most || !number || !invariant(choice.operands[0]) ||
          !is_worth_a_loop(choice)) {
        return;
      }
      const std::string name = expression(choice.operands[0]);
      if (is_name(name) && std::ranges::count(sides, name) == 0) sides.push_back(name);
    });
  });
  return sides;
}

void FunctionWriter::on_sides(const std::vector<std::string>& sides,
                              const std::function<void()>& write) {
  for (const std::string& side : sides) {
    out_->open("rhopsi::on_side(" + side + ", [&](const auto " + side + ") RHOPSI_INLINE_BODY {");
  }
  write();
  for (std::size_t k = 0; k < sides.size(); ++k) out_->close("});");
}

}  // namespace rhopsi::kokkos
