#include "engine/onf/row_blocks.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/onf/alike.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/nest_variables.hpp"

namespace rhopsi::onf {

namespace {

// Is it of the nest's own index of axis 0?
bool is_in_row(const Expr& load, const Nest& nest) {
  return load.kind == Expr::Kind::load && !load.operands.empty() && !nest.indices.empty() &&
         load.operands.front().kind == Expr::Kind::variable &&
         load.operands.front().variable == nest.indices.front();
}

class RowBlocks {
 public:
  RowBlocks(const Function& function, const std::vector<const Nest*>& nests)
      : function_(function), nests_(nests) {
    const auto form = [&](const auto& s) {
      if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Allocate>) {
        if (s.in_place_of) in_place_of_.emplace(s.view, *s.in_place_of);
      }
    };
    each_in(function.body, form, [](const Expr&) {});
    for (const Nest* nest : nests) {
      for (const ViewId target : targets_of(*nest)) written_.insert(memory_of(target));
    }
  }

  std::optional<RowBlockObstacle> obstacle() {
    for (const Nest* nest : nests_) {
      look_at_box(*nest);
      look_at_body(*nest);
      each_of(*nest, [&](const Expr& whole) {
        each_part(whole, [&](const Expr& e) { look_at(*nest, e); });
      });
    }
    return std::move(found_);
  }

 private:
  void fail(std::string what, term::LocationId location = {}) {
    if (!found_) found_ = RowBlockObstacle{std::move(what), location};
  }
  const std::string& name(ViewId view) const { return function_.views[number(view)].name; }
  ViewId memory_of(ViewId view) const {
    for (auto found = in_place_of_.find(view); found != in_place_of_.end();
         found = in_place_of_.find(view))
      view = found->second;
    return view;
  }
  std::size_t axes_of(ViewId view) const {
    const auto& extents = function_.blocks[number(function_.views[number(view)].block)].extents;
    return extents ? extents->size() : 0;
  }

  bool lies_in_blocks(ViewId view) const {
    return function_.blocks[number(function_.views[number(view)].block)].in_blocks != 0;
  }

  void look_at_box(const Nest& nest) {
    if (!nest.box || nest.box->empty()) return fail(name(nest.target) + " has no rows");
    const Interval &rows = nest.box->front(), &first = nests_.front()->box->front();
    if (!is_same(rows.low, first.low) || !is_same(rows.high, first.high))
      fail("their rows are not known to be the same");
    if (nest.joined) fail(name(nest.target) + " is made box by box");
    // How a fold is regrouped must not depend on how many rows there are at a time.
    if (nest.tile && nest.tile->regrouping && nest.tile->regrouping->few)
      fail(name(nest.target) + " is folded in blocks where it has few elements");
    if (nest.tile && nest.tile->packs) fail("the panels of " + name(nest.target) + " are shared");
    if (nest.tile && nest.tile->running == std::size_t{0})
      fail("what one row of " + name(nest.target) + " has come to goes on in the next one");
    for (const ViewId target : targets_of(nest)) {
      if (lies_in_blocks(target)) fail(name(target) + " lies in blocks");
    }
  }
  void look_at_body(const Nest& nest) {
    std::set<VariableId> within = declared_in(nest.body);
    if (!nest.indices.empty()) within.insert(nest.indices.front());
    const auto form = [&](const auto& s) {
      if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Check>)
        fail("an element of " + name(nest.target) + " may be an error: " + s.message);
      if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Fold>) {
        each_part(s.count, [&](const Expr& e) {
          if (e.kind == Expr::Kind::variable && within.contains(e.variable))
            fail("how long the folds of " + name(nest.target) + " are may depend on the row");
        });
      }
    };
    each_in(nest.body, form, [](const Expr&) {});
  }
  void look_at(const Nest& nest, const Expr& e) {
    if (e.kind == Expr::Kind::view) return fail(name(e.view) + " is handed on", e.location);
    if (e.kind == Expr::Kind::load && lies_in_blocks(e.view))
      return fail(name(e.view) + " lies in blocks", e.location);
    if (e.kind != Expr::Kind::load || is_in_row(e, nest)) return;
    if (axes_of(e.view) > 1 || written_.contains(memory_of(e.view)))
      fail("other rows of " + name(e.view) + " are read for " + name(nest.target), e.location);
  }

  const Function& function_;
  const std::vector<const Nest*>& nests_;
  std::map<ViewId, ViewId> in_place_of_;
  std::set<ViewId> written_;  // by whose memory it is
  std::optional<RowBlockObstacle> found_;
};

}  // namespace

std::vector<std::size_t> row_blocks_at(const Statements& list, std::size_t first) {
  std::vector<std::size_t> found{first};
  for (std::size_t at = first + 1; at < list.size(); ++at) {
    const auto* const nest = std::get_if<Nest>(&list[at].form);
    const auto* const made = std::get_if<Allocate>(&list[at].form);
    if (nest != nullptr && nest->row_blocks) {
      found.push_back(at);
    } else if (made == nullptr || !made->in_place_of) {
      break;
    }
  }
  return found;
}

std::optional<RowBlockObstacle> row_block_obstacle(const Function& function,
                                                   const std::vector<const Nest*>& nests) {
  return RowBlocks(function, nests).obstacle();
}

std::vector<ViewId> arrays_in_rows(const std::vector<const Nest*>& nests) {
  std::vector<ViewId> found;
  const auto add = [&](ViewId view) {
    if (std::ranges::find(found, view) == found.end()) found.push_back(view);
  };
  for (const Nest* nest : nests) {
    each_load(*nest, [&](const Expr& e) {
      if (is_in_row(e, *nest)) add(e.view);
    });
    for (const ViewId target : targets_of(*nest)) add(target);
  }
  return found;
}

}  // namespace rhopsi::onf
