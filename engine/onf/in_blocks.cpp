#include "engine/onf/in_blocks.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <utility>

#include "engine/onf/each_name.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/nests.hpp"
#include "engine/onf/tile.hpp"

namespace rhopsi::onf {

namespace {

constexpr std::int64_t largest = 4096;

const Block& block_of(const Function& function, ViewId view) {
  return function.blocks[number(function.views[number(view)].block)];
}

bool is_joined(const std::vector<const Nest*>& nests, std::size_t at) {
  return nests[at]->joined || (at + 1 < nests.size() && nests[at + 1]->joined);
}

// How often arrays are named where blocks are seen: by what makes, reads and measures them.
class Seen {
 public:
  explicit Seen(const Function& function) {
    each_nest(function.body, [this](const Nest& nest, const Pipeline* pipeline) {
      if (pipeline == nullptr) nests_.push_back(&nest);
    });
    for (std::size_t at = 0; at < nests_.size(); ++at) {
      const Nest& nest = *nests_[at];
      if (!nest.box || nest.padded || is_joined(nests_, at)) continue;
      each_load(nest, [this](const Expr& load) { ++count_[load.view]; });
      if (nest.tile) continue;
      for (const ViewId target : targets_of(nest)) ++count_[target];
    }
    each_in(
        function.body,
        [this](const auto& s) {
          if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Allocate>)
            count_[s.view] += s.in_place_of ? 0 : 1;
        },
        [this](const Expr& whole) {
          each_part(whole, [this](const Expr& e) {
            if (e.kind == Expr::Kind::length) ++count_[e.view];
          });
        });
  }
  int times(ViewId view) const {
    const auto found = count_.find(view);
    return found == count_.end() ? 0 : found->second;
  }
  const std::vector<const Nest*>& nests() const { return nests_; }

 private:
  std::map<ViewId, int> count_;
  std::vector<const Nest*> nests_;
};

bool is_given(const Function& function, ViewId view) {
  return !function.views[number(view)].chain.empty() || function.result_view == view ||
         std::ranges::any_of(function.arguments,
                             [&](const Argument& argument) { return argument.view == view; });
}

bool reads(const Nest& nest, ViewId view) {
  bool found = false;
  each_load(nest, [&](const Expr& load) { found = found || load.view == view; });
  return found;
}

std::string wrong_with_blocks(const Function& function, const Seen& seen, ViewId view) {
  const Block& block = block_of(function, view);
  if (!block.extents || block.extents->size() < 2) return "but has no two axes of its own";
  const bool power = std::has_single_bit(static_cast<std::uint64_t>(block.in_blocks));
  if (!power || block.in_blocks < 2 || block.in_blocks > largest)
    return "which are no power of two up to " + std::to_string(largest);
  if (is_given(function, view)) return "but others than the function know it";
  int named = 0;
  each_name(
      function.body, [&](ViewId other) { named += other == view ? 1 : 0; }, [](VariableId) {});
  if (named != seen.times(view)) return "but is named by what sees rows";
  for (const Nest* nest : seen.nests()) {
    if (nest->tile && reads(*nest, view) && !reads_whole_vectors(*nest, view, block.in_blocks))
      return "of which a tile reads vectors that go from one to the next";
  }
  return {};
}

}  // namespace

bool reads_whole_vectors(const Nest& nest, ViewId array, std::int64_t in_blocks) {
  const VariableId lane = nest.indices.back();
  const Expr& low = nest.box->back().low;
  const bool even =
      low.kind == Expr::Kind::integer && low.integer == 0 && in_blocks % nest.tile->lanes == 0;
  bool whole = true;
  each_load(nest, [&](const Expr& load) {
    if (load.view != array || !is_next_to(load, lane)) return;
    const Expr& last = load.operands.back();
    whole = whole && even && last.kind == Expr::Kind::variable && last.variable == lane;
  });
  return whole;
}

std::vector<Problem> check_blocks(const Function& function) {
  std::vector<Problem> problems;
  std::optional<Seen> seen;
  for (std::size_t k = 0; k < function.views.size(); ++k) {
    const auto view = static_cast<ViewId>(k);
    if (block_of(function, view).in_blocks == 0) continue;
    if (!seen) seen.emplace(function);
    const std::string wrong = wrong_with_blocks(function, *seen, view);
    if (wrong.empty()) continue;
    problems.push_back({"E0525", function.views[k].name + " lies in blocks, " + wrong,
                        "let it lie in rows", function.views[k].location});
  }
  return problems;
}

}  // namespace rhopsi::onf
