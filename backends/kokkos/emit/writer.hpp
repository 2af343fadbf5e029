// What is emitted of one function; expressions in expression.cpp, what is computed before a loop in
// invariant.cpp, statements in statement.cpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/kokkos/emit/emit.hpp"
#include "backends/kokkos/emit/names.hpp"
#include "backends/kokkos/emit/row_text.hpp"
#include "backends/kokkos/emit/text.hpp"
#include "engine/onf/fold_inside.hpp"
#include "engine/onf/row_values.hpp"
#include "engine/onf/tile.hpp"

namespace rhopsi::kokkos {

// A number without a fraction.
bool is_integer(const onf::Representation& type);

// May it be evaluated where nobody asks for it, whatever its operands are?
bool ends_quietly(const onf::Expr& e);
// "_im1" for i - 1.
std::string moved_name(const std::string& index, std::int64_t offset);

// As a rhopsi::Halo.
std::string halo_text(const onf::Halo& halo);
// The domain `over` with these pads.
std::string stored_text(const std::string& over, const onf::Halo& pads);

// The lengths that an argument's array has to have, as rhopsi::expect_shape takes them; empty
// where any will do.
std::string contract(const onf::Block& block);

// "tile.low - 2"
std::string moved(const std::string& from, std::int64_t by);
// The rows of a tile that a stage does which goes so many rows beyond it.
std::string first_row(const onf::Margin& rows);
std::string end_of_rows(const onf::Margin& rows);

class FunctionWriter {
 public:
  FunctionWriter(const term::Store& store, const onf::Module& module, const Names& names,
                 onf::FunctionId id, Text& out);
  // The whole member function with its comment.
  void write();
  // `T name(parameters) const`.
  std::string head(const std::string& body) const;
  // Device functions over arrays that were called on the host: as function objects.
  const std::set<onf::FunctionId>& evaluated() const { return evaluated_; }

 private:
  // --- locals.cpp
  void name_variables();
  void name_arrays();
  // --- invariant.cpp
  std::string expression(const onf::Expr& e, int precedence = 0);
  bool invariant(const onf::Expr& e) const;
  bool may_move(const onf::Expr& e) const;
  bool narrows() const;
  std::string variable(const onf::Expr& e) const;
  std::string of_index(const std::string& value) const;
  std::string no_index(const onf::Expr& e, int precedence);
  std::string hoisted(const std::string& type, const std::string& name, const std::string& value);
  std::string hoisted_integer(const std::string& name, const std::string& value);
  std::string domain();

  // --- expression.cpp
  std::string plain(const onf::Expr& e, int precedence);
  std::string constant(const onf::Expr& e, bool as_argument) const;
  std::string chosen(const onf::Expr& e);
  std::string apply(const onf::Expr& e, int precedence);
  std::string apply_to_indices(const onf::Expr& e, int precedence);
  std::string wrapped(const onf::Expr& e);
  std::string binary(const onf::Expr& e, const char* symbol, int own, int precedence);
  std::string index_equality(const onf::Expr& e);
  bool same_along_rows(onf::ViewId view) const;
  std::vector<onf::Expr> place_of(const onf::Expr& load) const;
  std::string load(const onf::Expr& e);
  std::string call(const onf::Expr& e);
  std::string external_call(const onf::Expr& e);
  std::string argument(const onf::Expr& e);  // literals with their exact type
  std::string arguments(const std::vector<onf::Expr>& operands);

  // --- statement.cpp
  void statements(const onf::Statements& body);
  void write(const onf::Declare& s);
  void write(const onf::Allocate& s);
  void write(const onf::Nest& s) { nests({&s}); }
  void write(const onf::Pipeline& s);  // pipeline.cpp
  void write(const onf::Whole& s);
  void write(const onf::Mutate& s);
  void write(const onf::Refill& s);
  void write(const onf::RowFold& s);
  void write(const onf::Share& s);
  void write(const onf::Call& s);
  void write(const onf::Let& s);
  void write(const onf::Assign& s);
  void write(const onf::Lazy& s);
  void write(const onf::Fold& s);  // fold.cpp
  void write(const onf::If& s);
  void write(const onf::For& s);
  void write(const onf::Iterate& s);
  void write(const onf::While& s);
  void write(const onf::Check& s);
  void write(const onf::Return& s);
  void write(const onf::Scope& s);
  std::string label(const std::string& what) const;
  // Where it is from, what it is, and the steps of a schedule that made it so.
  void comment(std::string what, const std::vector<std::string>& made_by = {},
               const std::vector<term::LocationId>& also_from = {});
  void host_loop();
  void contracts();
  void preconditions();

  // --- fold.cpp
  void fold_in_order(const onf::Fold& s);
  struct FoldEnd {
    std::string text;
    std::optional<std::int64_t> known;
  };
  void fold_parts(const onf::Fold& s, const std::string& counter, const FoldEnd& end,
                  std::size_t& left);
  FoldEnd sooner(const onf::Expr& place, const std::string& counter, const FoldEnd& end);
  void fold_loop(const onf::Fold& s, const std::string& begin, const std::string& end);
  std::string combined(const onf::Fold& s, const std::string& left, const std::string& right);

  // --- nest.cpp
  void kernel_body(const onf::Nest& s);
  // What is computed, and where it goes.
  using Stores = std::vector<std::pair<std::string, std::string>>;
  void computed(const onf::Nest& s, Stores& stores);
  void nests(const std::vector<const onf::Nest*>& nests);
  void loops(const std::vector<const onf::Nest*>& nests, const std::string& index, bool narrow);
  void loop(const onf::Nest& s, const std::string& index);
  void in_both_widths(const std::vector<const onf::Nest*>& nests,
                      const std::vector<onf::Expr>& bounded);
  std::string narrow_test(const std::vector<onf::Expr>& bounded);
  std::size_t fault(const onf::Check& check);
  std::string stored(const onf::Nest& s, onf::ViewId target);
  std::string row_of(const onf::Expr& load);
  std::string row_element(const onf::Expr& load);
  std::string along_row(const onf::Expr& load);
  std::string in_row(const std::string& row, const onf::Expr& load);
  std::string row_text(const std::string& array, const std::vector<onf::Expr>& outer);
  std::string row(const std::string& value, const std::string& wanted);
  std::string loop_head(const onf::Nest& s, const std::string& index, const std::string& box,
                        bool by_row);
  void row_body(const onf::Nest& s, const onf::RowValues& values, const std::string& index);
  void rounds_body(const onf::Nest& s, const std::string& index);
  std::string box_of(const onf::Nest& s);
  std::string joined_axes(const onf::Nest& s, const std::map<onf::ViewId, std::string>& reads,
                          const std::string& box) const;
  std::string box_text(const onf::Nest& s);
  onf::Expr index_of(const onf::Nest& s, std::size_t axis) const;

  struct Kernel;
  // --- circular.cpp
  std::string around(const onf::Expr& e);
  std::string near_element(const std::string& row, const onf::Expr& load);
  std::vector<std::string> near_rows(const EndNames& end, const std::string& length) const;
  EndNames end_names(const onf::Nest& s, const onf::Margin& reach);
  using RowBody = std::function<std::string(bool between_ends, int deeper)>;
  std::string block_body(const onf::Nest& s, const onf::Margin& reach, EndNames& end,
                         const RowBody& body);
  RowBodies row_bodies(const onf::Nest& s, int depth);
  void row_loop(const std::string& index, const std::string& low, const std::string& high,
                const RowBodies& bodies);
  void strip_loop(const std::string& index, const RowRange& strip, const RowRange& row,
                  const RowBodies& bodies);
  void end_of_row(const std::string& index, const RowBodies& bodies);
  void masked(const std::vector<onf::Nest*>& nests, const std::function<void()>& write);
  // --- unroll.cpp
  using RowFetch = std::function<void(RowBodies&)>;
  std::vector<RowLoop> row_loops(const onf::Nest& s, int depth, const RowFetch& fetch);
  void rows_body(const onf::Nest& s);
  void each_row(const onf::Nest& s, const std::function<void(const onf::Nest&)>& visit);
  using Cases = std::vector<std::pair<std::string, std::function<void()>>>;
  void in_cases(const Cases& cases, const std::function<void()>& otherwise);
  void row_loops(const onf::Nest& s, const std::vector<RowLoop>& loops, const std::string& first,
                 const std::string& end, const std::string& low, const std::string& high);
  // --- ends.cpp
  bool is_position(const onf::Expr& e) const;
  std::string position(const onf::Expr& e);
  std::string in_front(const onf::Positions& positions, const onf::Expr& e, const Declared& made);
  RowChoice row_choice(const onf::Expr& e);
  std::string choice_by_place(const onf::Expr& e, int precedence);
  onf::Expr condition_here(const onf::Positions& positions, const onf::Expr& choice) const;
  std::string bound_text(const onf::Positions& positions, const onf::Expr& condition);
  std::string bound_at_end(const onf::PositionBound& bound);
  std::string of_a_row(const onf::Positions& positions, const onf::Expr& condition);
  bool is_number_of_rows(const onf::Expr& e) const;
  std::optional<onf::Expr> row_choice_reads(const onf::Positions& positions, const onf::Expr& e);
  bool is_seen_through(const onf::Let& s) const;
  std::string chosen_row(const onf::Positions& positions, const onf::Expr& e);
  std::string constant_row(const onf::Expr& number);

  // --- angles.cpp
  void add_rows_of_near_angles(const onf::Nest& s, const onf::Nest& test, int depth,
                               const RowFetch& fetch, RowLoop& loop);
  std::string nearness(const onf::Nest& test, int depth);
  // --- plain_rows.cpp
  std::optional<std::size_t> plain_branch(const onf::Positions& positions,
                                          const onf::Expr& condition,
                                          const onf::Expr& choice) const;
  std::optional<std::size_t> plain_side(const onf::Positions& positions, const onf::Expr& condition,
                                        const onf::Expr& choice);
  void add_plain_rows(const onf::Nest& s, int depth, const RowFetch& fetch, RowLoop& loop);
  // --- row_lanes.cpp
  struct LaneReads;
  bool is_of_row(const onf::Expr& e, const LaneReads& reads) const;
  bool note_lanes(const onf::Expr& e, LaneReads& reads);
  bool note_choice(const onf::Expr& e, LaneReads& reads);
  bool note_condition(const onf::Expr& e, LaneReads& reads);
  bool note_element_choice(const onf::Expr& e, LaneReads& reads);
  bool note_row(const onf::Nest& s, LaneReads& reads);
  std::optional<std::int64_t> offset_along(const onf::Expr& load) const;
  bool goes_by_lanes(const onf::Nest& s);
  std::string row_to_store(const std::string& row);
  std::string lanes_along_row(const onf::Expr& load) const;
  static std::string declaration(const Declared& declared, const Kernel& kernel);
  // --- sides.cpp
  std::vector<std::string> sides_of(const onf::Nest& s);
  void on_sides(const std::vector<std::string>& sides, const std::function<void()>& write);

  // --- boxes.cpp
  // A nest among those that are joined.
  struct BoxText {
    std::string name, indices, body;
    std::vector<std::string> before;  // lines in front of the lambda
    std::string after;                // a line behind the loop
    bool by_row;                      // the lambda is one of rows
  };
  static std::vector<const onf::Nest*> joined(const onf::Statements& body, std::size_t first,
                                              std::size_t& end);
  void boxes(const std::vector<const onf::Nest*>& nests, const std::string& index, bool narrow);
  BoxText box(const onf::Nest& s, Kernel& kernel, bool narrow);
  void reserve_targets(const onf::Nest& s);
  void captures(const onf::Nest& s, const Kernel& kernel, const std::string& index);

  // --- lines.cpp
  struct LineNames;
  void lines(const onf::Statements& body, std::size_t first);
  std::string extents_of(const onf::Allocate& made);
  static bool reads_block(std::span<const onf::Statement> group, const LineNames& names,
                          onf::ViewId block);
  void lines_of(std::span<const onf::Statement> list, const onf::Lines& lines);
  void nest_of_lines(const onf::Nest& s, const onf::Lines& lines);
  // --- row_blocks.cpp
  void row_blocks(const onf::Statements& body, const std::vector<std::size_t>& nests);

  // --- tile.cpp
  struct LaneText;
  void tile(const onf::Nest& s, const std::string& index);
  std::vector<std::pair<onf::VariableId, onf::Expr>> read_in_blocks(onf::Expr& e);
  std::string tile_lambda(const onf::Nest& s, const std::vector<onf::VariableId>& folds,
                          const std::vector<const onf::Expr*>& uses, const std::string& more,
                          const std::string& result, const std::string& body,
                          const std::string& before = "");
  std::string tile_operands(const onf::Nest& s, const std::vector<onf::Expr>& parts,
                            const std::vector<onf::VariableId>& folds, onf::VariableId along);
  std::string tile_count(const onf::Nest& s, const onf::TileFold& fold,
                         const std::vector<onf::VariableId>& folds);
  std::string tile_folds(const onf::Nest& s, const onf::TileForm& form, const onf::Expr& term,
                         const std::vector<onf::VariableId>& row_values,
                         const std::vector<onf::VariableId>& lane_values);
  Kernel tile_kernel(const onf::Nest& s, const std::string& index) const;
  std::string target_lambda(const onf::Nest& s);
  void running(const onf::Nest& s, const std::string& index);  // running.cpp
  onf::VariableId lane_variable(const std::string& wanted);
  bool varies(const onf::Expr& e) const;
  std::string lane_expression(const onf::Expr& e, int precedence);
  std::string lane_apply(const onf::Expr& e, int precedence);
  std::string lane_by_lane(const onf::Expr& whole);

  // --- regrouped_fold.cpp
  void regrouped(const onf::Fold& s);
  // --- device_fold.cpp
  bool goes_to_device(const onf::Fold& s) const;
  bool may_be_combined_there(const onf::Fold& s) const;
  void device_fold(const onf::Fold& s);
  std::string blocks_type(const onf::Regrouping& regrouping) const;
  static std::string fold_by(onf::ScalarFunction function);
  // `inside`: what the form is between the ends of arrays, where that is something else.
  std::string fold_levels(const onf::Nest& s, const onf::TileForm& form,
                          const std::optional<onf::FoldInside>& inside);
  std::string fold_term(const onf::Nest& s, const onf::TileForm& form, std::size_t level,
                        const std::vector<onf::VariableId>& indices);
  std::string fold_range(const onf::Nest& s, const onf::FoldInside& inside,
                         const std::vector<onf::VariableId>& outer);
  std::string blocks(const onf::Nest& s, const onf::TileForm& form, const std::string& ends,
                     const std::string& target);

  // --- fetch.cpp
  struct PipelineNames;
  // Where a pipeline reads of an array first: the stage, how far ahead of its own plane, the
  // indices of the axes between the first and the last; and the stage that asks for it.
  struct Lead {
    const onf::Pipeline::Stage* stage = nullptr;
    std::int64_t ahead = 0;
    std::vector<const onf::Expr*> outer = {};
    const onf::Pipeline::Stage* asker = nullptr;
  };
  static void find_lead(const onf::Pipeline::Stage& stage, const onf::Expr& load,
                        std::map<onf::ViewId, Lead>& leads);
  void pipeline_fetch(const onf::Pipeline& s, PipelineNames& names);
  bool goes_in_strips(const onf::Pipeline::Stage& stage, const PipelineNames& names) const;
  bool may_ask(const onf::Pipeline::Stage& stage, const Lead& lead) const;
  void deal_out(const onf::Pipeline& s, std::map<onf::ViewId, Lead>& leads) const;
  static std::vector<onf::Expr> asked_row(const onf::Pipeline::Stage& stage, const Lead& lead,
                                          std::int64_t further);
  std::string fetched_rows(const onf::Pipeline::Stage& stage, const PipelineNames& names,
                           std::int64_t rows);

  // --- pipeline.cpp
  // What stages read and write by: names of objects with planes.
  struct PipelineNames {
    std::string slabs;
    std::string tiles = {};                      // empty: planes are whole
    std::string runs = {};                       // of elements; empty: there are planes
    std::string slab = {}, low = {}, high = {};  // what a stage over runs is given
    std::map<onf::ViewId, std::string> read, written;
    std::map<onf::ViewId, onf::Halo> fills;
    std::set<onf::ViewId> rings = {}, seams = {}, kept = {};
    std::vector<onf::RowFold> folds = {};
    int stages = 0;
    std::string fetch = {};  // what asks for rows ahead; empty: nothing does
    std::map<onf::ViewId, Lead> leads = {};
  };
  void pipeline_tiles(const onf::Pipeline& s, PipelineNames& names);
  void pipeline_arrays(const onf::Pipeline& s, PipelineNames& names);
  void pipeline_ring(const onf::Pipeline& s, const onf::Pipeline::Ring& ring, PipelineNames& names);
  std::string pipeline_seam(const onf::Pipeline& s, const onf::Pipeline::Seam& seam,
                            const std::string& planes, const PipelineNames& names);
  StageText stage_text(const onf::Pipeline::Stage& stage, const PipelineNames& names, int depth,
                       const RowRange& rows);
  void open_stage(const Kernel& kernel, const std::string& called, const std::string& captured,
                  const std::string& parameters);
  void open_stage(const Kernel& kernel, const PipelineNames& names, const std::string& called,
                  const std::string& plane);
  void close_stage();
  void stage_loops(const onf::Nest& s, const StageText& text, int outermost,
                   const std::string& first);
  void pipeline(const onf::Pipeline& s);
  static Kernel stage_kernel(const onf::Nest& nest, const PipelineNames& names);
  using StageWriter = void (FunctionWriter::*)(const onf::Pipeline::Stage&, const PipelineNames&,
                                               const std::string&);
  void pipeline_slabs(const onf::Pipeline& s, PipelineNames& names);
  std::string pipeline_stages(const onf::Pipeline& s, PipelineNames& names,
                              StageWriter write_stage);
  std::string folded_behind(const onf::Pipeline::Stage& stage, const PipelineNames& names,
                            const onf::RowFold& fold);
  std::string filled_behind(const onf::Pipeline::Stage& stage, const PipelineNames& names,
                            onf::ViewId target, const onf::Halo& halo, const RowRange& rows);
  void pipeline_stage(const onf::Pipeline::Stage& stage, const PipelineNames& names,
                      const std::string& called);
  std::string plane(const std::string& array, const onf::Expr& index, const std::string& wanted);
  std::string plane_of(const onf::Expr& load);

  // --- turns.cpp
  using Stages = std::span<const onf::Pipeline::Stage>;
  static onf::Margin all_beyond(Stages stages);
  static Kernel next_kernel(Kernel&& before, const onf::Nest& nest, const PipelineNames& names);
  static std::string does_plane(const onf::Pipeline::Stage& stage, const onf::Margin& all,
                                const std::string& i);
  static std::string does_row(const onf::Pipeline::Stage& stage, const RowRange& all,
                              const std::string& j);
  std::vector<StageText> turn_texts(Stages stages, const PipelineNames& names, Kernel& kernel);
  std::vector<std::string> turn_tests(Stages stages, const std::string& i);
  void turn_loops(Stages stages, const std::vector<StageText>& texts,
                  const std::vector<std::string>& does, const RowRange& all);
  void stages_by_turns(Stages stages, const PipelineNames& names, const std::string& called);

  // --- teams.cpp
  // A pipeline of teams, while one of its stages is written.
  struct TeamNames {
    const onf::Pipeline* pipeline = nullptr;
    std::string team, now, here;
    std::map<onf::ViewId, std::string> rings = {};
    std::map<onf::ViewId, std::string> written = {};
    const onf::Pipeline::Stage* stage = nullptr;
    std::set<std::size_t> positions = {};  // axes whose index an element depends on
  };
  void teams(const onf::Pipeline& s);
  std::int64_t team_rings(const onf::Pipeline& s, TeamNames& names, Text& text);
  void team_fetch(const onf::Pipeline& s, TeamNames& names);
  void team_stage(const onf::Pipeline::Stage& stage, TeamNames& names);
  std::string team_load(const onf::Expr& e);
  std::string team_broadcast(const onf::Expr& e, const std::string& array) const;
  std::string team_element(onf::ViewId target);
  void note_position(onf::VariableId index) const;
  bool is_team_index(const onf::Expr& e) const;
  bool lie_alike(const std::vector<onf::ViewId>& arrays) const;
  // --- runs.cpp
  void runs(const onf::Pipeline& s);
  void run_arrays(const onf::Pipeline& s, PipelineNames& names);
  void run_stage(const onf::Pipeline::Stage& stage, const PipelineNames& names,
                 const std::string& called);
  std::string run_captures(const onf::Nest& s, const PipelineNames& names) const;
  bool goes_in_runs() const {
    return kernel_->pipeline != nullptr && !kernel_->pipeline->runs.empty();
  }
  std::string line_of(const std::string& value, const std::string& wanted);
  std::string line_to_read(const onf::Expr& load);
  std::string stored_in_run(const onf::Nest& s, onf::ViewId target);

  const onf::Function& function() const { return module_.functions[onf::number(id_)]; }
  std::string type_of(onf::ViewId view) const;
  // The domain of an array, with its own pads where these are not the program's.
  std::string stored(onf::ViewId view) const;
  std::string like(onf::ViewId view) const;
  std::string element_type(onf::ViewId view) const;
  std::size_t rank_of(onf::ViewId view) const;
  std::string type_of(const onf::Representation& type) const {
    return cpp_type(names_, module_, type);
  }
  // A copy: names are added while a statement is written.
  std::string name(onf::VariableId id) const { return variables_[onf::number(id)]; }
  const std::string& name(onf::ViewId id) const { return views_[onf::number(id)]; }

  const term::Store& store_;
  const onf::Module& module_;
  const Names& names_;
  onf::FunctionId id_;
  Text* out_;
  std::set<onf::VariableId> read_;  // variables that expressions read
  std::vector<std::string> variables_;
  std::vector<std::string> views_;
  NameTable locals_;
  std::set<onf::FunctionId> evaluated_;
  term::LocationId location_{};
  int indexing_ = 0;  // inside components of an index, where sums cannot overflow

  // Of a row that is read around its ends: the copy's name, the type of its elements and how far.
  struct NearRow {
    std::string name, type;
    onf::Margin reach;
  };
  // While a kernel is written: what is captured, declared before the loop.
  struct Kernel {
    std::set<onf::VariableId> local;
    std::map<onf::ViewId, std::string> reads;
    std::map<std::string, std::string> values;  // text -> name
    std::vector<std::string> lines;
    int constants = 0;
    bool boxed = false;                 // of a box: checks that fail are collected
    std::string index;                  // the type of indices
    std::set<onf::VariableId> indices;  // of that type, where it is not std::int64_t
    std::vector<std::string> faults;    // codes and messages of those checks
    std::string fault = "fault";        // what raises them
    bool uses_self = false;
    int branches = 0;
    const onf::Nest* nest = nullptr;           // over the domain
    const onf::Nest* by_rows = nullptr;        // the same, where its last loop is written out
    bool between_ends = false;                 // of a row that is peeled,
    onf::Margin row_reach = {};                // where these ends are so long
    EndNames end = {};                         // of which a block is written
    std::map<std::string, NearRow> near = {};  // copies of rows for it
    std::vector<Declared> rows;                // declared before that loop
    std::map<std::string, std::string> row_names = {};  // text -> name, of these
    std::set<std::string> plain = {};  // what holds of rows that ask for nothing costly
    bool in_plain_rows = false;        // is their loop written?
    bool near_angles = false;          // are all that are written near?
    bool wrote_angles = false;         // has a sine or cosine been written?
    std::map<std::string, std::string> row_kinds = {};  // name of a row -> how vectors have it,
    bool in_lanes = false;                              // while a loop of these is written
    std::int64_t at_once = 1;                           // rows of that loop
    std::int64_t row = 0;                               // which of them is written,
    const onf::Nest* of_row = nullptr;                  // and the nest moved to it
    const PipelineNames* pipeline = nullptr;            // of which it is a stage
    std::vector<Declared> planes;                       // declared before all of its loops
    TeamNames* team = nullptr;                          // where a team's stage is written
  };
  Kernel* kernel_ = nullptr;
  LaneText* lanes_ = nullptr;  // while a tile is written
  onf::Expr lane_index_;       // of the first of its lanes
  Text both_widths_;           // member functions for nests of either width
  int nest_count_ = 0;
  // What the width of the nest before was tested by, while nests follow one another.
  std::string narrow_where_, narrow_name_;
  bool in_turns_ = false;           // nests do the rows of `block` alone
  std::string leave_ = "return;";   // behind a check that fails in a kernel
  std::set<onf::VariableId> lazy_;  // variables that are called to be read
};

// What stands behind the parameters of the function of one element, with a blank: that it has to be
// part of the loop around it, or nothing.
std::string inlined(const onf::Nest& nest);

// What rhopsi::Faults::test takes: the faults that a kernel may raise, by their numbers.
std::string messages_of(const std::vector<std::string>& faults);

// The value of a fold of that type over nothing.
std::string unit_of(const onf::Fold& s, const std::string& type);

}  // namespace rhopsi::kokkos
