// Indices, their components, and loads.
#include "engine/lower/body.hpp"

namespace rhopsi::lower {

using Kind = Representation::Kind;
using onf::ScalarFunction;

// What an index primitive does follows from what it takes and gives.
Expr Body::index_primitive(const onf::Primitive& primitive, std::vector<Expr> operands, Expr e) {
  const int rank = context_.options.rank;
  e.operands = std::move(operands);
  const bool from_index = !e.operands.empty() && e.operands[0].type.kind == Kind::index;
  if (!from_index && e.type.kind == Kind::index) {
    e.kind = Expr::Kind::make_index;
    if (static_cast<int>(e.operands.size()) != rank) {
      context_.report("E0509",
                      "an index of " + std::to_string(e.operands.size()) +
                          " components, but the arrays have rank " + std::to_string(rank),
                      "lower with that rank, or give one component per axis", e.location);
    }
    return e;
  }
  if (from_index && e.type.kind == Kind::scalar && primitive.axis >= 0) {
    if (primitive.axis >= rank) {
      context_.report("E0509",
                      "component " + std::to_string(primitive.axis) + " of an index of rank " +
                          std::to_string(rank),
                      "", e.location);
      return integer(0);
    }
    if (e.operands[0].kind == Expr::Kind::make_index) {
      Expr component = e.operands[0].operands[static_cast<std::size_t>(primitive.axis)];
      return component;
    }
    e.kind = Expr::Kind::component;
    e.axis = primitive.axis;
    return e;
  }
  if (from_index && e.type.kind == Kind::index && e.operands.size() == 3) {
    e.kind = Expr::Kind::move;
    e.wraps = !primitive.padded;
    e.spelling = primitive.spelling;
    const Expr& base = e.operands[0];
    const Expr& axis = e.operands[1];
    if (axis.kind == Expr::Kind::integer && (axis.integer < 0 || axis.integer >= rank)) {
      context_.report(
          "E0509",
          "axis " + std::to_string(axis.integer) + " of arrays of rank " + std::to_string(rank), "",
          e.location);
      return e;
    }
    if (base.kind != Expr::Kind::make_index || axis.kind != Expr::Kind::integer) return e;
    // move(<c...>, constant axis, o)  =>  <.., c + o, ..>
    const auto position = static_cast<std::size_t>(axis.integer);
    Expr sum = made(Expr::Kind::apply, int64_type, e.location);
    sum.function = ScalarFunction::add;
    sum.operands = {base.operands[position], e.operands[2]};
    if (e.wraps) {
      Expr length = made(Expr::Kind::extent, int64_type, e.location);
      length.axis = static_cast<int>(position);
      Expr wrapped = made(Expr::Kind::apply, int64_type, e.location);
      wrapped.function = ScalarFunction::modulo;
      wrapped.operands = {std::move(sum), std::move(length)};
      sum = std::move(wrapped);
    }
    Expr moved = base;
    moved.location = e.location;
    moved.operands[position] = std::move(sum);
    return moved;
  }
  e.kind = Expr::Kind::library;
  e.spelling = primitive.spelling;
  return e;
}

Expr Body::load(TermId term) {
  std::vector<TermId> parts = children(term);
  const LocationId location = store().location(term);
  Expr array = hoisted_view(parts.back());
  parts.pop_back();
  Expr e = made(Expr::Kind::load, context_.represent(store().sort(term), location), location);
  e.view = array.view;
  e.operands = arguments(parts);
  const bool whole_index = e.operands.size() == 1 && e.operands[0].type.kind == Kind::index;
  if (whole_index && e.operands[0].kind == Expr::Kind::make_index) {
    std::vector<Expr> components = e.operands[0].operands;
    e.operands = std::move(components);
  } else if (!whole_index && static_cast<int>(e.operands.size()) != context_.options.rank) {
    context_.report("E0509",
                    "an array of rank " + std::to_string(context_.options.rank) +
                        " is indexed by " + std::to_string(e.operands.size()) + " components",
                    "give one component per axis", location);
  }
  return e;
}

}  // namespace rhopsi::lower
