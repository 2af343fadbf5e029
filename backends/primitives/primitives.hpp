// The table of externals that the backends provide under `external Kokkos path`.
//
//   scalar            types Real (the run's element type), Float (32 bit), Double (64 bit),
//                     Int (64 bit), Int32, Bool, Number. Operations on any one numeric type T of
//                     the block: _+_ _-_ _*_ _/_ _%_ -_ +_ (/ and % Euclidean on integers), min max
//                     abs, on reals sqrt exp log sin cos tanh pow, predicates < <= > >= (and == !=
//                     which need no declaration), select(Predicate, T, T): T, convert(S): T, on
//                     Bool and or not. Number is Real, or it promotes: its values are then of the
//                     narrowest of bool, int64 and float64 that holds what they are computed from.
//                     On it the comparisons, == and != too, && || and ! also as functions that give
//                     a Number (0 or 1), and select(Number, Number, Number): Number.
//   index             types Index (a total index), Axis, Offset, ScalarIndex, AxisLength (all
//                     64-bit integers). Operations: the integer operations of `scalar` on
//                     any mix of these; rotateIx(Index, Axis, Offset): Index, the component of
//                     that axis becoming (p + o) mod s; rotateIxPadded: the same without mod;
//                     predicate inside(Index), every component being in [0, s);
//                     mkIx(ScalarIndex, ...): Index; ix0 .. ix5(Index): ScalarIndex;
//                     shape0 .. shape5(): AxisLength, the domain's lengths;
//                     len(Index): S, the number of components; at(Index, S): S, component k.
//   array             types E (the element type: required), Array; Index, Axis, Offset,
//                     ScalarIndex (required). Operations: every scalar function of one type
//                     above with at least one Array argument, pointwise, scalars extended;
//                     rotate(Array, Axis, Offset): Array, element p being
//                     A[p_j := (p_j + o) mod s_j];
//                     psi(Index, Array): E; psi(ScalarIndex, ..., Array): E;
//                     shape(Array): Index, the lengths of the axes.
//   schedule.flat     schedule(xs: T...): Array, requires element(xs: T..., ix: Index): E or
//                     element(xs: T..., i: ScalarIndex, ...): E; element p of the result is
//                     element(xs..., p). One loop over all elements.
//   schedule.nested   the same with one loop per axis.
//   schedule.padded   the same with one loop per axis over blocks that hold padding() more
//                     elements on both ends of each axis; requires padding(): Offset, a constant.
//                     The pads of the result are stale until refilled.
//   padding           refillPadding(upd Array): the pads take the circular values; requires
//                     padding(): Offset.
//   padding.auto      padding(): Offset, the least width for which the conditions of rules that ask
//                     for one hold; a program has that number in its place.
//   parameters, parameters.*   every nullary function of a scalar type: a run-time parameter.
#pragma once

#include <memory>

#include "engine/onf/primitive.hpp"

namespace rhopsi::primitives {

// What a Number is: in programs the run's `Real`, in single expressions one that promotes.
enum class Numbers { real, promoting };

// The table for a run whose `Real` is `real` (float32 or float64).
//
// `representation` of an Array whose block declares E gives the name "E" in `opaque`,
// since the block alone does not tell what E is; onf::representation_of looks it up.
std::unique_ptr<onf::PrimitiveTable> make_table(onf::Scalar real, Numbers numbers = Numbers::real);

// The required operation that computes one element of `schedule`, an operation of the
// block: it takes the same arguments and then an Index or ScalarIndex components.
// Linear in the operations of the block.
std::optional<term::SymbolId> element_of(const term::Store& store, const term::ExternalBlock& block,
                                         term::SymbolId schedule);

// The required operation `padding` of the block.
std::optional<term::SymbolId> padding_of(const term::ExternalBlock& block);

}  // namespace rhopsi::primitives
