// Sweeps that go through their rows by turns: what one makes of some rows the next one reads while
// they are in a cache.
#include <algorithm>
#include <utility>

#include "engine/onf/row_blocks.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/own_sweeps.hpp"

namespace rhopsi::schedule {

using onf::Nest;
using onf::Statement;
using onf::Statements;
using onf::ViewId;

namespace {

// One group of a list after the other.
class TakingTurns {
 public:
  TakingTurns(OwnWork& work, Statements& list)
      : work_(work), list_(list), places_(work.module, work.function) {}

  void run() {
    for (std::size_t at = 0; at < list_.size(); ++at) {
      if (is_whole(at)) at = group_from(at);
    }
  }

 private:
  // Is it a nest over a box that is no part of a loop over several?
  bool is_whole(std::size_t at) const {
    const auto* const nest = std::get_if<Nest>(&list_[at].form);
    if (nest == nullptr || !nest->box || nest->box->empty() || nest->joined || list_[at].lines)
      return false;
    const auto* const next =
        at + 1 < list_.size() ? std::get_if<Nest>(&list_[at + 1].form) : nullptr;
    return next == nullptr || !next->joined;
  }

  // The place of the last nest of the group that begins there, or of that one.
  std::size_t group_from(std::size_t first) {
    group_ = {first};
    std::vector<std::size_t> fresh;
    std::size_t last_fresh = 0;
    for (std::size_t at = first + 1; at < list_.size(); ++at) {
      if (const auto* const made = std::get_if<onf::Allocate>(&list_[at].form)) {
        if (!made->in_place_of) fresh.push_back(at);
        continue;
      }
      if (!is_whole(at) || !joins(at)) break;
      group_.push_back(at);
      last_fresh = fresh.size();
    }
    fresh.resize(last_fresh);
    if (group_.size() < 2) return first;
    take(fresh);
    return group_.back();
  }

  bool joins(std::size_t at) {
    Nest& nest = nest_at(list_, at);
    const Nest& first = nest_at(list_, group_.front());
    const onf::Interval own = nest.box->front();
    const bool same = places_.equal(nest.target, own.low, first.box->front().low) &&
                      places_.equal(nest.target, own.high, first.box->front().high);
    if (same) nest.box->front() = first.box->front();
    std::vector<const Nest*> all = nests();
    const std::vector<ViewId> before = onf::arrays_in_rows(all),
                              here = onf::arrays_in_rows({&nest});
    all.push_back(&nest);
    auto obstacle = onf::row_block_obstacle(work_.function, all);
    const bool shares =
        std::ranges::any_of(here, [&](ViewId view) { return contains(before, view); });
    if (!obstacle && shares) return true;
    nest.box->front() = own;
    if (shares) {
      work_.record("pipeline", nest.target, names(all) + ": all rows of each",
                   names(all) + ": all rows of each",
                   {obstacle->what, false, "accesses", "", obstacle->location});
    }
    return false;
  }

  void take(const std::vector<std::size_t>& fresh) {
    const std::string all = names(nests());
    for (const std::size_t at : group_) {
      nest_at(list_, at).row_blocks = at != group_.front();
      add_step(nest_at(list_, at).made_by, "pipeline");
    }
    work_.record("pipeline", nest_at(list_, group_.front()).target, all + ": all rows of each",
                 "some rows of each by turns",
                 {"each reads the others' rows at its own index alone", true, "accesses"});
    bring_forward(list_, fresh, group_.front());
  }

  std::vector<const Nest*> nests() {
    std::vector<const Nest*> found;
    for (const std::size_t at : group_) found.push_back(&nest_at(list_, at));
    return found;
  }
  std::string names(const std::vector<const Nest*>& nests) const {
    std::string text;
    for (const Nest* nest : nests) text += (text.empty() ? "" : ", ") + work_.name(nest->target);
    return text;
  }

  OwnWork& work_;
  Statements& list_;
  OwnPlaces places_;
  std::vector<std::size_t> group_;  // of nests
};

}  // namespace

void take_turns_own(OwnWork& work) {
  each_list(work.function.body, [&](Statements& list) { TakingTurns(work, list).run(); });
}

}  // namespace rhopsi::schedule
