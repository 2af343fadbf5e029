// The steps on one graph. Internal to this folder.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/schedule/graph.hpp"
#include "engine/schedule/halos.hpp"
#include "engine/schedule/schedule.hpp"

namespace rhopsi::schedule {

// Removes values that neither a result nor another value needs.
void drop_unused(Graph& graph, std::vector<Step>& steps);

// Puts each sweep into the first pass where all that it reads is defined before, or in the same
// pass and read at its own index alone, and which then defines no more than `most` values. What
// only the pass itself reads is not stored any more.
void fuse(Graph& graph, std::optional<std::int64_t> most, std::vector<Step>& steps);

// Computes a value where it is read, at whatever offsets, if no more than `most` operations of an
// element are computed again for that; then it is not stored.
void inline_values(Graph& graph, std::int64_t most, std::vector<Step>& steps);

// Stores what several indices compute, up to where it is, if at least that many operations of an
// element are saved: the part that saves most first. A sweep of its own for each.
void materialise(Graph& graph, std::int64_t least, std::vector<Step>& steps);

// Takes common factors out of the sums of products that the values of each sweep are, where that
// leaves at most nine of ten operations; a product that is summed at once counts nothing. Equal
// parts of these values are one. Refused where the program keeps the order of its reals. At most
// most_monomials and most_factors of a sum are looked at (polynomial.hpp).
void factor(Graph& graph, bool any_order, std::vector<Step>& steps);

// Of an element: sums and products count 1, quotients, roots and calls more. What no index is in
// does not count.
double operations_of(const Graph& graph, NodeId node);

// Of the operation alone, without its operands, as onf::weight_of; a power that is a product of
// few factors counts as that.
double weight_of(const Graph& graph, NodeId node);

// Each sweep is a pass of its own.
void separate(Graph& graph);

// Threads of a device that work together, and what they have: as on NVIDIA's processors from Ampere
// on, whose multiprocessors run one team of most such passes at a time.
struct TeamRoom {
  std::int64_t threads = 1024;             // of a team at most
  std::int64_t in_step = 32;               // that run as one, and read neighbours at once
  std::int64_t registers = 64 * 1024;      // of 4 bytes
  std::int64_t of_a_thread = 255;          // of these at most
  std::int64_t scratch = 160 * 1024;       // bytes
  std::vector<std::int64_t> extents = {};  // of the domain that is dealt out; empty: unknown
};

// How sweeps may be put together plane by plane.
struct Planes {
  std::int64_t most = 8;  // that wait in a ring, or are computed again for each slab
  bool in_place = true;   // so late that a result may lie where its argument does
  std::string obstacle;   // why there are no pipelines here; empty: nothing
  std::optional<TeamRoom> teams = std::nullopt;  // they are for teams; nothing: for slabs
};
// Makes the passes: as many sweeps in one, plane by plane, as read one another at most a few planes
// away. Later sweeps are as far behind as what they read has to be there, and as what they
// overwrite has to be read. A sweep alone that reads neighbours of what it overwrites becomes two:
// what it computes waits in planes, and goes to its place behind it.
void pipeline(Graph& graph, const onf::Function& function, const Planes& planes,
              std::vector<Step>& steps);
// Passes of one sweep that rows are folded of go plane by plane, too: these rows need no array
// then.
void fold_in_planes(Graph& graph);

// --- teams.cpp

// The planes that wait in the ring of each value that the pass defines and reads: as many as are
// between the sweep that defines it and the last that reads it. For teams one more where that is
// read beside an element's own row, so that what is read at one moment is not overwritten at the
// next, and one barrier a moment is enough for that; and as many in each ring as in the one that
// needs most, since which plane of it is where is known when the pass is compiled.
std::map<ValueId, std::int64_t> ring_planes(const Graph& graph, const Pass& pass);

// Of a pass in tiles the rows of each plane that the ring of each such value keeps for the tile
// behind: what a later sweep reads in front of the first row that the one which defines it does
// there.
std::map<ValueId, std::int64_t> ring_rows(const Graph& graph, const Pass& pass);

// What each sweep of the pass does of this axis beyond a range of it, for later ones to read.
std::vector<onf::Margin> beyond_of(const Graph& graph, const Pass& pass, std::size_t axis);

// The most that a sweep of a pass of teams does beyond a tile, on axes 1, 2, ...
std::vector<onf::Margin> region_of(const Pass& pass);

// Puts a sweep in front of these that copies the arrays which they read beside their own index, or
// more than one of them reads, and lets them read the copies: each element is loaded once for a
// tile, and what neighbours read of it is where a team shares it. False where there are none.
bool fetch(Graph& graph, std::size_t first, std::size_t end);

// Deals the pass, which is timed and fetches the arrays that it reads beside its own index, out to
// teams: tiles, and rows for each thread, with which least is computed and read of those that a
// team has room for, and no more barriers than needed. A pass that has a tile keeps it. False where
// there are no such tiles; the pass is then as it was. Squared in the number of sweeps.
bool deal_to_teams(const Graph& graph, const TeamRoom& room, Pass& pass);

// Every pass of planes goes through them tile by tile of rows, at most so many of them: each sweep
// does as many rows beyond a tile as later ones read there. So does a sweep alone that reads an
// array on several planes, unless `no_rows` says why it has none in its order.
void tile(Graph& graph, std::optional<std::int64_t> most, const std::string& no_rows,
          std::vector<Step>& steps);

// By kind, the first step of the recipe that is on a function.
using Chosen = std::map<StepKind, std::size_t>;
Chosen steps_on(const Recipe& recipe, const std::string& function);
// Are the passes of such a function written for a device?
bool on_device(const Recipe& recipe, const Chosen& chosen, const Surroundings& around);
// Takes those that change the graph, in their order: which sweeps there are, and what passes are
// made of them.
void transform(Graph& graph, const onf::Function& function, const Recipe& recipe,
               const Chosen& chosen, const Surroundings& around, std::vector<Step>& steps);

// Stores the arrays of the module in another order of axes: the one whose digits are the axes of
// `number`, from the outermost, or, without it, one whose rows are long. Before all other steps,
// which see that order alone.
Step layout(onf::Module& module, std::optional<std::int64_t> number, const Surroundings& around);

// Why the loops over arrays of the domain keep the order of their axes: what `interchange` comes
// to.
Step keep_loops(const Graph& graph);

// Why elements over the domain compute all that is theirs: what `hoist` comes to.
Step keep_elements(const Graph& graph);

// Does `layout` find an order in which rows are much longer? Not where nothing is known of them.
bool rows_can_be_longer(const std::vector<std::int64_t>& extents);

// Of a sweep that does `rows` rows in one loop, for each element of a row of one of them.
struct RowLoads {
  double loads = 0;  // elements that are loaded
  double rows = 0;   // rows that are followed
};
RowLoads loads_of(const Graph& graph, const Sweep& sweep, std::int64_t rows);

// Where values are while the function runs.
struct Slot {
  onf::Scalar element = onf::Scalar::float64;
  std::optional<std::size_t> argument;  // the block of this argument
  std::string name;
};
struct Storage {
  std::vector<Slot> slots;
  std::map<ValueId, std::size_t> of;  // every value that is stored whole
  std::set<ValueId> in_place;         // those that a step has put where their arguments are
};

// By live ranges. What only its own pass reads is not stored whole: it has a ring. With `in_place`
// a value may take the block of one that the same sweep reads for the last time, and at its own
// index alone. A result takes its argument's block where it can.
Storage place(const Graph& graph, const onf::Function& function, bool in_place,
              std::vector<Step>& steps);

// By sweep, whether its rows may come by turns with those of the sweep before it: both of one pass
// in tiles and at the same plane, and so with all that do so already.
std::vector<bool> turns(const Graph& graph, const Storage& storage);
// Those of them that do one row at a time, as both of a pair have to; tells of each that is left.
void keep_turns(const Graph& graph, const std::vector<std::int64_t>& rows_at_once,
                std::vector<bool>& by_turns, std::vector<Step>& steps);

// How many rows each sweep does in one loop: where `most` is given as many, otherwise as many as
// save a good part of the accesses of the nearest cache each time that they are doubled, with what
// is loaded because a processor has few registers for addresses counted. 1 where that saves
// nothing, or may not be done; and, without `most`, where that would be two rows of a sweep that
// can take turns with others (`by_turns`), which is worth more. `rows`: loops go over rows;
// `device`: elements are threads.
struct Unroll {
  std::optional<std::int64_t> most;
  bool rows = true;
  bool device = false;
  const std::vector<bool>& by_turns;
};
std::vector<std::int64_t> unroll(const Graph& graph, const Storage& storage, const Unroll& wanted,
                                 std::vector<Step>& steps);

// How far along rows rings are read, where that is no more than a row is copied for (most_near).
std::int64_t read_of_rings(const Graph& graph);
// What that depends on; as in Writing.
struct Edges {
  std::int64_t pad = 0;    // of arrays,
  std::int64_t rings = 0;  // and of rings
  bool rows = true;
  bool device = false;
};
// Where the recipe has a step `boundary` with that value, if it has one.
Beyond boundary(const Graph& graph, std::optional<std::int64_t> as, const Edges& edges,
                std::vector<Step>& steps);
bool reads_pads(std::optional<std::int64_t> as);
// Why a step is refused that is about such reads, where the graph has none.
std::string nothing_beyond(const Graph& graph);

// A function of which a recipe wants that what it reads beyond the ends of axes is in pads.
struct PadReader {
  const Graph* graph = nullptr;
  std::int64_t most = 0;  // what is read further away goes around
  bool device = false;    // no pads are read there
};
// Gives all arrays of the module pads that hold what these functions, one at least, read within
// their bounds, unless the step says why not. Wider pads change nothing for other functions, which
// read no further and refill all of them; but those of `kept`, which keep their form, may hand
// arrays to a user's own code.
Step pad(onf::Module& module, const std::vector<PadReader>& readers,
         const std::vector<onf::FunctionId>& kept);
// Lets rings have pads of that width at each end of an axis: no array of the module may have wider
// ones than it says. Nothing is done where the program hands arrays to a user's own code, which
// would get them with pads.
void pad_rings(onf::Module& module, std::int64_t pad);

// How passes are written.
struct Writing {
  std::int64_t pad = 0;  // of every array
  bool device = false;   // no pads are read, and an element is a thread's
  Beyond beyond;
  bool refill = true;  // as far as is read; otherwise whole pads
  bool share = true;
  bool rows = true;                       // bound to rows; otherwise one loop per axis
  std::vector<std::string> made_by = {};  // steps that have a part in every loop, behind all others
  bool laid_out = false;                  // `layout` has one, before them
  std::vector<std::int64_t> rows_at_once = {};  // of each sweep; empty: one
  std::vector<bool> by_turns = {};              // of each sweep, with the one before; empty: none
  std::int64_t rows_of(std::size_t sweep) const {
    return rows_at_once.empty() ? 1 : rows_at_once[sweep];
  }
};
// The function of this graph and storage, of the same name and arguments. Nothing where an
// expression would have more than a million nodes.
std::optional<onf::Function> realise(const onf::Function& function, const Graph& graph,
                                     const Storage& storage, const Writing& writing,
                                     std::vector<Step>& steps);

// Of the graph as it was built: one sweep a pass, and every value stored.
Cost cost_of(const Graph& graph);
// Of the passes, with what they store; with `share` equal operations of a sweep count once.
Cost cost_of(const Graph& graph, const Storage& storage, bool share);
// Bytes in use for each element of a plane, of arrays and in rings; of a run, for arrays of one
// axis.
std::int64_t bytes_in_use(const Graph& graph, const Pass& pass, const Storage& storage);
// What one call does, as it is written.
Work work_of(const Graph& graph, const Storage& storage, const Writing& writing);
// Adds what the statements, and those of what they call, fill of pads.
void count_refills(const onf::Module& module, const onf::Statements& body, Cost& cost);

}  // namespace rhopsi::schedule
