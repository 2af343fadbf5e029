#include "engine/schedule/follow.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "engine/schedule/repeat_calls.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::FunctionId;

class Following {
 public:
  Following(onf::Module& module, const std::function<bool(FunctionId)>& wanted,
            const std::function<FoldsByRows(FunctionId)>& folds)
      : module_(module), wanted_(wanted), folds_(folds) {}

  Findings run() {
    const std::vector<FunctionId> order = module_.order;
    for (const FunctionId id : order) {
      if (!over_arrays(module_.functions[onf::number(id)])) continue;
      if (wanted_(id)) {
        follow(id);
      } else {
        leave(id);
      }
    }
    note_rounds();
    return std::move(found_);
  }

 private:
  Followed followed(FunctionId id) const {
    const auto known = found_.followed.find(id);
    return known == found_.followed.end() ? Followed::nothing : known->second;
  }

  void leave(FunctionId id) {
    onf::Function& function = module_.functions[onf::number(id)];
    each_call(function.body, [&](const Expr& call) {
      if (call.kind != Expr::Kind::call || followed(call.callee) == Followed::nothing) return;
      found_.followed[id] = Followed::parts;
      function.refills = true;
    });
  }

  void follow(FunctionId id) {
    auto graph = build(module_, id);
    if (graph) {
      found_.followed[id] = Followed::whole;
      found_.graphs.emplace(id, std::move(*graph));
      return;
    }
    const auto made = outline(
        module_, id, [this](FunctionId callee) { return followed(callee); }, folds_(id));
    if (!made) {
      found_.obstacles.emplace(id, std::move(graph.error()));
      return;
    }
    found_.followed[id] = Followed::parts;
    found_.apart.emplace(id, std::move(graph.error()));
    if (made->left) found_.obstacles.emplace(id, *made->left);
    for (const FunctionId part : made->parts) add_part(part);
    own_parts(id);
  }

  // Of what is called with other numbers in the next of several calls in a row. Others call what is
  // no part, too, and with numbers that stay.
  void own_parts(FunctionId id) {
    std::map<FunctionId, std::set<std::size_t>> changing;
    const auto note = [&](FunctionId callee, const std::vector<std::size_t>& numbers) {
      if (followed(callee) == Followed::whole && !numbers.empty())
        changing[callee].insert(numbers.begin(), numbers.end());
    };
    if (const auto each = called_each_time(module_, id)) note(each->callee, each->changing);
    for (const CallSite& site : call_sites(module_, id)) note(site.callee, site.changing);
    for (const auto& [callee, numbers] : changing)
      found_.changing[own_part(id, callee)].assign(numbers.begin(), numbers.end());
  }

  void add_part(FunctionId part) {
    found_.followed[part] = Followed::whole;
    if (auto rows = build(module_, part)) found_.graphs.emplace(part, std::move(*rows));
  }

  FunctionId own_part(FunctionId id, FunctionId callee) {
    if (module_.functions[onf::number(callee)].part_of) return callee;
    onf::Function part = module_.functions[onf::number(callee)];
    part.name = name_of_part(module_.functions[onf::number(id)].name + "_part_" + part.name);
    part.part_of = id;
    const auto made = static_cast<FunctionId>(module_.functions.size());
    module_.functions.push_back(std::move(part));
    module_.order.insert(std::ranges::find(module_.order, id), made);
    each_call(module_.functions[onf::number(id)].body, [&](Expr& call) {
      if (call.kind == Expr::Kind::call && call.callee == callee) call.callee = made;
    });
    add_part(made);
    return made;
  }

  std::string name_of_part(std::string name) const {
    while (std::ranges::count(module_.functions, name, &onf::Function::name) > 0) name += "_own";
    return name;
  }

  void note_rounds() {
    for (const auto& [id, what] : found_.followed) {
      if (what != Followed::parts) continue;
      // Of what each call of a function calls, as many are in a row as calls are.
      if (const auto each = called_each_time(module_, id))
        found_.rounds[each->callee] = std::numeric_limits<std::int64_t>::max();
      for (const CallSite& site : call_sites(module_, id)) {
        std::int64_t& most = found_.rounds[site.callee];
        most = std::max(
            most, site.in_a_row == 0 ? std::numeric_limits<std::int64_t>::max() : site.in_a_row);
      }
    }
  }

  onf::Module& module_;
  const std::function<bool(FunctionId)>& wanted_;
  const std::function<FoldsByRows(FunctionId)>& folds_;
  Findings found_;
};

}  // namespace

bool over_arrays(const onf::Function& function) {
  return !function.device && std::ranges::any_of(function.arguments, [](const auto& argument) {
    return argument.view.has_value();
  });
}

Findings follow(onf::Module& module, const std::function<bool(onf::FunctionId)>& wanted,
                const std::function<FoldsByRows(onf::FunctionId)>& folds) {
  return Following(module, wanted, folds).run();
}

}  // namespace rhopsi::schedule
