#include "engine/onf/lines.hpp"

#include <algorithm>
#include <set>
#include <type_traits>
#include <utility>

#include "engine/onf/alike.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/nest_variables.hpp"

namespace rhopsi::onf {

namespace {

class Blocks {
 public:
  ViewId of(ViewId view) const {
    const auto found = first_.find(view);
    return found == first_.end() ? view : found->second;
  }
  void give(ViewId view, ViewId from) { first_.insert_or_assign(view, of(from)); }
  void follow(std::span<const Statement> group) {
    for (const Statement& statement : group) {
      if (const auto* made = std::get_if<Allocate>(&statement.form)) {
        if (made->in_place_of) give(made->view, *made->in_place_of);
      } else if (const auto* declared = std::get_if<Declare>(&statement.form)) {
        open_.insert(declared->view);
      } else if (const auto* share = std::get_if<Share>(&statement.form)) {
        if (share->declares || open_.erase(share->target) > 0) give(share->target, share->source);
      } else if (const auto* loop = std::get_if<For>(&statement.form)) {
        follow(loop->body);
      } else if (const auto* branch = std::get_if<If>(&statement.form)) {
        follow(branch->then);
        follow(branch->otherwise);
      }
    }
  }
  std::map<ViewId, ViewId> take() { return std::move(first_); }

 private:
  std::map<ViewId, ViewId> first_;
  std::set<ViewId> open_;  // declared, and nothing yet
};

// Does the list make the array, or set it anew, and name it nowhere behind the place where it
// becomes the other one, or until then? A block of two arrays is that of one line by line.
class LastNames {
 public:
  LastNames(const Function& function, const Share& share) : function_(function), share_(share) {
    if (look_into(function.body, true)) hold = false;
  }
  bool hold = true;

 private:
  // Is it open behind the list whether the array is named again? Then it is not the list's own.
  bool look_into(const Statements& list, bool outermost) {
    bool made = outermost && is_argument(), behind = false;
    for (const Statement& statement : list) {
      const auto* const share = std::get_if<Share>(&statement.form);
      if (share != nullptr && share->target == share_.source)
        behind = false;  // from here on it is another array
      else if (behind && names(statement))
        hold = false;
      std::visit([&](const auto& form) { look_at(form, made, behind); }, statement.form);
    }
    return behind && !made;
  }
  template <class Form>
  void look_at(const Form& form, bool& made, bool& behind) {
    if constexpr (std::is_same_v<Form, Allocate> || std::is_same_v<Form, Declare>)
      made = made || form.view == share_.source;
    if constexpr (std::is_same_v<Form, Share>) {
      made = made || (form.declares && form.target == share_.source);
      behind = behind || (form.target == share_.target && form.source == share_.source);
    }
    if constexpr (requires { form.then; }) {
      const bool then = look_into(form.then, false), otherwise = look_into(form.otherwise, false);
      behind = behind || then || otherwise;
    }
    // Behind the end of a round the next one begins.
    if constexpr (requires { form.before; })
      if (look_into(form.before, false)) hold = false;
    if constexpr (requires { form.body; } && !std::is_same_v<Form, Nest>)
      if (look_into(form.body, false)) hold = false;
  }
  bool is_argument() const {
    return std::ranges::any_of(function_.arguments, [&](const Argument& argument) {
      return argument.view == share_.source;
    });
  }
  bool names(const Statement& statement) const {
    bool found = false;
    const ViewId view = share_.source;
    const auto form = [&](const auto& s) {
      using Form = std::decay_t<decltype(s)>;
      if constexpr (std::is_same_v<Form, Share>) found = found || s.source == view;
      if constexpr (std::is_same_v<Form, Allocate>) found = found || s.in_place_of == view;
      if constexpr (std::is_same_v<Form, Nest>)
        found = found || std::ranges::count(targets_of(s), view) > 0;
    };
    const std::span one(&statement, 1);
    each_in(one, form, [&](const Expr& whole) {
      each_part(whole, [&](const Expr& e) {
        const bool elements = e.kind == Expr::Kind::load || e.kind == Expr::Kind::view;
        found = found || (elements && e.view == view);
      });
    });
    return found;
  }

  const Function& function_;
  const Share& share_;
};

class LineByLine {
 public:
  LineByLine(const Function& function, std::span<const Statement> group,
             const std::vector<std::size_t>& axes)
      : function_(function),
        group_(group),
        axes_(axes),
        nests_(nests_in_lines(group)),
        declared_(declared_in({group.begin(), group.end()})) {
    blocks_.follow(group);
    for (const Nest* nest : nests_) {
      for (const ViewId target : targets_of(*nest)) written_.insert(blocks_.of(target));
    }
  }

  std::optional<LineObstacle> obstacle() {
    if (nests_.empty()) fail("nothing is computed");
    statements(group_, true);
    return std::move(found_);
  }

 private:
  void fail(std::string what, term::LocationId location = {}) {
    if (!found_) found_ = LineObstacle{std::move(what), location};
  }
  const std::string& name(ViewId view) const { return function_.views[number(view)].name; }

  void statements(std::span<const Statement> list, bool outermost) {
    for (const Statement& statement : list) {
      location_ = statement.location;
      if (const auto* nest = std::get_if<Nest>(&statement.form)) {
        look_at_box(*nest);
        look_at_body(*nest);
      } else if (const auto* loop = std::get_if<For>(&statement.form)) {
        if (reads(loop->low) || reads(loop->high)) fail("arrays tell how many rounds there are");
        statements(loop->body, false);
      } else if (const auto* made = std::get_if<Allocate>(&statement.form)) {
        if (!made->in_place_of && !(outermost && is_of_lines_alone(function_, group_, made->view)))
          fail(name(made->view) + " gets a block of its own", location_);
      } else if (const auto* share = std::get_if<Share>(&statement.form)) {
        if (blocks_.of(share->target) != blocks_.of(share->source))
          fail(name(share->target) + " becomes " + name(share->source), location_);
        if (!found_ && !LastNames(function_, *share).hold)
          fail(name(share->source) + " is needed beside " + name(share->target), location_);
      } else if (const auto* branch = std::get_if<If>(&statement.form); branch && in_order()) {
        statements(branch->then, false);
        statements(branch->otherwise, false);
      } else if (const auto* let = std::get_if<Let>(&statement.form)) {
        const bool number = let->constant && let->value && !reads(*let->value);
        if (outermost || (!number && !in_order()))
          fail("numbers are computed between what is done", location_);
      } else if (!in_order() || outermost ||
                 !(std::holds_alternative<Assign>(statement.form) ||
                   std::holds_alternative<Declare>(statement.form))) {
        fail("something else is done between", location_);
      }
    }
  }

  // Without axes all is done in its order.
  bool in_order() const { return axes_.empty(); }

  static bool reads(const Expr& whole) {
    bool found = false;
    each_part(whole, [&](const Expr& e) {
      found = found || e.kind == Expr::Kind::load || e.kind == Expr::Kind::view ||
              e.kind == Expr::Kind::call || e.kind == Expr::Kind::external;
    });
    return found;
  }
  // Is the number the same in all rounds?
  bool is_known_before(const Expr& whole) const {
    bool known = !reads(whole);
    each_part(whole, [&](const Expr& e) {
      known = known && !(e.kind == Expr::Kind::variable && declared_.contains(e.variable));
    });
    return known;
  }

  void look_at_box(const Nest& nest) {
    const std::string& target = name(nest.target);
    const std::size_t first_axes = nests_.front()->box.value_or(std::vector<Interval>{}).size();
    if (!nest.box || (!in_order() && nest.box->size() != first_axes))
      return fail(target + " has another number of axes", location_);
    for (const std::size_t axis : axes_) {
      if (axis >= nest.box->size()) return fail(target + " has no such axis", location_);
      const Interval &own = (*nest.box)[axis], &first = (*nests_.front()->box)[axis];
      if (!is_known_before(own.low) || !is_known_before(own.high))
        fail("each round has other indices of axis " + std::to_string(axis), location_);
      if (!is_same(own.low, first.low) || !is_same(own.high, first.high))
        fail("the indices of axis " + std::to_string(axis) + " are not known to be the same",
             location_);
    }
    for (const Interval& interval : *nest.box) {
      if (reads(interval.low) || reads(interval.high)) fail("an array tells where a box ends");
    }
    if (nest.tile) fail("folds of " + target + " are computed in tiles", location_);
    if (nest.row_blocks || nest.strip != 0 || !nest.loops.empty() || nest.period || nest.joined)
      fail("the loops of " + target + " have an order of their own", location_);
    for (const ViewId written : targets_of(nest)) {
      if (function_.blocks[number(function_.views[number(written)].block)].in_blocks != 0)
        fail(name(written) + " lies in blocks", location_);
    }
  }

  void look_at_body(const Nest& nest) {
    const auto form = [&](const auto& s) {
      if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Check>)
        fail("an element of " + name(nest.target) + " may be an error: " + s.message, location_);
    };
    each_in(nest.body, form, [](const Expr&) {});
    each_of(nest,
            [&](const Expr& whole) { each_part(whole, [&](const Expr& e) { look_at(nest, e); }); });
  }
  void look_at(const Nest& nest, const Expr& e) {
    if (e.kind == Expr::Kind::view) return fail(name(e.view) + " is handed on", e.location);
    if (e.kind != Expr::Kind::load || !written_.contains(blocks_.of(e.view))) return;
    for (const std::size_t axis : axes_) {
      const bool own = axis < e.operands.size() && axis < nest.indices.size() &&
                       e.operands.size() == nest.indices.size() &&
                       e.operands[axis].kind == Expr::Kind::variable &&
                       e.operands[axis].variable == nest.indices[axis];
      if (!own)
        return fail(name(e.view) + " is read for " + name(nest.target) +
                        " at other indices of axis " + std::to_string(axis),
                    e.location);
    }
  }

  const Function& function_;
  const std::span<const Statement> group_;
  const std::vector<std::size_t>& axes_;
  const std::vector<const Nest*> nests_;
  const std::set<VariableId> declared_;
  Blocks blocks_;
  std::set<ViewId> written_;  // by whose block it is
  term::LocationId location_{};
  std::optional<LineObstacle> found_;
};

// How often one of the arrays is named, by its elements, its block or its lengths.
std::size_t namings(std::span<const Statement> list, const std::set<ViewId>& views) {
  std::size_t found = 0;
  const auto count = [&](ViewId view) { found += views.contains(view) ? 1 : 0; };
  const auto form = [&](const auto& s) {
    using Form = std::decay_t<decltype(s)>;
    if constexpr (std::is_same_v<Form, Share>) count(s.source), count(s.target);
    if constexpr (std::is_same_v<Form, Allocate>) {
      count(s.view);
      if (s.in_place_of) count(*s.in_place_of);
    }
    if constexpr (std::is_same_v<Form, Nest>) {
      for (const ViewId target : targets_of(s)) count(target);
    }
  };
  each_in(list, form, [&](const Expr& whole) {
    each_part(whole, [&](const Expr& e) {
      const bool names = e.kind == Expr::Kind::load || e.kind == Expr::Kind::view;
      if (names || e.kind == Expr::Kind::length) count(e.view);
    });
  });
  return found;
}
bool tells_lengths(const Block& block, const std::set<ViewId>& views) {
  bool tells = false;
  for (const Expr& extent : block.extents.value_or(std::vector<Expr>{})) {
    each_part(extent, [&](const Expr& e) {
      tells = tells || (e.kind == Expr::Kind::length && views.contains(e.view));
    });
  }
  return tells;
}

void add_nests(std::span<const Statement> list, std::vector<const Nest*>& found) {
  for (const Statement& statement : list) {
    if (const auto* nest = std::get_if<Nest>(&statement.form)) found.push_back(nest);
    if (const auto* loop = std::get_if<For>(&statement.form)) add_nests(loop->body, found);
    if (const auto* branch = std::get_if<If>(&statement.form)) {
      add_nests(branch->then, found);
      add_nests(branch->otherwise, found);
    }
  }
}

}  // namespace

std::size_t lines_end(const Statements& list, std::size_t first) {
  std::size_t end = first + 1;
  while (end < list.size() && list[end].lines && list[end].lines->goes_on) ++end;
  return end;
}

std::vector<const Nest*> nests_in_lines(std::span<const Statement> group) {
  std::vector<const Nest*> found;
  add_nests(group, found);
  return found;
}

std::map<ViewId, ViewId> blocks_in_lines(std::span<const Statement> group) {
  Blocks blocks;
  blocks.follow(group);
  return blocks.take();
}

bool is_of_lines_alone(const Function& function, std::span<const Statement> group, ViewId view) {
  std::set<ViewId> views = {view};
  for (const auto& [other, block] : blocks_in_lines(group)) {
    if (block == view) views.insert(other);
  }
  for (const Block& block : function.blocks) {
    const bool own = &block == &function.blocks[number(function.views[number(view)].block)];
    if (!own && tells_lengths(block, views)) return false;
  }
  return namings(function.body, views) == namings(group, views);
}

std::optional<LineObstacle> line_obstacle(const Function& function,
                                          std::span<const Statement> group,
                                          const std::vector<std::size_t>& axes) {
  return LineByLine(function, group, axes).obstacle();
}

}  // namespace rhopsi::onf
