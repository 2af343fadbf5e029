// The functions of a module that can be called from outside, as the driver's table, the Views and
// the C functions have them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends/kokkos/emit/names.hpp"

namespace rhopsi::kokkos {

// One argument, or the result.
struct EntrySlot {
  std::string name;  // the program's
  onf::Representation type;
  term::Mode mode = term::Mode::obs;
  bool result = false;              // then `mode` is out
  const onf::Block* own = nullptr;  // of an array that has a shape of its own
  // Of an array over the domain: its pads, where they are others than the module's.
  std::optional<onf::Halo> pads = std::nullopt;
  std::vector<std::int64_t> less = {};               // as onf::Argument::less
  std::optional<onf::Window> window = std::nullopt;  // as onf::Argument::window

  bool array() const { return type.kind == onf::Representation::Kind::array; }
  // Over the domain of the program.
  bool over_domain() const { return array() && own == nullptr; }
  // And callers have all of it.
  bool whole() const { return over_domain() && less.empty() && !window; }
  // `less` in the callers' order of axes.
  std::vector<std::int64_t> callers_less(const onf::Module& module) const;
  // Is there nothing of it before the call, not even its shape?
  bool made() const { return own != nullptr && mode == term::Mode::out; }
  // "obs", "upd", "out", "result".
  const char* mode_name() const;
};

// The pads of an array over the domain, where they are others than the module's.
std::optional<onf::Halo> own_pads(const onf::Module& module, const onf::Function& function,
                                  onf::ViewId view);

// "2, 0".
std::string numbers_text(const std::vector<std::int64_t>& numbers);

// "2, 0, 1": which axes of the callers' arrays those of the program are. Empty: the same.
std::string axes_text(const onf::Module& module);

struct EntryPoint {
  onf::FunctionId id{};
  // The program's; overloads are told apart by their sorts where these differ, and else by the
  // ranks of their arrays: `f:Array,Array:2,1`.
  std::string name;
  std::vector<EntrySlot> slots;
};

// A function of arrays and scalars, and of nothing else.
bool is_entry(const onf::Function& function);

// Does it read elements of its arguments, which on a GPU only kernels can?
bool reads_elements(const onf::Function& function);

// The entries of the wanted names; without any, all. What is several calls of a function
// (onf::Function::repeats) stands behind it, whatever its own name is.
std::vector<EntryPoint> entry_points(const onf::Module& module,
                                     const std::vector<std::string>& wanted);

// The statement that calls an entry of the struct `p`, with what is tested before it. `text` is
// what stands for the slot of that number: a field, or a scalar.
std::string call_text(const onf::Module& module, const Names& names, const EntryPoint& entry,
                      const std::function<std::string(std::size_t)>& text);

}  // namespace rhopsi::kokkos
