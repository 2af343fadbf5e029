#include "engine/rewrite/strategy.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace rhopsi::rewrite {

namespace {

using Kind = Strategy::Kind;
using Leading = StrategyForm::Leading;

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

constexpr std::array<StrategyForm, 22> forms{{
    {"id", Kind::id},
    {"fail", Kind::fail},
    {"rules", Kind::rules},
    {"rule", Kind::rule, Leading::name},
    {"reversed", Kind::reversed, Leading::name},
    {"seq", Kind::seq, Leading::nothing, false, 1, any_number},
    {"choice", Kind::choice, Leading::nothing, false, 1, any_number},
    {"try", Kind::try_, Leading::nothing, false, 1, 1},
    {"repeat", Kind::repeat, Leading::nothing, false, 1, 1},
    {"all", Kind::all, Leading::nothing, false, 1, 1},
    {"one", Kind::one, Leading::nothing, false, 1, 1},
    {"child", Kind::child, Leading::number, false, 1, 1},
    {"topdown", Kind::topdown, Leading::nothing, true, 1, 1},
    {"bottomup", Kind::bottomup, Leading::nothing, true, 1, 1},
    {"innermost", Kind::innermost, Leading::nothing, true, 1, 1},
    {"outermost", Kind::outermost, Leading::nothing, true, 1, 1},
    {"once", Kind::once, Leading::nothing, true, 1, 1},
    {"nth", Kind::nth, Leading::number, false, 1, 1},
    {"passes", Kind::passes, Leading::number, true, 0, 0},
    {"callable", Kind::callable, Leading::name, false, 1, 1},
    {"statement", Kind::statement, Leading::number, false, 1, 1},
    {"definition", Kind::definition, Leading::name, false, 1, 1},
}};

void write(const Strategy& strategy, std::string& out) {
  const StrategyForm& form = form_of(strategy.kind);
  out += form.word;
  const bool short_traversal =
      form.optional && strategy.parts.size() == 1 && strategy.parts[0].kind == Kind::rules;
  const bool bare = strategy.parts.empty() && form.leading == Leading::nothing;
  const bool all_passes = strategy.kind == Kind::passes && strategy.number == 0;
  if (short_traversal || bare || all_passes) return;
  out += '(';
  if (form.leading == Leading::number) out += std::to_string(strategy.number);
  if (form.leading == Leading::name) out += strategy.name;
  for (std::size_t i = 0; i < strategy.parts.size(); ++i) {
    if (i > 0 || form.leading != Leading::nothing) out += ", ";
    write(strategy.parts[i], out);
  }
  out += ')';
}

}  // namespace

std::span<const StrategyForm> strategy_forms() { return forms; }

const StrategyForm& form_of(Kind kind) {
  return *std::ranges::find(forms, kind, &StrategyForm::kind);
}

const StrategyForm* find_strategy_form(std::string_view word) {
  const auto found = std::ranges::find(forms, word, &StrategyForm::word);
  return found == forms.end() ? nullptr : &*found;
}

std::string to_string(const Strategy& strategy) {
  std::string out;
  write(strategy, out);
  return out;
}

}  // namespace rhopsi::rewrite
