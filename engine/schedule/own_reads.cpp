// What the nests of an array read, and at which index, as it is told of steps that are refused.
#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/infix.hpp"
#include "engine/schedule/own_sweeps.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Nest;
using onf::ScalarFunction;
using onf::VariableId;

namespace {

// What is written in the place of variables.
using Values = std::map<VariableId, Expr>;

bool is_integer(const Expr& e, std::int64_t value) {
  return e.kind == Expr::Kind::integer && e.integer == value;
}

Expr integer_like(const Expr& e, std::int64_t value) {
  Expr made;
  made.kind = Expr::Kind::integer;
  made.type = e.type;
  made.integer = value;
  return made;
}

// Of sums and differences that have become simpler.
Expr folded(Expr e) {
  if (e.kind != Expr::Kind::apply || e.operands.size() != 2) return e;
  const bool adds = e.function == ScalarFunction::add;
  if (!adds && e.function != ScalarFunction::subtract) return e;
  const Expr &left = e.operands[0], &right = e.operands[1];
  if (is_integer(right, 0)) return Expr(left);
  if (adds && is_integer(left, 0)) return Expr(right);
  std::int64_t value = 0;
  const bool known = left.kind == Expr::Kind::integer && right.kind == Expr::Kind::integer &&
                     !(adds ? __builtin_add_overflow(left.integer, right.integer, &value)
                            : __builtin_sub_overflow(left.integer, right.integer, &value));
  return known ? integer_like(e, value) : e;
}

Expr with(const Expr& e, const Values& values) {
  if (e.kind == Expr::Kind::variable) {
    const auto found = values.find(e.variable);
    return found == values.end() ? e : found->second;
  }
  Expr made = e;
  for (Expr& operand : made.operands) operand = with(operand, values);
  return folded(std::move(made));
}

constexpr std::size_t most_written_out = 20;  // operations

// What is short enough to be told stands for its name from here on.
void name_value(const onf::Let& let, Values& named) {
  if (!let.constant || !let.value) return;
  Expr value = with(*let.value, named);
  std::size_t size = 0;
  onf::each_part(std::as_const(value), [&](const Expr&) { ++size; });
  if (size <= most_written_out) named.insert_or_assign(let.variable, std::move(value));
}

// Calls `visit` with every part, and whether it is certainly evaluated where the whole is.
void each_part_of(const Expr& e, bool certain,
                  const std::function<void(const Expr&, bool)>& visit) {
  visit(e, certain);
  const bool lazy = e.kind == Expr::Kind::if_ ||
                    (e.kind == Expr::Kind::apply &&
                     (e.function == ScalarFunction::and_ || e.function == ScalarFunction::or_ ||
                      e.function == ScalarFunction::implies));
  for (std::size_t k = 0; k < e.operands.size(); ++k) {
    each_part_of(e.operands[k], certain && (k == 0 || !lazy), visit);
  }
}

// The reads of one nest. An access is told with what was named on the way written out, and, where
// it is certain, for the first element of the nest's box.
class NestReads {
 public:
  NestReads(const onf::Module& module, const onf::Function& function, const Nest& nest,
            OwnReads& reads)
      : module_(module), function_(function), nest_(nest), reads_(reads) {}

  void find() {
    for (const onf::Statement& statement : nest_.body) {
      const auto* let = std::get_if<onf::Let>(&statement.form);
      const std::span one(&statement, 1);
      onf::each_in(
          one, [](const auto&) {}, [&](const Expr& whole) { note(whole, let != nullptr); });
      if (let != nullptr) name_value(*let, named_);
    }
    note(nest_.element, true);
    for (const Nest::Output& output : nest_.also) note(output.element, true);
  }

 private:
  void note(const Expr& whole, bool certain) {
    each_part_of(whole, certain, [&](const Expr& e, bool here) {
      if (!names_elements(e)) return;
      OwnRead& read = reads_[e.view];
      if (e.kind == Expr::Kind::load && is_own_index(e, nest_)) return;
      if (read.elsewhere && (read.in_numbers || !here)) return;
      const OwnRead found = told(e, here);
      if (!read.elsewhere || found.in_numbers) read = found;
    });
  }

  OwnRead told(const Expr& e, bool certain) const {
    OwnRead read{true};
    const Expr access = with(e, named_);
    read.access = e.kind == Expr::Kind::view ? text(e) + " as a whole" : text(access);
    read.element = element(nest_.indices, nullptr);
    read.needed = text(access);
    Values first;
    if (!certain || e.kind == Expr::Kind::view || !at_first_element(first)) return read;
    const Expr there = with(access, first);
    const bool itself = std::ranges::equal(there.operands, nest_.indices,
                                           [&](const Expr& component, VariableId index) {
                                             return is_integer(component, first.at(index).integer);
                                           });
    if (itself) return read;
    read.in_numbers = true;
    read.element = element(nest_.indices, &first);
    read.needed = text(there);
    return read;
  }

  // Where the box begins at numbers.
  bool at_first_element(Values& first) const {
    for (std::size_t axis = 0; axis < nest_.indices.size(); ++axis) {
      const Expr& low = (*nest_.box)[axis].low;
      if (low.kind != Expr::Kind::integer) return false;
      first.insert_or_assign(nest_.indices[axis], low);
    }
    return !first.empty();
  }

  std::string element(const std::vector<VariableId>& indices, const Values* values) const {
    std::string made;
    for (const VariableId index : indices) {
      made += (made.empty() ? "[" : ", ") + (values != nullptr
                                                 ? std::to_string(values->at(index).integer)
                                                 : function_.variables[onf::number(index)].name);
    }
    return made.empty() ? "" : made + "]";
  }
  std::string text(const Expr& e) const { return onf::infix(module_, function_, e); }

  const onf::Module& module_;
  const onf::Function& function_;
  const Nest& nest_;
  OwnReads& reads_;
  Values named_;
};

}  // namespace

OwnReads reads_of(const onf::Module& module, const onf::Function& function,
                  const onf::Statements& list, const OwnSweep& sweep) {
  OwnReads reads;
  for (const std::size_t at : sweep.nests) {
    NestReads(module, function, nest_at(list, at), reads).find();
  }
  return reads;
}

std::string OwnWork::text(const Expr& e) const {
  Values named;
  const auto form = [&](const auto& s) {
    if constexpr (std::is_same_v<std::decay_t<decltype(s)>, onf::Let>) name_value(s, named);
  };
  onf::each_in(function.body, form, [](const Expr&) {});
  return onf::infix(module, function, with(e, named));
}

std::optional<OwnCheck> check_of(const onf::Statements& list, const OwnSweep& sweep) {
  std::optional<OwnCheck> found;
  for (const std::size_t at : sweep.nests) {
    for (const onf::Statement& statement : nest_at(list, at).body) {
      const std::span one(&statement, 1);
      const auto form = [&](const auto& s) {
        if constexpr (std::is_same_v<std::decay_t<decltype(s)>, onf::Check>) {
          if (!found) found = OwnCheck{s.message, statement.location};
        }
      };
      onf::each_in(one, form, [](const Expr&) {});
    }
  }
  return found;
}

}  // namespace rhopsi::schedule
