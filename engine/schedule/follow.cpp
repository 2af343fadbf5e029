#include "engine/schedule/follow.hpp"

#include <algorithm>
#include <limits>

#include "engine/schedule/repeat_calls.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::FunctionId;

class Following {
 public:
  Following(onf::Module& module, const std::function<bool(FunctionId)>& wanted)
      : module_(module), wanted_(wanted) {}

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
    const auto made = outline(module_, id, [this](FunctionId callee) { return followed(callee); });
    if (!made) {
      found_.obstacles.emplace(id, std::move(graph.error()));
      return;
    }
    found_.followed[id] = Followed::parts;
    if (made->left) found_.obstacles.emplace(id, *made->left);
    for (const FunctionId part : made->parts) {
      found_.followed[part] = Followed::whole;
      if (auto rows = build(module_, part)) found_.graphs.emplace(part, std::move(*rows));
    }
  }

  void note_rounds() {
    for (const auto& [id, what] : found_.followed) {
      if (what != Followed::parts) continue;
      // Of what each call of a function calls, as many are in a row as calls are.
      if (const auto callee = called_each_time(module_, id))
        found_.rounds[*callee] = std::numeric_limits<std::int64_t>::max();
      for (const CallSite& site : call_sites(module_, id)) {
        std::int64_t& most = found_.rounds[site.callee];
        most = std::max(
            most, site.in_a_row == 0 ? std::numeric_limits<std::int64_t>::max() : site.in_a_row);
      }
    }
  }

  onf::Module& module_;
  const std::function<bool(FunctionId)>& wanted_;
  Findings found_;
};

}  // namespace

bool over_arrays(const onf::Function& function) {
  return !function.device && std::ranges::any_of(function.arguments, [](const auto& argument) {
    return argument.view.has_value();
  });
}

Findings follow(onf::Module& module, const std::function<bool(onf::FunctionId)>& wanted) {
  return Following(module, wanted).run();
}

}  // namespace rhopsi::schedule
