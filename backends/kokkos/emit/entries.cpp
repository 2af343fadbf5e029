#include "backends/kokkos/emit/entries.hpp"

#include <algorithm>
#include <map>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/pads.hpp"

namespace rhopsi::kokkos {

namespace {

using onf::Representation;

bool plain(const Representation& type) { return type.kind == Representation::Kind::scalar; }

void of_view(const onf::Function& function, onf::ViewId id, EntrySlot& slot) {
  const onf::Block& block = function.blocks[onf::number(function.views[onf::number(id)].block)];
  slot.type = {Representation::Kind::array, block.element, {}};
  if (block.extents) slot.own = &block;
}

std::vector<EntrySlot> slots_of(const onf::Module& module, const onf::Function& function) {
  std::vector<EntrySlot> slots;
  for (const onf::Argument& argument : function.arguments) {
    EntrySlot slot;
    slot.mode = argument.mode;
    if (argument.view) {
      slot.name = function.views[onf::number(*argument.view)].name;
      of_view(function, *argument.view, slot);
      slot.pads = own_pads(module, function, *argument.view);
      slot.less = argument.less;
    } else {
      slot.name = function.variables[onf::number(argument.variable)].name;
      slot.type = function.variables[onf::number(argument.variable)].type;
    }
    slot.window = argument.window;
    if (slot.window) slot.name = slot.window->array;
    slots.push_back(std::move(slot));
  }
  if (!function.result) return slots;
  EntrySlot result{"result", *function.result, term::Mode::out, true};
  result.less = function.result_less;
  if (function.result_view) of_view(function, *function.result_view, result);
  slots.push_back(std::move(result));
  return slots;
}

std::vector<bool> repeated(const std::vector<EntryPoint>& entries) {
  std::map<std::string, int> count;
  for (const EntryPoint& entry : entries) ++count[entry.name];
  std::vector<bool> more;
  for (const EntryPoint& entry : entries) more.push_back(count[entry.name] > 1);
  return more;
}

void tell_apart(const onf::Module& module, std::vector<EntryPoint>& entries) {
  const auto add = [](std::string& name, const std::string& word) {
    name += (name.back() == ':' ? "" : ",") + word;
  };
  const std::vector<bool> overloaded = repeated(entries);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (!overloaded[k]) continue;
    entries[k].name += ":";
    for (const std::string& sort : module.functions[onf::number(entries[k].id)].sorts) {
      add(entries[k].name, sort);
    }
  }
  const std::vector<bool> same_sorts = repeated(entries);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (!same_sorts[k]) continue;
    entries[k].name += ":";
    for (const EntrySlot& slot : entries[k].slots) {
      if (slot.own != nullptr) add(entries[k].name, std::to_string(slot.own->extents->size()));
    }
  }
}

}  // namespace

std::optional<onf::Halo> own_pads(const onf::Module& module, const onf::Function& function,
                                  onf::ViewId view) {
  const onf::Block& block = function.blocks[onf::number(function.views[onf::number(view)].block)];
  return onf::own_pads(module, block);
}

std::string numbers_text(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t each : numbers) text += (text.empty() ? "" : ", ") + std::to_string(each);
  return text;
}

std::string axes_text(const onf::Module& module) {
  return numbers_text({module.axes.begin(), module.axes.end()});
}

std::vector<std::int64_t> EntrySlot::callers_less(const onf::Module& module) const {
  std::vector<std::int64_t> made = less;
  for (std::size_t a = 0; a < less.size() && !module.axes.empty(); ++a)
    made[static_cast<std::size_t>(module.axes[a])] = less[a];
  return made;
}

const char* EntrySlot::mode_name() const {
  if (result) return "result";
  return mode == term::Mode::obs ? "obs" : mode == term::Mode::upd ? "upd" : "out";
}

bool is_entry(const onf::Function& function) {
  for (const onf::Argument& argument : function.arguments) {
    if (argument.view) continue;
    if (!plain(function.variables[onf::number(argument.variable)].type)) return false;
  }
  return !function.result || plain(*function.result) ||
         function.result->kind == Representation::Kind::array;
}

bool reads_elements(const onf::Function& function) {
  return function.device &&
         std::ranges::any_of(function.arguments, [](const onf::Argument& argument) {
           return argument.view.has_value();
         });
}

std::vector<EntryPoint> entry_points(const onf::Module& module,
                                     const std::vector<std::string>& wanted) {
  std::vector<EntryPoint> found;
  for (onf::FunctionId id : module.order) {
    const onf::Function& function = module.functions[onf::number(id)];
    const auto& repeats = function.repeats;
    const std::string& name =
        repeats ? module.functions[onf::number(repeats->of)].name : function.name;
    if (!wanted.empty() && std::ranges::count(wanted, name) == 0) continue;
    if (is_entry(function) && !function.part_of)
      found.push_back({id, function.name, slots_of(module, function)});
  }
  tell_apart(module, found);
  return found;
}

std::string call_text(const onf::Module& module, const Names& names, const EntryPoint& entry,
                      const std::function<std::string(std::size_t)>& text) {
  const onf::Function& function = module.functions[onf::number(entry.id)];
  const std::vector<EntrySlot>& slots = entry.slots;
  std::string passed;
  std::string contracts;
  for (std::size_t k = 0; k < function.arguments.size(); ++k) {
    const bool read = slots[k].array() && function.device;
    passed += (passed.empty() ? "" : ", ") + text(k) + (read ? ".read()" : "");
    // What runs in kernels too cannot look at shapes.
    if (!read || slots[k].own == nullptr) continue;
    const std::string lengths = contract(*slots[k].own);
    if (!lengths.empty()) contracts += "rhopsi::expect_shape(" + text(k) + ", {" + lengths + "}); ";
  }
  const std::string& name = names.functions[onf::number(entry.id)];
  std::string call = reads_elements(function) ? "rhopsi::evaluate(" + name + "_functor<" +
                                                    names.program + ">{p}, " + passed + ");"
                                              : "p." + name + "(" + passed + ");";
  if (function.result) call = text(slots.size() - 1) + " = " + call;
  return contracts + call;
}

}  // namespace rhopsi::kokkos
