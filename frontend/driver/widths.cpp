#include "frontend/driver/widths.hpp"

#include <map>
#include <optional>
#include <utility>

#include "engine/onf/primitive.hpp"
#include "engine/rewrite/derivation.hpp"
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
    for (const auto& derivation : theory_.derivations) {
      for (const term::WidthNeed& need : derivation->widths) {
        const term::WidthNeed*& known = widest[need.width][place(need.step.before)];
        if (known == nullptr || known->least < need.least) known = &need;
      }
    }
    std::vector<std::string> lines;
    for (const auto& [width, places] : widest) {
      lines.push_back(head(width));
      for (const auto& [where, need] : places) lines.push_back(reason(where, *need));
    }
    return lines;
  }

 private:
  std::string head(term::SymbolId width) const {
    const std::string name = store_[width].name + "()";
    const term::Callable* callable = theory_.find(width);
    if (callable == nullptr || !callable->body) return name + " is found where a program uses it";
    return name + " = " + term::to_string(store_, *callable->body) +
           ", the least that lets every rule fire";
  }

  std::string reason(const std::string& where, const term::WidthNeed& need) const {
    const term::Location& place = store_[store_.location(need.step.before)];
    std::string line = "  " + where + ": " + std::to_string(need.least) + " for " +
                       term::to_string(store_, need.step.before);
    if (!place.file.empty()) {
      line += " at " + shown_path(place.file) + ":" + std::to_string(place.line);
    }
    return line + ", by " + need.step.rule;
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
