// Folds beside each other in the elements of a nest, as arrays that nests of their own make.
#include "engine/schedule/separation.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/onf/each_name.hpp"
#include "engine/onf/tile.hpp"
#include "engine/schedule/fold_statements.hpp"
#include "engine/schedule/own_variables.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::Fold;
using onf::Let;
using onf::Nest;
using onf::Statement;
using onf::Statements;
using onf::VariableId;

class Separation {
 public:
  Separation(onf::Function& function, const Nest& nest, Statements body, term::LocationId location,
             const TileOf& tile_of)
      : function_(function),
        nest_(nest),
        body_(std::move(body)),
        location_(location),
        tile_of_(tile_of) {
    nest_.body.clear();
  }

  // The nest and what has to be before it; nothing where all would be as it was.
  std::optional<Statements> run() {
    const bool shared = share_same(function_, body_, nest_.element);
    drop_unused(0);
    for (std::size_t at = 0; at < body_.size();) {
      if (is_stored(at) && store(at)) {
        at -= drop_unused(at);
      } else {
        ++at;
      }
    }
    if (made_.empty() && !(shared && folds() == 1)) return std::nullopt;
    made_.push_back({remaining(), location_});
    return std::move(made_);
  }

 private:
  std::ptrdiff_t folds() const { return std::ranges::count_if(body_, is_fold); }

  // What the names need of the first `end` statements, and they.
  std::vector<bool> needed(std::set<VariableId> names, std::size_t end) const {
    std::vector<bool> found(body_.size(), false);
    for (std::size_t at = end; at-- > 0;) {
      if (!names.contains(name_of(body_[at]))) continue;
      found[at] = true;
      note_names(body_[at], names);
    }
    return found;
  }
  // What is only there for what has an array by now; how many of them were before `at`.
  std::size_t drop_unused(std::size_t at) {
    std::set<VariableId> names;
    note_names(nest_.element, names);
    const std::vector<bool> used = needed(names, body_.size());
    Statements kept;
    std::size_t before = 0;
    for (std::size_t each = 0; each < body_.size(); ++each) {
      if (used[each]) {
        kept.push_back(std::move(body_[each]));
      } else if (each < at) {
        ++before;
      }
    }
    body_ = std::move(kept);
    return before;
  }

  // Has statement `at` an array, if it has a tile?
  bool is_stored(std::size_t at) const {
    const auto* fold = std::get_if<Fold>(&body_[at].form);
    if (fold == nullptr) return is_between(at);
    const auto steps = known_steps(*fold);
    if (steps && *steps < fewest_steps) return false;
    // What is computed of it alone has the array.
    const auto reader = only_reader(at);
    return !(reader && is_between(*reader));
  }
  // Is it a quotient or root that is computed of a fold before and that a later fold needs?
  bool is_between(std::size_t at) const {
    const auto* let = std::get_if<Let>(&body_[at].form);
    if (let == nullptr || !onf::is_costly(*let->value)) return false;
    std::set<VariableId> later;
    for (std::size_t other = at + 1; other < body_.size(); ++other) {
      if (is_fold(body_[other])) later.insert(name_of(body_[other]));
    }
    if (!needed(later, body_.size())[at]) return false;
    const std::vector<bool> before = needed({name_of(body_[at])}, at + 1);
    for (std::size_t other = 0; other < at; ++other) {
      if (before[other] && is_fold(body_[other])) return true;
    }
    return reads_made(*let->value);  // of one that has an array by now
  }
  bool reads_made(const Expr& whole) const {
    bool found = false;
    onf::each_part(whole, [&](const Expr& e) {
      found = found || (e.kind == Expr::Kind::load && arrays_.contains(e.view));
    });
    return found;
  }
  std::optional<std::size_t> only_reader(std::size_t at) const {
    const VariableId name = name_of(body_[at]);
    std::set<VariableId> names;
    note_names(nest_.element, names);
    if (names.contains(name)) return std::nullopt;
    std::optional<std::size_t> found;
    for (std::size_t other = at + 1; other < body_.size(); ++other) {
      names.clear();
      note_names(body_[other], names);
      if (!names.contains(name)) continue;
      if (found) return std::nullopt;
      found = other;
    }
    return found;
  }

  // A nest of the value of statement `at` alone, with the nest's own names.
  Nest part_of(std::size_t at) const {
    Nest part = nest_;
    const std::vector<bool> taken = needed({name_of(body_[at])}, at + 1);
    for (std::size_t each = 0; each < at; ++each) {
      if (taken[each]) part.body.push_back(body_[each]);
    }
    if (const auto* let = std::get_if<Let>(&body_[at].form)) {
      part.element = *let->value;
    } else {
      part.body.push_back(body_[at]);
      part.element = {};
      part.element.kind = Expr::Kind::variable;
      part.element.variable = name_of(body_[at]);
      part.element.type = function_.variables[onf::number(name_of(body_[at]))].type;
      part.element.location = body_[at].location;
    }
    return part;
  }
  // What is left: in front what folds need, since what is computed before a fold is computed in it.
  Nest remaining() const {
    std::set<VariableId> folds;
    for (const Statement& statement : body_) {
      if (is_fold(statement)) folds.insert(name_of(statement));
    }
    const std::vector<bool> first = needed(folds, body_.size());
    Nest rest = nest_;
    for (const bool front : {true, false}) {
      for (std::size_t at = 0; at < body_.size(); ++at) {
        if (first[at] == front) rest.body.push_back(body_[at]);
      }
    }
    return rest;
  }

  // Gives the value of statement `at` an array, which is read in its place.
  bool store(std::size_t at) {
    Nest part = part_of(at);
    if (part.element.type.kind != onf::Representation::Kind::scalar ||
        part.element.type.scalar == onf::Scalar::boolean ||
        // What is there before the nest is not there before it is made.
        reads_block_of(function_, part, nest_.target)) {
      return false;
    }
    const onf::ViewId array = array_for(part.element.type.scalar);
    part.target = array;
    if (!is_worth_it(part)) {
      forget_array(function_);
      return false;
    }
    part.label = function_.name + ": " + function_.views[onf::number(array)].name;
    made_.push_back({onf::Allocate{array}, location_});
    made_.push_back({with_own_variables(function_, part), location_});
    arrays_.insert(array);
    const VariableId gone = name_of(body_[at]);
    body_.erase(body_.begin() + static_cast<std::ptrdiff_t>(at));
    each_read_of(gone, body_, nest_.element, [&](Expr& e) {
      const term::LocationId location = e.location;
      e = element_of(function_, array, nest_.indices, e.type);
      e.location = location;
    });
    return true;
  }
  bool is_worth_it(const Nest& part) const {
    if (std::ranges::none_of(part.body, is_fold)) return true;  // for the folds that need it
    const auto tile = tile_of_(part);
    if (!tile) return false;
    return folds() > 1 || tile_of_(remaining()) != tile;
  }

  onf::ViewId array_for(onf::Scalar element) {
    const onf::View& target = function_.views[onf::number(nest_.target)];
    return fresh_array(function_, target.name + "_" + std::to_string(arrays_.size() + 1), element,
                       *function_.blocks[onf::number(target.block)].extents, location_);
  }

  onf::Function& function_;
  Nest nest_;        // without its body
  Statements body_;  // what of it has no array
  term::LocationId location_;
  const TileOf& tile_of_;
  Statements made_;
  std::set<onf::ViewId> arrays_;
};

}  // namespace

std::optional<Statements> separated(onf::Function& function, const Nest& nest, Statements body,
                                    term::LocationId location, const TileOf& tile_of) {
  return Separation(function, nest, std::move(body), location, tile_of).run();
}

}  // namespace rhopsi::schedule
