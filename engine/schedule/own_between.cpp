// What keeps a sweep from being made where a later one is.
#include <algorithm>
#include <span>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/schedule/own_sweeps.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Nest;
using onf::Statement;
using onf::Statements;
using onf::VariableId;
using onf::ViewId;

namespace {

class Between {
 public:
  // `before`: what the first one reads.
  Between(const OwnWork& work, const OwnSweep& first, const OwnReads& before)
      : work_(work), first_(first), before_(before) {}

  // An element of the first that the box of another nest depends on, in words; empty: none.
  std::string read_by_box(const Nest& nest) const {
    std::string found;
    for (const onf::Interval& interval : *nest.box) {
      for (const Expr* end : {&interval.low, &interval.high}) note_read(*end, found);
    }
    return found.empty() ? found : found + " for a box of " + work_.name(nest.target);
  }

  // What of the statement keeps the first from being made behind it, in words; empty: nothing.
  std::string matters(const Statement& statement, const std::set<VariableId>& variables) const {
    std::string found;
    const auto note = [&](bool does, const std::string& what) {
      if (does && found.empty()) found = what;
    };
    const auto writes = [&](ViewId view) {
      note(before_.contains(view), work_.name(view) + " is written");
    };
    const auto form = [&](const auto& s) {
      using Form = std::decay_t<decltype(s)>;
      if constexpr (std::is_same_v<Form, onf::Share>) {
        note(before_.contains(s.target), work_.name(s.target) + " becomes another array");
        note(contains(first_.targets, s.source),
             work_.name(s.source) + " becomes " + work_.name(s.target));
      } else if constexpr (std::is_same_v<Form, onf::Allocate>) {
        const auto taken = [&](ViewId view) {
          note(before_.contains(view) || contains(first_.targets, view),
               work_.name(s.view) + " takes the block of " + work_.name(view));
        };
        if (s.in_place_of) taken(*s.in_place_of);
      } else if constexpr (std::is_same_v<Form, onf::Assign>) {
        note(variables.contains(s.variable),
             work_.function.variables[onf::number(s.variable)].name + " changes");
      } else if constexpr (std::is_same_v<Form, Nest>) {
        writes(s.target);
        for (const Nest::Output& output : s.also) writes(output.target);
      } else if constexpr (std::is_same_v<Form, onf::Call>) {
        note(true, "another operation is called");
      } else if constexpr (std::is_same_v<Form, onf::Mutate> || std::is_same_v<Form, onf::Whole>) {
        note(true, "an operation of the library is called");
      } else if constexpr (std::is_same_v<Form, onf::Return>) {
        note(true, "it ends");
      }
    };
    const std::span one(&statement, 1);
    onf::each_in(one, form, [&](const Expr& whole) { note_read(whole, found); });
    return found;
  }

 private:
  void note_read(const Expr& whole, std::string& found) const {
    onf::each_part(whole, [&](const Expr& e) {
      if (found.empty() && names_elements(e) && contains(first_.targets, e.view))
        found = work_.text(e) + " is read";
    });
  }

  const OwnWork& work_;
  const OwnSweep& first_;
  const OwnReads& before_;
};

}  // namespace

std::optional<OwnReason> standing_between(const OwnWork& work, const Statements& list,
                                          const OwnSweep& first, const OwnSweep& second,
                                          const OwnReads& before) {
  const Between between(work, first, before);
  std::set<VariableId> variables;
  for (const std::size_t at : first.nests) {
    const std::set<VariableId> more = onf::captured_by(nest_at(list, at)).variables;
    variables.insert(more.begin(), more.end());
  }
  for (std::size_t at = first.nests.front(); at <= second.nests.back(); ++at) {
    if (std::ranges::count(first.nests, at) > 0) continue;
    const std::string what = std::ranges::count(second.nests, at) > 0
                                 ? between.read_by_box(nest_at(list, at))
                                 : between.matters(list[at], variables);
    if (!what.empty()) return OwnReason{what, list[at].location};
  }
  return std::nullopt;
}

}  // namespace rhopsi::schedule
