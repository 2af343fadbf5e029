// Loops along rows that go from vector to vector by themselves (rhopsi_along_row.hpp), so that what
// begins within a vector of memory is shifted into place:
//
//   for (k ...) v_to[k] = u_row[k - 1] + u_row[k + 1];
//     =>  along_row<float>(..., [&](const auto k) { v_to[k] = u_row[k - by<1>] + u_row[k + by<1>];
//     });
//
// It is less to shift where a row is read at several places that lie side by side. What is computed
// there has to be something that vectors have (Lanes): sums, products, quotients, roots, the lesser
// or greater of reals of one type and choices by comparisons of them, and what is the same for all
// elements of a row or chosen by it.
#include <algorithm>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/circular.hpp"
#include "engine/onf/eager.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/scalar_size.hpp"
#include "engine/onf/unrolling.hpp"
#include "engine/onf/weight.hpp"

namespace rhopsi::kokkos {

using onf::Expr;
using onf::Scalar;
using onf::ScalarFunction;

namespace {

// So far along a row what is shifted may be: a vector of doubles has 8 elements, and longer ones of
// other types more.
constexpr std::int64_t most_shifted = 8;

// With so many loads less for an element a loop becomes faster. Of 7 points in three dimensions
// they are two, and nothing is gained; of 9 in the plane six, and a quarter of the time is.
constexpr std::int64_t least_fewer = 3;

using Places = std::set<std::int64_t>;

// What begins within a vector of memory lies in two.
std::int64_t vectors_alone(const Places& along) {
  return 2 * static_cast<std::int64_t>(along.size()) - static_cast<std::int64_t>(along.count(0));
}
// The one at the index, and those before and behind it.
std::int64_t vectors_shifted(const Places& along) {
  return 1 + static_cast<std::int64_t>(*along.begin() < 0) +
         static_cast<std::int64_t>(*along.rbegin() > 0);
}
bool is_less_to_shift(const Places& along) {
  return *along.begin() >= -most_shifted && *along.rbegin() <= most_shifted &&
         vectors_shifted(along) < vectors_alone(along);
}

bool vectors_have(ScalarFunction function) {
  switch (function) {
    case ScalarFunction::add:
    case ScalarFunction::subtract:
    case ScalarFunction::multiply:
    case ScalarFunction::divide:
    case ScalarFunction::negate:
    case ScalarFunction::plus:
    case ScalarFunction::minimum:
    case ScalarFunction::maximum:
    case ScalarFunction::absolute:
    case ScalarFunction::sqrt:
      return true;
    default:
      return false;
  }
}

}  // namespace

// What a loop along rows reads, while it is looked through: by the name of the row, at which places
// along it.
struct FunctionWriter::LaneReads {
  Scalar element;
  onf::VariableId along;  // the index along the row
  std::set<onf::VariableId> named;
  std::map<std::string, Places> rows = {};
};

// Is it the same for all elements of a row, and computed without a choice or a call?
bool FunctionWriter::is_of_row(const Expr& e, const LaneReads& reads) const {
  switch (e.kind) {
    case Expr::Kind::integer:
    case Expr::Kind::real:
    case Expr::Kind::parameter:
    case Expr::Kind::extent:
    case Expr::Kind::length:
      return true;
    case Expr::Kind::variable:
      return e.variable != reads.along && !reads.named.contains(e.variable);
    case Expr::Kind::load:
      return same_along_rows(e.view);
    case Expr::Kind::apply:
      return !onf::is_sine(e) && std::ranges::all_of(e.operands, [&](const Expr& part) {
        return is_of_row(part, reads);
      });
    default:
      return false;
  }
}

// Notes what `e` reads; false where vectors do not have what it does.
bool FunctionWriter::note_lanes(const Expr& e, LaneReads& reads) {
  if (e.type.kind != onf::Representation::Kind::scalar || e.type.scalar != reads.element)
    return false;
  if (is_of_row(e, reads)) return ends_quietly(e);
  const auto note = [&](const Expr& part) { return note_lanes(part, reads); };
  switch (e.kind) {
    case Expr::Kind::variable:
      return reads.named.contains(e.variable);
    case Expr::Kind::load: {
      const std::optional<std::int64_t> along = offset_along(e);
      const std::string row = goes_in_runs() ? line_to_read(e) : row_of(e);
      if (!along || row.empty()) return false;
      reads.rows[row].insert(*along);
      return true;
    }
    case Expr::Kind::if_:
      return note_choice(e, reads);
    case Expr::Kind::apply:
      if (e.function == ScalarFunction::select) return note_element_choice(e, reads);
      return vectors_have(e.function) && std::ranges::all_of(e.operands, note);
    default:
      return false;
  }
}

// Comparisons of what vectors have, and what is made of them without asking for one side alone.
bool FunctionWriter::note_condition(const Expr& e, LaneReads& reads) {
  if (e.kind == Expr::Kind::variable) return reads.named.contains(e.variable);
  if (e.kind != Expr::Kind::apply) return false;
  const auto all = [&](const auto& note) { return std::ranges::all_of(e.operands, note); };
  switch (e.function) {
    case ScalarFunction::less:
    case ScalarFunction::less_equal:
    case ScalarFunction::greater:
    case ScalarFunction::greater_equal:
    case ScalarFunction::equal:
    case ScalarFunction::not_equal:
      return !is_of_row(e, reads) && all([&](const Expr& part) { return note_lanes(part, reads); });
    case ScalarFunction::and_:
    case ScalarFunction::or_:
      return onf::may_compute_both(e) &&
             all([&](const Expr& part) { return note_condition(part, reads); });
    case ScalarFunction::not_:
      return all([&](const Expr& part) { return note_condition(part, reads); });
    default:
      return false;
  }
}

// By the elements, of which vectors compute both sides.
bool FunctionWriter::note_element_choice(const Expr& e, LaneReads& reads) {
  return note_condition(e.operands[0], reads) && note_lanes(e.operands[1], reads) &&
         note_lanes(e.operands[2], reads);
}

// As choice_by_place() writes it.
bool FunctionWriter::note_choice(const Expr& e, LaneReads& reads) {
  const RowChoice choice = row_choice(e);
  switch (choice.kind) {
    case RowChoice::Kind::branch:
      return note_lanes(*choice.branch, reads);
    case RowChoice::Kind::row: {
      const std::optional<std::int64_t> along = offset_along(*choice.load);
      if (along) reads.rows[chosen_row(choice.positions, e)].insert(*along);
      return along.has_value();
    }
    case RowChoice::Kind::blend:
      return !choice.along && note_lanes(e.operands[1], reads) && note_lanes(e.operands[2], reads);
    case RowChoice::Kind::none:
      return note_element_choice(e, reads);
  }
  return false;
}

// How far along its row a load is from the index of the loop; nothing where another index than that
// with a number is there, or one that goes around.
std::optional<std::int64_t> FunctionWriter::offset_along(const Expr& load) const {
  const onf::Nest& nest = *kernel_->by_rows;
  const Expr& last = load.operands.back();
  if (onf::circular_index(nest, last) && !kernel_->between_ends) return std::nullopt;
  return onf::offset_from(nest, last, nest.indices.size() - 1);
}

// What a row of the loop over `s` reads.
bool FunctionWriter::note_row(const onf::Nest& s, LaneReads& reads) {
  const auto names = [&](const onf::Statement& statement) {
    const auto* let = std::get_if<onf::Let>(&statement.form);
    if (let == nullptr || !let->value) return false;
    const bool condition = let->value->type.scalar == Scalar::boolean;
    return condition ? note_condition(*let->value, reads) : note_lanes(*let->value, reads);
  };
  return std::ranges::all_of(s.body, names) && note_lanes(s.element, reads) &&
         std::ranges::all_of(s.also, [&](const onf::Nest::Output& output) {
           return note_lanes(output.element, reads);
         });
}

// Says of each row how the loop reads it, if it is one that goes by vectors itself.
bool FunctionWriter::goes_by_lanes(const onf::Nest& s) {
  if (kernel_->team != nullptr || kernel_->index != "std::int64_t") return false;
  const auto element = [&](onf::ViewId target) {
    return function().blocks[onf::number(function().views[onf::number(target)].block)].element;
  };
  LaneReads reads{element(s.target), s.indices.back(), onf::declared_in(s.body)};
  const std::vector<onf::ViewId> targets = onf::targets_of(s);
  const auto alike = [&](onf::ViewId target) {
    return element(target) == reads.element && !same_along_rows(target);
  };
  if (!onf::is_real(reads.element) || !std::ranges::all_of(targets, alike)) return false;
  bool all = true;
  for (std::int64_t k = 0; all && k < kernel_->at_once; ++k) {
    const onf::Nest own = kernel_->at_once == 1 ? s : onf::moved_by_rows(s, k);
    kernel_->row = k;
    if (kernel_->at_once > 1) kernel_->of_row = &own;
    all = note_row(own, reads);
    kernel_->of_row = nullptr;
  }
  kernel_->row = 0;
  std::int64_t fewer = 0;
  for (const auto& [row, along] : reads.rows) {
    if (is_less_to_shift(along)) fewer += vectors_alone(along) - vectors_shifted(along);
  }
  if (!all || fewer < least_fewer) return false;
  // Beside another loop over the same rows what is shifted in one is so in both.
  for (const auto& [row, along] : reads.rows) {
    std::string& kind = kernel_->row_kinds[row];
    if (kind != "shifted_row") kind = is_less_to_shift(along) ? "shifted_row" : "loaded_row";
  }
  return true;
}

// Where the loop stores: a row that it reads, too, is there for that alone.
std::string FunctionWriter::row_to_store(const std::string& row) {
  if (!kernel_->in_lanes) return row;
  const auto [known, fresh] = kernel_->row_kinds.try_emplace(row, "stored_row");
  return known->second == "stored_row" ? row : "rhopsi::stored_row(rhopsi::plain_row(" + row + "))";
}

// As it is declared in front of the loop.
std::string FunctionWriter::declaration(const Declared& declared, const Kernel& kernel) {
  const auto kind = kernel.row_kinds.find(declared.name);
  const std::string value = kind == kernel.row_kinds.end()
                                ? declared.value
                                : "rhopsi::" + kind->second + "(" + declared.value + ")";
  return "const " + declared.type + " " + declared.name + " = " + value + ";";
}

// "k - rhopsi::by<1>"
std::string FunctionWriter::lanes_along_row(const Expr& load) const {
  const std::string index = name(kernel_->by_rows->indices.back());
  const std::int64_t along = *offset_along(load);
  if (along == 0) return index;
  const std::string by = "rhopsi::by<" + std::to_string(along < 0 ? -along : along) + ">";
  return index + (along < 0 ? " - " : " + ") + by;
}

}  // namespace rhopsi::kokkos
