// Rows of statements as functions: which statements, what goes in and what comes out.
#include "engine/schedule/outline.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "engine/onf/lists.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/positions.hpp"
#include "engine/schedule/behind_folds.hpp"
#include "engine/schedule/early_shares.hpp"
#include "engine/schedule/folds_behind.hpp"
#include "engine/schedule/row.hpp"
#include "engine/schedule/split_branches.hpp"
#include "engine/schedule/unread_numbers.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::Representation;
using onf::Statement;
using onf::Statements;
using onf::VariableId;
using onf::ViewId;

class Outlining {
 public:
  Outlining(onf::Module& module, onf::FunctionId id,
            const std::function<Followed(onf::FunctionId)>& followed, FoldsByRows folds)
      : module_(module), id_(id), followed_(followed) {
    // The place of the part that is made; its names are those of the function meanwhile.
    part_ = static_cast<onf::FunctionId>(module_.functions.size());
    module_.functions.emplace_back();
    before_ = function().body;
    variables_ = function().variables.size();
    split_branches(function());
    share_early(function().body);
    take_folds_behind(function(), module_.rank, folds);
    // What comes before a fold tells how often it steps.
    folds_ = domain_folds(function(), module_.rank, folds);
    body_ = std::move(function().body);
    blocks_ = function().blocks.size();
    all_ = mentions_of(body_);
    note_literals(body_);
    for (const onf::Function& each : module_.functions) taken_.insert(each.name);
  }

  std::optional<Outlined> run() {
    function().body = walk(std::move(body_));
    module_.functions.resize(onf::number(part_));
    if (made_.empty() && !calls_) {
      function().body = std::move(before_);
      function().variables.resize(variables_);
      return std::nullopt;
    }
    drop_unread_numbers(function().body);
    Outlined found{{}, std::move(left_)};
    for (onf::Function& made : made_) {
      const auto id = static_cast<onf::FunctionId>(module_.functions.size());
      module_.order.insert(std::ranges::find(module_.order, id_), id);
      module_.functions.push_back(std::move(made));
      found.parts.push_back(id);
    }
    function().refills = true;
    return found;
  }

 private:
  onf::Function& function() { return module_.functions[onf::number(id_)]; }

  // Offsets are numbers that `build` has to know.
  void note_literals(const Statements& body) {
    const auto form = [&](const auto& s) {
      if constexpr (std::is_same_v<std::decay_t<decltype(s)>, onf::Let>) {
        if (s.constant && s.value && onf::is_arithmetic(*s.value, false))
          literals_.emplace(s.variable, s);
      }
    };
    onf::each_in(body, form, [](const Expr&) {});
  }

  // --- which statements

  bool can_be_followed(const Statement& statement) {
    return std::visit([&](const auto& form) { return can_be_followed(form, statement); },
                      statement.form);
  }
  bool can_be_followed(const onf::Declare&, const Statement&) { return true; }
  bool can_be_followed(const onf::Allocate&, const Statement&) { return true; }
  bool can_be_followed(const onf::Refill&, const Statement&) { return true; }
  bool can_be_followed(const onf::Share&, const Statement&) { return true; }
  bool can_be_followed(const onf::Mutate& s, const Statement& statement) {
    return s.refills || tried(statement);
  }
  bool can_be_followed(const onf::Nest&, const Statement& statement) { return tried(statement); }
  bool can_be_followed(const onf::Whole&, const Statement& statement) { return tried(statement); }
  bool can_be_followed(const onf::Call& s, const Statement& statement) {
    if (s.call.kind != Expr::Kind::call || !over_arrays(s.call)) return false;
    const Followed callee = followed_(s.call.callee);
    calls_ = calls_ || callee != Followed::nothing;
    return callee == Followed::whole && tried(statement);
  }
  bool can_be_followed(const onf::Scope& s, const Statement& statement) {
    return weight_of(s.body) > 0 &&
           std::ranges::all_of(s.body,
                               [&](const Statement& each) {
                                 return can_be_followed(each) ||
                                        std::holds_alternative<onf::Let>(each.form);
                               }) &&
           tried(statement);
  }
  // Where it stands, it is a choice (row.hpp). Of an array that one side alone sets nobody knows
  // here whether it has a value on the other one.
  bool can_be_followed(const onf::If&, const Statement& statement) {
    if (Uses(module_, {statement}).one_sided) return false;
    const auto left = left_;
    const bool followed = tried(statement);
    if (!followed) left_ = left;  // what is in it may be
    return followed;
  }
  template <class Other>
  bool can_be_followed(const Other&, const Statement&) {
    return false;
  }
  static bool over_arrays(const Expr& call) {
    return std::ranges::any_of(
        call.operands, [](const Expr& operand) { return operand.kind == Expr::Kind::view; });
  }

  // Alone, with what is around it as arguments.
  bool tried(const Statement& statement) {
    Statements row{statement};
    const Uses uses(module_, row);
    onf::Function alone;
    alone.part_of = id_;
    describe(alone, uses, row);
    const auto obstacle = obstacle_of(std::move(alone));
    if (obstacle && !left_) left_ = obstacle;
    return !obstacle;
  }

  // Why `build` cannot follow the function; its variables and arrays are those of the whole.
  std::optional<Obstacle> obstacle_of(onf::Function part) {
    std::swap(part.variables, function().variables);
    std::swap(part.views, function().views);
    std::swap(part.blocks, function().blocks);
    module_.functions[onf::number(part_)] = std::move(part);
    auto graph = build(module_, part_);
    onf::Function& made = module_.functions[onf::number(part_)];
    std::swap(made.variables, function().variables);
    std::swap(made.views, function().views);
    std::swap(made.blocks, function().blocks);
    return graph ? std::nullopt : std::optional(std::move(graph.error()));
  }

  // --- rows

  // Statements that may become a part, folds among them; and behind it what is computed of these.
  struct Row {
    Statements body;
    Statements behind;
    std::set<VariableId> pending;  // numbers that are there behind the row
  };

  Statements walk(Statements body) {
    std::vector<bool> apart;
    for (const Statement& statement : body) {
      const auto* branch = std::get_if<onf::If>(&statement.form);
      apart.push_back(branch != nullptr && !is_choice(body, *branch));
    }
    Statements made;
    Row row;
    for (std::size_t k = 0; k < body.size(); ++k) {
      Statement& statement = body[k];
      if (waits(statement, row)) {
        row.behind.push_back(std::move(statement));
        continue;
      }
      if (names_any(statement, row.pending)) flush_folds(row, made);
      if (const auto* fold = std::get_if<onf::Fold>(&statement.form);
          fold != nullptr && can_be_taken_apart(*fold)) {
        row.pending.insert(fold->variable);
        row.body.push_back(std::move(statement));
        continue;
      }
      if (!apart[k] && can_be_followed(statement)) {
        row.body.push_back(std::move(statement));
        continue;
      }
      if (!goes_before(statement, row)) {
        if (goes_behind(statement, row)) continue;
        flush(row, made);
      }
      descend(statement);
      made.push_back(std::move(statement));
    }
    flush(row, made);
    return made;
  }

  // Its terms are what `build` can follow.
  bool can_be_taken_apart(const onf::Fold& fold) {
    const auto apart = folds_.find(fold.variable);
    if (apart == folds_.end()) return false;
    const std::size_t views = function().views.size(), blocks = function().blocks.size();
    onf::Nest terms = apart->second.terms;
    terms.target = array_for("terms", apart->second.type, {}, terms.element.location);
    const Statements row = {{onf::Allocate{terms.target}, terms.element.location},
                            {std::move(terms), fold.element.location}};
    const Uses uses(module_, row);
    onf::Function alone;
    describe(alone, uses, row);
    const bool followed = !obstacle_of(std::move(alone));
    function().views.resize(views);
    function().blocks.resize(blocks);
    return followed;
  }

  static bool names_any(const Statement& statement, const std::set<VariableId>& variables) {
    return names_any(Statements{statement}, variables);
  }
  static bool names_any(const Statements& list, const std::set<VariableId>& variables) {
    if (variables.empty()) return false;
    const Mentions mentions = mentions_of(list);
    return std::ranges::any_of(
        variables, [&](VariableId variable) { return mentions.variables.contains(variable); });
  }

  // Is it a number that is computed of folds of the row, and of no array? Then so is its variable.
  static bool waits(const Statement& statement, Row& row) {
    if (!names_any(statement, row.pending)) return false;
    const auto* let = std::get_if<onf::Let>(&statement.form);
    const auto* assign = std::get_if<onf::Assign>(&statement.form);
    const Expr* value = let != nullptr && let->value ? &*let->value
                        : assign != nullptr          ? &assign->value
                                                     : nullptr;
    if (value == nullptr || onf::names_views(*value)) return false;
    const VariableId variable = let != nullptr ? let->variable : assign->variable;
    if (assign != nullptr && mentions_of(row.body).variables.contains(variable)) return false;
    row.pending.insert(variable);
    return true;
  }

  // May a number that no array is read for be computed, or tested, before the row? A row cannot
  // fail.
  static bool goes_before(const Statement& statement, const Row& row) {
    if (const auto* let = std::get_if<onf::Let>(&statement.form))
      return !let->value || !onf::names_views(*let->value);
    if (const auto* check = std::get_if<onf::Check>(&statement.form))
      return !onf::names_views(check->condition) &&
             std::ranges::none_of(check->numbers, onf::names_views);
    const auto* assign = std::get_if<onf::Assign>(&statement.form);
    return assign != nullptr && !onf::names_views(assign->value) &&
           !mentions_of(row.body).variables.contains(assign->variable) &&
           !mentions_of(row.behind).variables.contains(assign->variable);
  }

  // Sets numbers that the row has read, from numbers alone, and cannot fail: it stands behind the
  // row then.
  static bool goes_behind(Statement& statement, Row& row) {
    std::set<VariableId> set;
    if (weight_of(row.body) == 0 || !sets_numbers({statement}, set)) return false;
    row.pending.insert(set.begin(), set.end());
    row.behind.push_back(std::move(statement));
    return true;
  }
  static bool is_safe_number(const Expr& value) {
    return !onf::names_views(value) && onf::always_has_value(value);
  }
  static bool sets_numbers(const Statements& body, std::set<VariableId>& set) {
    return std::ranges::all_of(body, [&](const Statement& statement) {
      if (const auto* branch = std::get_if<onf::If>(&statement.form)) {
        return is_safe_number(branch->condition) && sets_numbers(branch->then, set) &&
               sets_numbers(branch->otherwise, set);
      }
      const auto* assign = std::get_if<onf::Assign>(&statement.form);
      if (assign == nullptr || !is_safe_number(assign->value)) return false;
      set.insert(assign->variable);
      return true;
    });
  }

  void descend(Statement& statement) {
    onf::each_list_of(statement, [&](Statements& inner) { inner = walk(std::move(inner)); });
  }

  // The row behind what was made: as a call of a part, or as it is.
  void flush(Row& row, Statements& made) {
    Statements apart = take_bare_declarations(row.body);
    if (!flush_with_folds(row.body, made)) flush_between_folds(row.body, made);
    std::ranges::move(apart, std::back_inserter(made));
    std::ranges::move(row.behind, std::back_inserter(made));
    row = {};
  }

  // What the folds do not need begins the next row, if fewer arrays are stored for that one then.
  void flush_folds(Row& row, Statements& made) {
    Statements behind;
    if (std::ranges::any_of(row.body, is_fold)) {
      auto parted = parted_by_folds(row.body);
      const auto stored = [&](const Statements& body) {
        return escaping_of(body, Uses(module_, body)).size();
      };
      // Numbers that have been set since are there behind the folds.
      const bool stays = !parted || names_any(parted->behind, row.pending);
      if (!stays && stored(parted->folds) < stored(row.body)) {
        row.body = std::move(parted->folds);
        behind = std::move(parted->behind);
      }
    }
    flush(row, made);
    row.body = std::move(behind);
  }

  // With the terms of its folds as arrays, and behind it folds of the rows of these.
  bool flush_with_folds(Statements& row, Statements& made) {
    if (weight_of(row) == 0 || std::ranges::none_of(row, is_fold)) return false;
    const auto left = left_;
    const auto taken = taken_;
    const int numbered = numbered_;
    const std::size_t views = function().views.size(), blocks = blocks_,
                      variables = function().variables.size();
    Statements with, behind;
    for (const Statement& statement : row) {
      if (is_fold(statement)) {
        take_apart(std::get<onf::Fold>(statement.form), statement.location, with, behind);
      } else {
        with.push_back(statement);
      }
    }
    blocks_ = function().blocks.size();
    if (outline(with, made)) {
      std::ranges::move(behind, std::back_inserter(made));
      return true;
    }
    left_ = left;
    taken_ = taken;
    numbered_ = numbered;
    blocks_ = blocks;
    function().views.resize(views);
    function().blocks.resize(blocks);
    function().variables.resize(variables);
    return false;
  }

  void flush_between_folds(Statements& row, Statements& made) {
    Statements between;
    for (Statement& statement : row) {
      if (!is_fold(statement)) {
        between.push_back(std::move(statement));
        continue;
      }
      flush_alone(between, made);
      made.push_back(std::move(statement));
    }
    flush_alone(between, made);
  }

  static bool is_fold(const Statement& statement) {
    return std::holds_alternative<onf::Fold>(statement.form);
  }

  void take_apart(const onf::Fold& fold, term::LocationId location, Statements& with,
                  Statements& behind) {
    const DomainFold& apart = folds_.at(fold.variable);
    const std::string name = function().variables[onf::number(fold.variable)].name;
    std::vector<bool> broadcast(static_cast<std::size_t>(module_.rank), false);
    onf::Nest terms = apart.terms;
    terms.target = array_for(name + "_terms", apart.type, {}, location);
    broadcast.back() = true;
    const ViewId rows = array_for(name + "_rows", apart.type, std::move(broadcast), location);
    terms.label = function().name + ": " + name;
    all_.views[terms.target] = 0;
    all_.views[rows] = std::numeric_limits<std::size_t>::max();  // named behind the row
    with.push_back({onf::Allocate{terms.target}, location});
    const ViewId source = terms.target;
    with.push_back({std::move(terms), location});
    with.push_back({onf::Allocate{rows}, location});
    with.push_back({onf::RowFold{rows, source, apart.function, apart.begins_anew}, location});
    behind.push_back({fold_of_rows(function(), fold, rows, module_.rank), location});
  }
  ViewId array_for(const std::string& name, onf::Scalar type, std::vector<bool> broadcast,
                   term::LocationId location) {
    onf::Block block;
    block.element = type;
    block.box.assign(static_cast<std::size_t>(module_.rank),
                     {module_.pad, module_.pad, onf::Outside::circular});
    block.broadcast = std::move(broadcast);
    function().blocks.push_back(std::move(block));
    function().views.push_back(
        {name, static_cast<onf::BlockId>(function().blocks.size() - 1), {}, false, true, location});
    return static_cast<ViewId>(function().views.size() - 1);
  }

  // Of arrays that the row does not set, as a branch behind it does, or a statement that waits for
  // a fold of the row: nothing would be given back.
  static Statements take_bare_declarations(Statements& row) {
    const Mentions mentions = mentions_of(row);
    const auto bare = std::ranges::stable_partition(row, [&](const Statement& statement) {
      const auto* declared = std::get_if<onf::Declare>(&statement.form);
      const auto* allocated = std::get_if<onf::Allocate>(&statement.form);
      if (declared == nullptr && allocated == nullptr) return true;
      return mentions.views.at(declared != nullptr ? declared->view : allocated->view) > 1;
    });
    Statements taken(std::move_iterator(bare.begin()), std::move_iterator(bare.end()));
    row.erase(bare.begin(), bare.end());
    return taken;
  }

  void flush_alone(Statements& row, Statements& made) {
    if (is_asked_first(row)) {
      for (Statement& statement : row) {
        descend(statement);
        made.push_back(std::move(statement));
      }
      return row.clear();
    }
    const int weight = weight_of(row);
    if (weight > 1 && outline(row, made)) {
      row.clear();
      return;
    }
    for (Statement& statement : row) {
      const bool refills = std::holds_alternative<onf::Refill>(statement.form) ||
                           std::holds_alternative<onf::Mutate>(statement.form);
      if (!refills || weight > 1) made.push_back(std::move(statement));
    }
    row.clear();
  }

  // Is there nothing in the row but branches, and one that may do nothing?
  static bool is_asked_first(const Statements& row) {
    bool any = false;
    for (const Statement& statement : row) {
      const auto* branch = std::get_if<onf::If>(&statement.form);
      if (branch == nullptr && weight_of({statement}) > 0) return false;
      any = any || (branch != nullptr && !has_two_sides(*branch));
    }
    return any;
  }

  bool outline(const Statements& row, Statements& made) {
    const std::size_t views = function().views.size();
    const bool done = made_of(row, made);
    function().views.resize(views);
    function().blocks.resize(blocks_);
    return done;
  }

  bool made_of(const Statements& row, Statements& made) {
    const Uses uses(module_, row);
    const std::vector<ViewId> escaping = escaping_of(row, uses);
    // One that is declared elsewhere, too, has two declarations.
    for (const ViewId view : uses.declared) {
      if (uses.of.contains(view)) return false;
    }
    onf::Function part;
    describe(part, uses, row);
    part.name = name_of_part();
    part.procedure = true;
    part.part_of = id_;
    part.location = row.front().location;
    onf::Call call = call_of(part, escaping);
    for (const ViewId view : escaping) give_back(part, view);
    if (const auto obstacle = obstacle_of(part)) {
      if (!left_) left_ = obstacle;
      return false;
    }
    take_own_names(part, function(), uses);
    for (const ViewId view : escaping) made.push_back({onf::Declare{view}, part.location});
    made.push_back({std::move(call), part.location});
    made_.push_back(std::move(part));
    return true;
  }

  // Arrays that the row declares and others name.
  std::vector<ViewId> escaping_of(const Statements& row, const Uses& uses) const {
    const Mentions inside = mentions_of(row);
    std::vector<ViewId> escaping;
    for (const ViewId view : uses.declared) {
      if (all_.views.at(view) > inside.views.at(view)) escaping.push_back(view);
    }
    return escaping;
  }

  // Its arguments, in names of the function around it, and its statements.
  void describe(onf::Function& part, const Uses& uses, const Statements& row) const {
    for (const ViewId view : uses.order) {
      const Use& use = uses.of.at(view);
      const term::Mode mode = !use.written     ? term::Mode::obs
                              : use.read_first ? term::Mode::upd
                                               : term::Mode::out;
      part.arguments.push_back({mode, view, {}});
    }
    for (const VariableId variable : uses.variables) {
      if (uses.inner.contains(variable)) continue;
      const auto literal = literals_.find(variable);
      if (literal != literals_.end()) {
        part.body.push_back({literal->second, row.front().location});
      } else {
        part.arguments.push_back({term::Mode::obs, std::nullopt, variable});
      }
    }
    part.body.insert(part.body.end(), row.begin(), row.end());
  }

  onf::Call call_of(const onf::Function& part, const std::vector<ViewId>& escaping) {
    Expr call;
    call.kind = Expr::Kind::call;
    call.callee = static_cast<onf::FunctionId>(onf::number(part_) + made_.size());
    call.location = part.location;
    for (const onf::Argument& argument : part.arguments) {
      call.operands.push_back(
          argument.view
              ? of_view(*argument.view, part.location)
              : onf::of_variable(argument.variable,
                                 function().variables[onf::number(argument.variable)].type,
                                 part.location));
    }
    for (const ViewId view : escaping) call.operands.push_back(of_view(view, part.location));
    return {std::nullopt, std::move(call)};
  }
  Expr of_view(ViewId view, term::LocationId location) {
    Expr e;
    e.kind = Expr::Kind::view;
    e.view = view;
    const onf::View& named = function().views[onf::number(view)];
    e.type = {Representation::Kind::array, function().blocks[onf::number(named.block)].element, {}};
    e.location = location;
    return e;
  }

  // An argument that becomes the array. It is a name of the whole function until the part owns its
  // names.
  void give_back(onf::Function& part, ViewId view) {
    const auto handle = static_cast<ViewId>(function().views.size());
    onf::View named = function().views[onf::number(view)];
    onf::Block block = function().blocks[onf::number(named.block)];
    named.block = static_cast<onf::BlockId>(function().blocks.size());
    named.temporary = false;
    named.name += "_out";
    function().views.push_back(std::move(named));
    function().blocks.push_back(std::move(block));
    part.arguments.push_back({term::Mode::out, handle, {}});
    part.body.push_back({onf::Share{handle, view, false, true}, part.location});
  }

  std::string name_of_part() {
    const std::string stem = function().name + "_part_";
    std::string name;
    do {
      name = stem + std::to_string(++numbered_);
    } while (!taken_.insert(name).second);
    return name;
  }

  onf::Module& module_;
  onf::FunctionId id_;
  const std::function<Followed(onf::FunctionId)>& followed_;
  onf::FunctionId part_{};
  Statements before_, body_;
  Mentions all_;
  std::map<VariableId, onf::Let> literals_;
  std::map<VariableId, DomainFold>
      folds_;                  // that may stand in a row, by what they are the value of
  std::size_t variables_ = 0;  // of the function, as it was
  std::set<std::string> taken_;
  std::vector<onf::Function> made_;
  std::optional<Obstacle> left_;
  std::size_t blocks_ = 0;  // of the function
  int numbered_ = 0;
  bool calls_ = false;
};

}  // namespace

std::optional<Outlined> outline(onf::Module& module, onf::FunctionId id,
                                const std::function<Followed(onf::FunctionId)>& followed,
                                FoldsByRows folds) {
  return Outlining(module, id, followed, folds).run();
}

}  // namespace rhopsi::schedule
