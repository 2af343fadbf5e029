#include "frontend/driver/widths.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "engine/onf/primitive.hpp"
#include "engine/rewrite/derivation.hpp"
#include "engine/rewrite/widths.hpp"
#include "engine/term/operations.hpp"
#include "frontend/driver/locations.hpp"

namespace rhopsi::driver {
namespace {

using onf::Primitive;
using onf::Representation;
using term::TermId;

class Reasons {
 public:
  Reasons(Session& session, const term::Theory& theory)
      : session_(session), store_(session.store()), theory_(theory) {}

  std::vector<std::string> lines() {
    std::map<term::SymbolId, std::map<std::string, const term::WidthNeed*>> widest;
    for (const auto& derivation : term::derivations_of(theory_)) {
      for (const term::WidthNeed& need : derivation->widths) {
        const term::WidthNeed*& known = widest[need.width][place(need.step.before)];
        if (known == nullptr || known->least < need.least) known = &need;
      }
    }
    std::vector<std::string> lines;
    for (const auto& [width, places] : widest) {
      const std::vector<std::string> refused = refused_for(width);
      lines.push_back(head(width, refused.empty()));
      for (const auto& [where, need] : places) lines.push_back(reason(where, *need));
      lines.insert(lines.end(), refused.begin(), refused.end());
    }
    return lines;
  }

 private:
  // Steps whose conditions speak of the width, and that no width lets fire.
  std::vector<std::string> refused_for(term::SymbolId width) const {
    std::vector<std::string> lines;
    for (const auto& derivation : term::derivations_of(theory_)) {
      for (const term::Step& step : derivation->steps) {
        if (step.applied || !step.condition) continue;
        const auto operations = term::operations_in(store_, *step.condition);
        if (std::ranges::find(operations, width) == operations.end()) continue;
        std::string line = "  none up to " + std::to_string(rewrite::greatest_width) + " lets " +
                           step.rule + " fire for " + about(step.before);
        if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
      }
    }
    return lines;
  }

  // "psi((i + 65) % shape0(), a) at own.mg:7"
  std::string about(TermId redex) const {
    const term::Location& place = store_[store_.location(redex)];
    const std::string text = term::to_string(store_, redex);
    if (place.file.empty()) return text;
    return text + " at " + shown_path(place.file) + ":" + std::to_string(place.line);
  }

  std::string head(term::SymbolId width, bool all) const {
    const std::string name = store_[width].name + "()";
    const term::Callable* callable = theory_.find(width);
    if (callable == nullptr || !callable->body) return name + " is found where a program uses it";
    return name + " = " + term::to_string(store_, *callable->body) +
           (all ? ", the least that lets every rule fire"
                : ", the least that lets every rule fire but those that no width does");
  }

  std::string reason(const std::string& where, const term::WidthNeed& need) const {
    return "  " + where + ": " + std::to_string(need.least) + " for " + about(need.step.before) +
           ", by " + need.step.rule;
  }

  // "a, axis 0": the arrays and the axes that the redex is about.
  std::string place(TermId redex) const {
    std::string arrays;
    std::string axes;
    const auto add = [](std::string& list, const std::string& each) {
      if (list.find(each) == std::string::npos) list += (list.empty() ? "" : " ") + each;
    };
    term::for_each_subterm(store_, redex, [&](TermId each) {
      const auto values =
          onf::representation_of(store_, theory_, store_.sort(each), session_.table());
      const bool array = values && values->kind == Representation::Kind::array;
      if (array && store_.children(each).empty()) add(arrays, store_[store_.symbol(each)].name);
      if (const auto axis = axis_of(each)) add(axes, std::to_string(*axis));
      return true;
    });
    if (arrays.empty()) arrays = "an array";
    return axes.empty() ? arrays : arrays + ", axis " + axes;
  }

  // Of the length of an axis, or of an index operation along one.
  std::optional<std::int64_t> axis_of(TermId term) const {
    const term::Callable* callable = theory_.find(store_.symbol(term));
    if (callable == nullptr) return std::nullopt;
    const auto found = onf::primitive_of(store_, theory_, *callable, session_.table());
    if (!found) return std::nullopt;
    if (found->kind == Primitive::Kind::extent) return found->axis;
    const auto children = store_.children(term);
    if (found->kind != Primitive::Kind::index || children.size() != 3) return std::nullopt;
    return onf::constant_value(store_, theory_, children[1], session_.table());
  }

  Session& session_;
  const term::Store& store_;
  const term::Theory& theory_;
};

}  // namespace

std::vector<std::string> width_reasons(Session& session, const term::Theory& theory) {
  return Reasons(session, theory).lines();
}

}  // namespace rhopsi::driver
