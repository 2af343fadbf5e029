// What the nests of an array read, and at which index, as it is told of steps that are refused.
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
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

// Names that programs do not have, of what is computed on the way.
struct Named {
  Values values;  // what is short enough to be told stands for its name
  std::set<VariableId> others;

  void add(const onf::Function& function, const onf::Let& let) {
    const onf::Variable& variable = function.variables[onf::number(let.variable)];
    if (variable.location != term::LocationId{}) return;
    if (let.constant && let.value) {
      Expr value = with(*let.value, values);
      std::size_t size = 0;
      onf::each_part(std::as_const(value), [&](const Expr&) { ++size; });
      if (size <= most_written_out) {
        values.insert_or_assign(let.variable, std::move(value));
        return;
      }
    }
    others.insert(let.variable);
  }
  bool in(const Expr& e) const {
    bool found = false;
    onf::each_part(e, [&](const Expr& part) {
      found = found || (part.kind == Expr::Kind::variable && others.contains(part.variable));
    });
    return found;
  }
};

// Of all statements, in order.
Named names_of(const onf::Function& function, const onf::Statements& body) {
  Named named;
  const auto form = [&](const auto& s) {
    if constexpr (std::is_same_v<std::decay_t<decltype(s)>, onf::Let>) named.add(function, s);
  };
  onf::each_in(body, form, [](const Expr&) {});
  return named;
}

// Calls `visit` with every part, and whether it is certainly evaluated where the whole is.
void each_part_of(const Expr& e, bool certain,
                  const std::function<void(const Expr&, bool)>& visit) {
  visit(e, certain);
  for (std::size_t k = 0; k < e.operands.size(); ++k) {
    each_part_of(e.operands[k], certain && (k == 0 || !onf::is_lazy(e)), visit);
  }
}

// The reads of one nest. An access is told with what was named on the way written out, and, where
// it is certain, for the first element of the nest's box. An index that is too long is "...".
class NestReads {
 public:
  // `outside`: what is named in the function, once it was asked for.
  NestReads(const onf::Module& module, const onf::Function& function, const Nest& nest,
            std::optional<Named>& outside, OwnReads& reads)
      : module_(module), function_(function), nest_(nest), outside_(outside), reads_(reads) {}

  void find() {
    for (const onf::Statement& statement : nest_.body) {
      const bool certain = std::holds_alternative<onf::Let>(statement.form);
      const std::span one(&statement, 1);
      onf::each_in(
          one, [](const auto&) {}, [&](const Expr& whole) { note(whole, certain); });
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

  OwnRead told(const Expr& e, bool certain) {
    OwnRead read{true};
    const Expr access = written_out(e);
    read.access = e.kind == Expr::Kind::view ? text(e) + " as a whole" : text(access);
    read.element = element(nest_.indices, nullptr);
    read.needed = text(access);
    Values first;
    if (!certain || e.kind == Expr::Kind::view || has_names(access) || !at_first_element(first))
      return read;
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

  Expr written_out(const Expr& e) {
    if (!inside_) inside_ = names_of(function_, nest_.body);
    Expr made = with(e, inside_->values);
    bool more = false;
    onf::each_part(std::as_const(made), [&](const Expr& part) {
      more = more || (part.kind == Expr::Kind::variable &&
                      std::ranges::count(nest_.indices, part.variable) == 0);
    });
    if (!more) return made;
    if (!outside_) outside_ = names_of(function_, function_.body);
    return with(made, outside_->values);
  }
  bool has_names(const Expr& e) const {
    return (inside_ && inside_->in(e)) || (outside_ && outside_->in(e));
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
  std::string text(const Expr& e) const {
    if (e.kind != Expr::Kind::load || !has_names(e)) return onf::infix(module_, function_, e);
    std::string components;
    for (const Expr& component : e.operands) {
      components += components.empty() ? "" : ", ";
      components += has_names(component) ? "..." : onf::infix(module_, function_, component);
    }
    return function_.views[onf::number(e.view)].name + "[" + components + "]";
  }

  const onf::Module& module_;
  const onf::Function& function_;
  const Nest& nest_;
  std::optional<Named>& outside_;
  OwnReads& reads_;
  std::optional<Named> inside_;  // where something is told
};

}  // namespace

std::vector<OwnReads> reads_of(const onf::Module& module, const onf::Function& function,
                               const onf::Statements& list, const std::vector<OwnSweep>& sweeps) {
  std::vector<OwnReads> reads(sweeps.size());
  std::optional<Named> outside;
  for (std::size_t k = 0; k < sweeps.size(); ++k) {
    for (const std::size_t at : sweeps[k].nests) {
      NestReads(module, function, nest_at(list, at), outside, reads[k]).find();
    }
  }
  return reads;
}

std::string OwnWork::text(const Expr& e) const {
  return onf::infix(module, function, with(e, names_of(function, function.body).values));
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
