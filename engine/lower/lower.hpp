// Programs to the operational form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "engine/onf/form.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::lower {

struct Options {
  int rank = 3;  // of every array; 0 for a program without arrays
  // Callables to lower with what they call, and the parameters, types and externals of the program
  // that these need; empty: all. Of overloads those whose arguments and results are arrays and
  // numbers, if there are any.
  std::vector<std::string> entries;
  bool checked = false;  // guards are tested inside kernels too
  // Where arrays have shapes of their own: the number of axes of array arguments of the entries,
  // by name, where the program does not state it. `rank` is not looked at then.
  std::map<std::string, std::size_t> ranks;
  // There too: all arrays that come in with as many axes as the first one have its lengths, and
  // each array is made by one nest over all of it, in which indices stay circular, and not by a box
  // for each end of an axis.
  bool one_shape = false;
  // There: by how many elements along each axis array arguments are shorter than the domain.
  std::map<std::string, std::vector<std::int64_t>> less = {};
  // There: array arguments that only come in and have other lengths than the domain, which has
  // those of the first array that is none of these, and what that one has less.
  std::map<std::string, std::vector<std::int64_t>> others = {};
  // There: which axis of arrays that have one more than the domain is taken apart
  // (onf::take_stacks_apart). Those that come in are among `others`, and may be changed. Nothing
  // comes of it where a guard does not say how long that axis of theirs is.
  std::optional<std::size_t> stacked = std::nullopt;
  // There: the lengths of the domain.
  std::vector<std::int64_t> domain = {};
  // There: a variable of an array with so many elements less than the domain is stored, too, unless
  // it is cheap, and not computed wherever it is read.
  bool stores_parts = false;
  // There: rounds of loops that have a few of them, and name their numbers, stand one after the
  // other.
  bool writes_out_loops = false;
  // Without entries: which callables are lowered; the procedures, where it is empty.
  std::function<bool(const term::Callable&)> callables = {};
  // There too: what certainly goes wrong when the program runs is an error. The first rounds of
  // loops are looked at one by one, and what is computed in any case (moa::certain_fault). For who
  // asks what is wrong and not for the form.
  bool find_faults = false;
};

// A program whose arrays have shapes of their own (onf::has_own_shapes) has one function per entry,
// without entries per procedure whose ranks its guard tells, with what it calls inside. Each right
// side becomes the nests of its normal form. Domain conditions that are certainly violated are
// errors (with the codes of moa::reduce), others are tested by the function.
//
// In all others: one function per callable with a body. Functions that neither make arrays nor call
// what only a host can run become device functions. A schedule becomes a nest with the
// body of its element operation inlined; array expressions in there that do not depend
// on the index are computed before it. Every other array expression becomes one
// whole-array statement per operation, each into a fresh block.
//
// Errors (with a place and advice):
//   E0501  a type has no representation in this backend
//   E0502  an operation has neither a body nor a primitive
//   E0503  no entry of that name
//   E0504  pad widths disagree
//   E0505  a pad width is not a constant
//   E0506  an array expression inside an element depends on the index
//   E0507  a schedule has no element operation that fits it
//   E0508  a function or procedure calls itself
//   E0509  the number of index components is not the rank
//   E0510  a construct that this form does not have yet
//   E0511  a fold whose operation has no known unit may run over nothing (remark)
//   E0512  operations are nested too deep
//   E0513  an array with own shape has more than six axes
//   E0514  the number of axes of an argument is not known
//   E0515  a variable has another number of axes, or of components, on another way
// and the errors of onf::verify (its remarks are for who asks it). Returns nothing after an
// error.
std::optional<onf::Module> lower(term::Store& store, const term::Program& program,
                                 const onf::PrimitiveTable& table, const Options& options,
                                 std::vector<onf::Problem>& problems);

// The same of a program whose arrays have shapes of their own, for runs in which all of these are
// `shape`, or shorter as `options.less` and `others` say: over a domain (onf::put_over_domain).
// Arrays that are parts of it are stored or computed where they are read, whatever takes less.
// Where that is not possible it is tried with all arguments of the entries that only come in, and
// whose ranks `options` has, as `others`: those may be read in more ways; with the rounds of short
// loops one after the other, where it has such loops; and with arrays that have an axis more than
// the domain taken apart along their first or last one, where there are such and `options` says
// nothing of it.
// Otherwise what keeps the program from that, "step makes an array of other lengths, u1
// (heat.mg:7)", or the first error that lowering has to tell.
tl::expected<onf::Module, std::string> lower_over_domain(term::Store& store,
                                                         const term::Program& program,
                                                         const onf::PrimitiveTable& table,
                                                         const Options& options,
                                                         const std::vector<std::int64_t>& shape);

// Is it about what the program computes - a guard, an index, lengths, a division by zero, a fold
// over nothing - and not about what this form can say?
bool is_violation(const onf::Problem& problem);

}  // namespace rhopsi::lower
