// Arrays that come in with lengths of their own, as arguments of a form over a domain: of each what
// the nests read of it.
//
//   obs d: [n2], w: [3], z: [n0 + 1]
//   nest (i, j, k): u2[i, j, k] = w[0] * u[i, j, k] * d[k] + w[2] * (z[i + 1] - z[i])
//     =>
//   obs d' broadcast along 0, 1; obs w0, w2; obs z0, z1 broadcast along 1, 2
//   nest (i, j, k): u2[i, j, k] = w0 * u[i, j, k] * d'[i, j, k] + w2 * (z1[i, j, k] - z0[i, j, k])
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/onf/form.hpp"
#include "engine/onf/positions.hpp"

namespace rhopsi::onf {

// Those of one function.
class Windows {
 public:
  // For a domain of these lengths.
  Windows(Function& function, const std::vector<std::int64_t>& domain)
      : function_(function), domain_(domain) {}

  // An array that comes in with these lengths and is never written.
  void add(ViewId view, std::vector<std::int64_t> lengths) {
    arrays_[view].lengths = std::move(lengths);
  }
  // Puts arguments for what is read of them in their places. Nothing, or what keeps one from it:
  // "reads w at an index that is no constant offset from its own". Once, before anything of the
  // function is changed. Linear in its size.
  std::optional<std::string> make_arguments();

  bool is_one(ViewId view) const { return arrays_.contains(view); }
  // Is it such an argument, an array over the domain?
  bool is_window(ViewId view) const;
  // Of an array of these, the length of an axis: a number, or that of an axis of the domain and a
  // number more.
  Expr length(ViewId view, std::size_t axis) const;
  std::int64_t length_here(ViewId view, std::size_t axis) const {
    return arrays_.at(view).lengths[axis];
  }
  // The loads of them in an expression of the nest, as those of the arguments.
  void replace(const Nest& nest, Positions::Meaning meaning, Expr& whole) const;
  // Outside of nests: only elements at numbers. False: it is another load of such an array.
  bool replace(Expr& load) const;

 private:
  using Axes = std::vector<Window::Axis>;
  struct Array {
    std::vector<std::int64_t> lengths;
    std::vector<Axes> read = {};           // each once
    std::vector<Argument> arguments = {};  // of each of these
  };
  std::optional<Axes> axes_of(const Array& array, const Positions* positions,
                              const Expr& load) const;
  std::optional<Window::Axis> axis_of(std::int64_t length, const Positions* positions,
                                      const Expr& index) const;
  std::optional<std::string> note(const Positions* positions, const Expr& load);
  static Expr length_of(const Window::Axis& axis);
  std::optional<std::string> look_at_reads();
  Argument argument(ViewId view, const Axes& axes);
  const Argument* argument_for(const Positions* positions, const Expr& load) const;
  const std::string& name(ViewId view) const { return function_.views[number(view)].name; }

  Function& function_;
  const std::vector<std::int64_t>& domain_;
  std::map<ViewId, Array> arrays_;
};

}  // namespace rhopsi::onf
