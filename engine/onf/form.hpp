// The operational form: what runs, and where values are stored.
//
// A Module is plain data. A function owns its variables (scalars, indices, a user's own
// values), its blocks (allocations) and its views (names for blocks, through a chain of
// index functions). Arrays are values: `share` lets two views name one block, and what
// executes the form copies a shared block before it is written.
//
// What a form must satisfy is said in verify.hpp; to_string() in print.hpp shows one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/onf/primitive.hpp"
#include "engine/term/store.hpp"

namespace rhopsi::onf {

enum class VariableId : std::uint32_t {};
enum class BlockId : std::uint32_t {};
enum class ViewId : std::uint32_t {};
enum class FunctionId : std::uint32_t {};
enum class ExternalId : std::uint32_t {};
enum class ParameterId : std::uint32_t {};

template <class Id>
std::size_t number(Id id) {
  return static_cast<std::size_t>(id);
}

struct Variable {
  std::string name;
  Representation type;
  term::LocationId location{};
};

struct Expr {
  enum class Kind : std::uint8_t {
    integer,     // `integer` of an integer or real type
    real,        // `real`
    boolean,     // `integer` != 0
    variable,    // `variable`
    view,        // an array as an argument
    parameter,   // `parameter`, given at run time
    extent,      // length of `axis` of the domain
    length,      // length of `axis` of `view`
    load,        // element of `view`; one index or one component per axis
    apply,       // `function` of scalars
    make_index,  // one component per axis
    component,   // component `axis` of an index
    move,        // (index, axis, offset): that component plus offset; `wraps`: modulo its length
    library,     // any other function of the run-time library, `spelling`
    call,        // `callee` of this module
    external,    // operation `spelling` of `external`
    if_,         // condition, then, else; only the chosen branch is evaluated
  };
  Kind kind = Kind::integer;
  Representation type;
  term::LocationId location{};
  std::int64_t integer = 0;
  double real = 0;
  VariableId variable{};
  ViewId view{};
  ParameterId parameter{};
  FunctionId callee{};
  ExternalId external{};
  ScalarFunction function{};
  int axis = 0;
  bool wraps = false;
  std::string spelling;
  std::vector<Expr> operands;
};

// The stored box of one axis is [-low, n + high), n the symbolic extent of that axis.
enum class Outside : std::uint8_t { undefined, circular };
struct StoredAxis {
  std::int64_t low = 0;
  std::int64_t high = 0;
  Outside outside = Outside::undefined;  // what the part outside [0, n) holds when fresh
};

// No axis is longer, of arrays without elements neither.
inline constexpr std::int64_t greatest_length = std::int64_t{1} << 56;

struct Block {
  Scalar element = Scalar::float64;
  std::vector<StoredAxis> box;  // one per axis of the domain
  // A shape of its own, instead of the domain's and its pads: the length of each axis, in
  // variables that are set before the block is allocated. An argument's is its contract.
  std::optional<std::vector<Expr>> extents = std::nullopt;
};

// One link of a view's chain: component a of the index becomes start[a] + stride[a] * i[a].
struct IndexFunction {
  std::vector<std::int64_t> start;
  std::vector<std::int64_t> stride;
};

struct View {
  std::string name;
  BlockId block{};
  std::vector<IndexFunction> chain;  // empty: the identity
  bool parameter = false;            // its block comes from the caller
  bool temporary = false;            // made by lowering, named once
  term::LocationId location{};
};

struct Statement;
using Statements = std::vector<Statement>;

// A handle without a block yet; it must be set before it is read.
struct Declare {
  ViewId view;
};
// A block for `view`. A fresh one's contents are undefined. In place of another view it is that
// one's block, of the same shape and element type, with what lies there; the other view has to be
// set again before it is named.
struct Allocate {
  ViewId view;
  std::optional<ViewId> in_place_of = std::nullopt;  // of arrays that have shapes of their own
};

enum class Binding : std::uint8_t {
  flat,    // all axes as one parallel loop; one index variable
  nested,  // one loop per axis: outer ones parallel, the last one vectorised
  rows,    // the same, with the last loop written out over the rows of the arrays
};
// The indices from `low` up to and without `high`.
struct Interval {
  Expr low;
  Expr high;
};
// The greatest index of 32 bits.
inline constexpr std::int64_t greatest_narrow = 2147483647;
// Of how many bits the indices of a nest are, the sums and products of indices, and the places of
// elements. Integers that are elements have 64 wherever they come from.
struct IndexWidth {
  bool narrow = false;  // 32, where each of `bounded` is; otherwise 64
  // What has to be in [0, greatest_narrow], tested before the nest. What one is computed from is
  // before it, so that none wraps to such a number.
  std::vector<Expr> bounded;
};
// The steps of a fold in another order than the one that it is written in (regrouping.hpp: of which
// folds): in blocks of so many steps, each as `chains` folds beside each other, which go on
// together and are then folded themselves. Blocks are dealt out to the threads, and folded in their
// order, so that a result depends on the lengths alone and not on the number of threads.
struct Regrouping {
  std::int64_t block = 4096;
  std::int64_t chains = 64;
  bool reals =
      false;         // only where sums of reals may have another order; otherwise as it is written
  bool few = false;  // of a tile: only where the nest has too few elements for the threads
  friend bool operator==(const Regrouping&, const Regrouping&) = default;
};
// Elements of a nest over a box, each of them a fold, that are computed side by side: `rows`
// indices of one axis by `vectors` x `lanes` of the last one. The loops of the folds are around
// them, so each element has the operations that it had, in their order. tile.hpp: of which nests.
struct Tile {
  std::int64_t lanes = 1;  // neighbours along the last axis, in one vector
  std::int64_t vectors = 1;
  std::optional<std::size_t> axis = std::nullopt;  // of the rows, not the last one
  std::int64_t rows = 1;
  bool wide = false;  // accumulators lie in the nearest cache; otherwise in registers
  // What does not depend on the row, and what does not depend on the lane, is computed once for
  // many tiles, and lies in panels in the order in which a tile reads it.
  bool packs = false;
  // Indices of the one fold that panels are made for at a time; what a fold has come to is kept in
  // the target meanwhile. 0: all of them.
  std::int64_t fold_block = 0;
  // Elements of the panels of rows, and of lanes, that are there at a time.
  std::int64_t row_elements = 0;
  std::int64_t lane_elements = 0;
  // Instead of all that, where the folds are long.
  std::optional<Regrouping> regrouping = std::nullopt;
  friend bool operator==(const Tile&, const Tile&) = default;
};

// How an index (i + c) mod n of a nest over the domain is computed, i its own of the axis that has
// the length n (circular.hpp). All give the same number for 0 <= i < n.
enum class Circular : std::uint8_t {
  modulo,  // as it is written
  select,  // with c' = c mod n, which is known before the nest: i + c', less n where that is n or
           // more
  mask,    // the last bits of i + c, where every n is a power of two; tested before the nest
  peel,    // along rows plain, but beside their ends, where |c| at most is left; otherwise selected
};

// target[indices] := element, for every index of the box [0, n) of each axis.
// `body` runs before `element` for each index; a Check in it that fails leaves the element
// and is reported when the nest is done.
// A nest may write several arrays, and may read those that it writes at the index that it is at:
// all elements of an index are computed before the first of them is stored. Over a box it reads
// only those that are in place of another array, and finds that one's element.
struct Nest {
  std::string label;
  Binding binding = Binding::flat;
  bool padded = false;  // leaves what is stored outside the box stale
  std::vector<VariableId> indices;
  // Where the target has a shape of its own: the box that this nest writes, one loop and one
  // index per axis. It neither depends on the indices nor reads the target.
  std::optional<std::vector<Interval>> box = std::nullopt;
  ViewId target;
  Statements body;
  Expr element;
  IndexWidth width = {};
  // Of the same index in other arrays.
  struct Output {
    ViewId target;
    Expr element;
  };
  std::vector<Output> also = {};
  std::optional<Tile> tile = std::nullopt;
  Circular circular = Circular::modulo;
  // Bound to rows: so many, side by side along the axis before the last, have one loop over the
  // last one, and what is left at the end of that axis has a loop for each (unrolling.hpp). All
  // elements of an index of the last axis are computed before the first of them is stored.
  std::int64_t rows_at_once = 1;
  // One loop over rows with the nest that stands before it, over another box of the same arrays.
  bool joined = false;
  // Of a box: the axes of its loops, from the outermost to the innermost. Empty: in their order.
  // The elements may be computed in any order, so it is a matter of memory alone.
  std::vector<int> loops = {};
  // The innermost of these loops goes through so many indices at a time, and around all of them
  // stands a loop over such strips: lines that are read across it are found again in the nearest
  // cache. Where the arrays fit a core's cache it is whole. 0: always.
  std::int64_t strip = 0;
  // The steps of a schedule that made it what it is, each once; told to who reads the loops.
  std::vector<std::string> made_by = {};
};

// What a pad holds of one axis: [-low, 0) and [n, n + high).
struct Margin {
  std::int64_t low = 0;
  std::int64_t high = 0;
  friend bool operator==(const Margin&, const Margin&) = default;
};
// What a pad holds. Without corners only where one index at most is outside its axis.
struct Halo {
  std::vector<Margin> axes;
  bool corners = false;
  friend bool operator==(const Halo&, const Halo&) = default;
};

// Nests over the domain that run as one: plane by plane along axis 0. The
// planes are cut into slabs, which run beside each other. For a slab [low, high) there are moments
// t, one after the other; at each of them every stage in turn does its plane t - lag, if that is in
// [low - beyond.low, high + beyond.high). Planes beyond the ends of axis 0 are the circular ones,
// and its index is then beyond them too.
//
// A load is of the plane of the stage plus a constant. From a ring it is what an earlier stage
// stored there; from any other array it is what was there before the pipeline, written by it or
// not. A slab stores to its own planes alone, but for rings, which are its own.
//
// In tiles a slab goes through its planes several times, once for each tile: a range [low, high) of
// the indices of axis 1, its rows. Of each plane a stage does the rows [low + rows.high, high +
// rows.high), which are behind those that it has done in the tile before; in the first tile it
// begins with the row low - rows.low. Rows beyond the ends of axis 1 are the circular ones, and its
// index is then beyond them too; they are stored in rings alone. Rings hold what the tile has
// stored, and in front of it the last rows that the tile before has stored of each plane, as many
// as they keep. There are any number of tiles, one after the other, and if more than one, none has
// fewer rows than a seam keeps, or than a stage does behind a tile.
//
// With teams, for devices, there are any number of teams of threads instead, which run beside each
// other and never wait for one another. Each has a tile: a range of planes, as a slab has, and a
// range of the indices of every other axis, at most as many as `sides` says. Of a plane a stage
// does so much `beyond` the tile on axis 0, `rows` on axis 1 and `further` on those behind it; what
// is beyond the ends of any axis is the circular element, so nothing is read of pads. The threads
// of a team share the elements of a stage at a moment, any thread any of them, and then go on to
// the next stage, or moment, without waiting, but for barriers: behind a stage that has one all
// threads of the team wait for each other, at every moment. Rings are the team's own. Other arrays
// that it stores to, within its tile alone, are read by no stage. There are no seams and no fills,
// and rings have no halos.
//
// Over arrays of one axis a plane is one element, and the moments of a slab come in runs of any
// number, one after the other: each stage in turn does its elements of all moments of a run. Rings
// have room for those besides. What a stage reads at another index than its own of an array that is
// written, a later stage writes.
struct Pipeline {
  // Room for a few planes of what a stage computes for later ones; its view is named nowhere else.
  struct Ring {
    ViewId view;
    std::int64_t planes = 1;
    Halo halo;              // filled behind each plane; nothing of axis 0, nor of axis 1 in tiles
    std::int64_t kept = 0;  // rows of each plane, for the tile behind
  };
  // Planes of an array that is read and written, on both sides of a slab: kept from before. And
  // rows of the slab's own planes: before a tile writes a plane, the last `next` of the rows that
  // it is going to write are kept for the tile behind it, and the first rows.high of the first tile
  // for the last one. A tile that is alone has rows.low and rows.high of them kept from before.
  struct Seam {
    ViewId view;
    Margin planes;
    Margin rows = {};
    std::int64_t next = 0;
  };
  // Pads of an array that is written: filled behind each plane; nothing of axis 0.
  struct Fill {
    ViewId view;
    Halo halo;
  };
  struct Stage {
    Nest nest;  // bound to rows, without a box
    std::int64_t lag = 0;
    Margin beyond;
    term::LocationId location{};
    Margin rows = {};                  // beyond a tile
    std::vector<Margin> further = {};  // beyond a team's tile, on axes 2, 3, ...
    bool barrier = false;              // behind it the threads of a team wait for each other
  };
  // How many rows a tile has is found where the program runs: as many as keep what a slab has in
  // use in a core's cache.
  struct Tiles {
    std::int64_t bytes = 0;  // that are in use for each element of a plane of a tile
    std::optional<std::int64_t> most = std::nullopt;  // rows
  };
  // A tile of a team, and who is in it.
  struct Teams {
    std::vector<std::int64_t> sides;  // along axes 1, 2, ...: at most so many indices
    std::int64_t planes = 1;          // along axis 0: no fewer, where there are as many
    std::int64_t threads = 1;         // where the device has as many
  };
  std::string label;
  std::optional<Tiles> tiles = std::nullopt;  // nothing: planes are whole
  std::optional<Teams> teams = std::nullopt;  // nothing: slabs, for a host
  std::optional<Tiles> runs = std::nullopt;   // of elements, where the arrays have one axis
  std::vector<Ring> rings;
  std::vector<Seam> seams;
  std::vector<Fill> fills;
  std::vector<Stage> stages;
  std::vector<std::string> made_by = {};  // as of a nest; each stage has its own besides
};

// A whole-array operation into a view that this statement declares.
struct Whole {
  ViewId target;
  bool pointwise = false;
  ScalarFunction function{};  // pointwise
  std::string spelling;       // otherwise: the run-time library's name
  std::vector<Expr> operands;
  std::optional<std::size_t> axis = std::nullopt;  // the operand that names one, by its number
};

// A library procedure that changes its first array in place.
struct Mutate {
  std::string spelling;
  bool refills = false;
  std::vector<Expr> operands;
};
// Fills what the view stores outside [0, n) by its rule: all of it, or as much as `halo` says.
// With a halo nothing is done where the block is known, while it runs, to hold that much.
struct Refill {
  ViewId view;
  std::optional<Halo> halo = std::nullopt;
};

// `target` becomes another name for source's block.
struct Share {
  ViewId target;
  ViewId source;
  bool declares = false;  // target is declared here
  bool last_use = false;  // source is not named again
};

// A call for its effects or for an array; the target is declared here.
struct Call {
  std::optional<ViewId> target;
  Expr call;
};

struct Let {
  VariableId variable;
  std::optional<Expr> value;
  bool constant = true;
};
struct Assign {
  VariableId variable;
  Expr value;
};
// `variable` has `value`, which `body` and it are evaluated for where the variable is read for
// the first time, if it is read at all. `variable` is declared here.
struct Lazy {
  VariableId variable;
  Statements body;
  Expr value;
};
// variable := fold of element over index = 0 .. count - 1, ascending; the unit of the
// operation where count is 0. `variable` is declared here.
struct Fold {
  VariableId variable;
  VariableId index;
  Expr count;
  std::optional<ScalarFunction> function;  // else `callee`
  FunctionId callee{};
  Statements body;
  Expr element;
  std::optional<Regrouping> regrouping = std::nullopt;  // on the host, outside of nests
};
struct If {
  Expr condition;
  Statements then;
  Statements otherwise;
};
struct For {
  VariableId index;
  Expr low;
  Expr high;  // exclusive
  Statements body;
};
struct Iterate {
  Expr count;
  Statements body;
};
struct While {
  Statements before;  // runs before each test
  Expr condition;
  Expr bound;  // of the number of rounds
  Statements body;
};
struct Check {
  Expr condition;
  std::string message;         // where it does not hold: a sentence
  std::string code = "E0608";  // of the diagnostic: a guard, or E0607, an assertion
  // Numbers whose values are told, and what stands before, between and behind them; on the host
  // only. None: `message` is told.
  std::vector<std::string> pieces = {};
  std::vector<Expr> numbers = {};
};
struct Return {
  std::optional<Expr> value;
};
struct Scope {
  Statements body;
};

struct Statement {
  std::variant<Declare, Allocate, Nest, Pipeline, Whole, Mutate, Refill, Share, Call, Let, Assign,
               Lazy, Fold, If, For, Iterate, While, Check, Return, Scope>
      form;
  term::LocationId location{};
};

struct Argument {
  term::Mode mode = term::Mode::obs;
  std::optional<ViewId> view;  // an array
  VariableId variable{};       // otherwise
};

// A function does what another one of the same arguments does so many times, one after the other.
struct Repeats {
  FunctionId of{};
  std::int64_t times = 1;
};

struct Function {
  std::string name;
  bool device = false;  // callable in kernels: reads arrays, makes none
  bool procedure = false;
  // The pads of its arguments may be stale on entry, and are left so: it refills what it reads.
  bool refills = false;
  std::optional<Repeats> repeats = std::nullopt;
  // Statements of that function, which calls it, and nobody else does.
  std::optional<FunctionId> part_of = std::nullopt;
  std::vector<Argument> arguments;
  std::optional<Representation> result;
  std::optional<ViewId> result_view =
      std::nullopt;  // an array that is returned and has a shape of its own
  std::vector<std::string>
      sorts;  // of the arguments and, last, of the result, as the program names them
  std::vector<Variable> variables;
  std::vector<Block> blocks;
  std::vector<View> views;
  Statements body;
  term::LocationId location{};
};

struct Parameter {
  std::string name;
  Scalar type = Scalar::float64;
  term::LocationId location{};
};

// A user's own C++ struct: what it needs and what it is called.
struct External {
  std::string header;  // "a/b.hpp"
  std::string name;    // the struct
  // In order of declaration: a required type, or a required operation that the struct
  // receives as a function object.
  struct Requirement {
    std::optional<Representation> type;
    FunctionId operation{};
    std::string name;  // the name inside the block
  };
  std::vector<Requirement> requirements;
  term::LocationId location{};
};
struct OpaqueType {
  std::string name;  // the program's
  ExternalId external{};
  std::string original;  // member type of the struct
};

struct Module {
  std::string name;
  int rank = 0;
  std::int64_t pad = 0;  // no block stores more on an end of an axis; its box says what it does
  // Axis k is axis axes[k] of the arrays that the program is given and gives (axes.hpp). Empty: the
  // same one.
  std::vector<int> axes = {};
  // The program's arrays have shapes of their own, all of which are that of the domain in the runs
  // that this form is for (over_domain.hpp). Who gives and takes arrays says the shape of each.
  bool one_shape = false;
  Scalar element = Scalar::float64;
  std::vector<Parameter> parameters;
  std::vector<External> externals;
  std::vector<OpaqueType> types;
  std::vector<Function> functions;
  std::vector<FunctionId> order;  // callees first, except among mutually recursive ones
};

// An error or a remark of lowering or verification.
struct Problem {
  std::string code;     // "E0520"
  std::string message;  // what is wrong
  std::string advice;   // what to do
  term::LocationId location{};
  bool error = true;  // false: could not be decided
};

}  // namespace rhopsi::onf
