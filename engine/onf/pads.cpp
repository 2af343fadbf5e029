#include "engine/onf/pads.hpp"

#include <algorithm>
#include <map>

#include "engine/onf/access.hpp"
#include "engine/onf/nests.hpp"
#include "engine/onf/pad_flow.hpp"

namespace rhopsi::onf {

Margin pads_of(const Module& module, const Block& block, std::size_t axis) {
  if (axis >= block.box.size()) return {module.pad, module.pad};
  return {block.box[axis].low, block.box[axis].high};
}

Halo pads_of(const Module& module, const Block& block) {
  Halo halo;
  int padded = 0;
  for (std::size_t axis = 0; axis < std::size_t(module.rank); ++axis) {
    halo.axes.push_back(pads_of(module, block, axis));
    padded += halo.axes.back() == Margin{} ? 0 : 1;
  }
  halo.corners = padded > 1;
  return halo;
}

std::optional<Halo> own_pads(const Module& module, const Block& block) {
  if (block.extents || module.pad == 0) return std::nullopt;
  const Halo pads = pads_of(module, block);
  const bool all = std::ranges::all_of(pads.axes, [&](const Margin& margin) {
    return margin == Margin{module.pad, module.pad};
  });
  return all ? std::nullopt : std::optional(pads);
}

std::size_t first_padded_axis(const Module& module, const Pipeline* pipeline) {
  if (pipeline == nullptr) return 0;
  if (pipeline->teams) return static_cast<std::size_t>(module.rank);
  return pipeline->tiles ? 2 : 1;
}

namespace {

using Why = PadReason::Why;

// What each class of blocks needs.
class Needs {
 public:
  Needs(const Module& module, const PadFlow& flow)
      : module_(module),
        flow_(flow),
        of_(flow.classes(), std::vector<AxisReason>(std::size_t(module.rank))) {
    for (const PadFlow::Kept& kept : flow.kept()) {
      for (AxisReason& axis : of_[kept.of]) whole(axis, kept.why, kept.location);
    }
    for (std::size_t k = 0; k < module.functions.size(); ++k) {
      const Function& function = module.functions[k];
      if (function.device) continue;
      each_nest(function.body, [&](const Nest& nest, const Pipeline* of) {
        const std::size_t first_padded = first_padded_axis(module, of);
        for (const Access& access : accesses_of(module, function, nest)) {
          add(static_cast<FunctionId>(k), nest, access, first_padded);
        }
      });
    }
    include();
  }

  const std::vector<AxisReason>& operator[](std::size_t of) const { return of_[of]; }

 private:
  void widen(PadReason& end, std::int64_t width, Why why, term::LocationId location) const {
    width = std::min(width, module_.pad);
    if (width > end.width) end = {width, why, location};
  }
  void whole(AxisReason& axis, Why why, term::LocationId location) const {
    widen(axis.low, module_.pad, why, location);
    widen(axis.high, module_.pad, why, location);
  }

  void add(FunctionId function, const Nest& nest, const Access& access, std::size_t first_padded) {
    std::vector<AxisReason>& axes = of_[flow_.class_of(function, access.view)];
    for (std::size_t axis = first_padded; axis < axes.size(); ++axis) {
      const Component c = axis < access.components.size() ? access.components[axis] : Component{};
      const bool other = c.axis < 0 ? c.high > 0 : c.axis != static_cast<int>(axis);
      if (!c.known || other || nest.box) {
        whole(axes[axis], Why::undecided, access.location);
        continue;
      }
      widen(axes[axis].low, -c.low, Why::read, access.location);
      widen(axes[axis].high, c.high, Why::read, access.location);
    }
  }

  // Pads that are computed from pads.
  void include() {
    const std::vector<PadFlow::Inclusion> inclusions = flow_.inclusions();
    for (bool changed = true; changed;) {
      changed = false;
      for (const PadFlow::Inclusion& each : inclusions) {
        for (std::size_t axis = 0; axis < std::size_t(module_.rank); ++axis) {
          AxisReason& to = of_[each.whole][axis];
          const AxisReason from = of_[each.part][axis];
          changed = changed || from.low.width > to.low.width || from.high.width > to.high.width;
          widen(to.low, from.low.width, Why::computed, each.location);
          widen(to.high, from.high.width, Why::computed, each.location);
        }
      }
    }
  }

  const Module& module_;
  const PadFlow& flow_;
  std::vector<std::vector<AxisReason>> of_;
};

void narrow(Block& block, const std::vector<AxisReason>& axes) {
  if (block.extents) return;
  block.box.clear();
  for (const AxisReason& axis : axes) {
    const bool any = axis.low.width > 0 || axis.high.width > 0;
    block.box.push_back(
        {axis.low.width, axis.high.width, any ? Outside::circular : Outside::undefined});
  }
}

bool is_empty(const Halo& halo) {
  return std::ranges::all_of(halo.axes, [](const Margin& margin) { return margin == Margin{}; });
}

// Refills of no more than there is.
class Refills {
 public:
  Refills(const Module& module, Function& function) : module_(module), function_(function) {}

  void narrow(Statements& body) {
    std::erase_if(body, [&](Statement& statement) {
      auto* refill = std::get_if<Refill>(&statement.form);
      if (refill == nullptr) return false;
      if (refill->halo) narrow(*refill->halo, refill->view);
      return is_empty(refill->halo.value_or(pads(refill->view)));
    });
    for (Statement& statement : body) {
      std::visit([this](auto& form) { inside(form); }, statement.form);
    }
  }

 private:
  Halo pads(ViewId view) const {
    return pads_of(module_, function_.blocks[number(function_.views[number(view)].block)]);
  }
  void narrow(Halo& halo, ViewId view) const {
    const Halo most = pads(view);
    int padded = 0;
    for (std::size_t axis = 0; axis < halo.axes.size(); ++axis) {
      Margin& margin = halo.axes[axis];
      margin = {std::min(margin.low, most.axes[axis].low),
                std::min(margin.high, most.axes[axis].high)};
      padded += margin == Margin{} ? 0 : 1;
    }
    halo.corners = halo.corners && padded > 1;
  }
  template <class Form>
  void inside(Form& form) {
    if constexpr (std::is_same_v<Form, Pipeline>) {
      for (Pipeline::Ring& ring : form.rings) narrow(ring.halo, ring.view);
      for (Pipeline::Fill& fill : form.fills) narrow(fill.halo, fill.view);
    } else if constexpr (std::is_same_v<Form, If>) {
      narrow(form.then);
      narrow(form.otherwise);
    } else if constexpr (std::is_same_v<Form, While>) {
      narrow(form.before);
      narrow(form.body);
    } else if constexpr (!std::is_same_v<Form, Nest> && requires { form.body; }) {
      narrow(form.body);
    }
  }

  const Module& module_;
  Function& function_;
};

// Calls `visit` with each view over the domain, in the order of the form.
template <class Visit>
void each_view(const Module& module, const Visit& visit) {
  for (std::size_t k = 0; k < module.functions.size(); ++k) {
    const Function& function = module.functions[k];
    for (std::size_t v = 0; v < function.views.size() && !function.device; ++v) {
      const Block& block = function.blocks[number(function.views[v].block)];
      if (!block.extents) visit(static_cast<FunctionId>(k), static_cast<ViewId>(v), block);
    }
  }
}

}  // namespace

std::vector<ArrayPads> narrow_pads(Module& module) {
  if (module.pad == 0) return {};
  const PadFlow flow(module);
  const Needs needs(module, flow);
  std::vector<ArrayPads> found;
  std::map<std::size_t, std::size_t> place;  // of a class
  each_view(module, [&](FunctionId function, ViewId view, const Block&) {
    const std::size_t of = flow.class_of(function, view);
    const auto [at, fresh] = place.try_emplace(of, found.size());
    if (fresh) found.push_back({{}, needs[of]});
    found[at->second].names.push_back({function, view});
  });
  for (std::size_t k = 0; k < module.functions.size(); ++k) {
    Function& function = module.functions[k];
    if (function.device) continue;
    for (std::size_t b = 0; b < function.blocks.size(); ++b) {
      const auto of = flow.class_of(static_cast<FunctionId>(k), static_cast<BlockId>(b));
      narrow(function.blocks[b], needs[of]);
    }
    Refills(module, function).narrow(function.body);
  }
  return found;
}

void check_pads(const Module& module, std::vector<Problem>& problems) {
  if (module.pad == 0) return;
  const PadFlow flow(module);
  std::map<std::size_t, std::pair<std::string, Halo>> known;  // by class
  const auto report = [&](FunctionId function, const std::string& what) {
    problems.push_back({"E0525", what, "narrow the pads of the whole module anew",
                        module.functions[number(function)].location, true});
  };
  each_view(module, [&](FunctionId function, ViewId view, const Block& block) {
    const Function& owner = module.functions[number(function)];
    const Halo pads = pads_of(module, block);
    const auto [at, fresh] =
        known.try_emplace(flow.class_of(function, view), owner.views[number(view)].name, pads);
    if (fresh || at->second.second == pads) return;
    report(function, "the arrays " + at->second.first + " and " + owner.views[number(view)].name +
                         " may be one and have different pads");
  });
  for (const PadFlow::Inclusion& each : flow.inclusions()) {
    const auto whole = known.find(each.whole), part = known.find(each.part);
    if (whole == known.end() || part == known.end()) continue;
    for (std::size_t axis = 0; axis < std::size_t(module.rank); ++axis) {
      const Margin& has = whole->second.second.axes[axis];
      const Margin& wanted = part->second.second.axes[axis];
      if (has.low >= wanted.low && has.high >= wanted.high) continue;
      problems.push_back({"E0525",
                          "the pads of " + part->second.first + " are computed from those of " +
                              whole->second.first + ", which are narrower",
                          "narrow the pads of the whole module anew", each.location, true});
      break;
    }
  }
}

}  // namespace rhopsi::onf
