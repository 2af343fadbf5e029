// Pipelines of teams: any number of teams with tiles of any size, in any order, each of any number
// of threads, which have any elements of a plane, but always the same. What a thread has computed
// of its own elements it remembers; of others it reads the rings. Between two barriers a thread may
// be anywhere in its own work; whatever two threads touch then, and one of them writes, is a race,
// whether or not the numbers came out right. What is fetched overwrites a plane of a ring a moment
// before it is there.
#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

#include "engine/onf/nest_variables.hpp"
#include "engine/onf/teams.hpp"
#include "tests/unit/schedule/form_run.hpp"

namespace rhopsi::schedule {

// A name, since a class that others know has members of these types.
namespace teams_run {

using Index = std::vector<std::int64_t>;

// Who touches an element, and between which barriers of its team.
struct Touch {
  std::size_t team = 0, phase = 0, thread = 0;
  // Does this one come before `later`, whatever the threads do?
  bool before(const Touch& later) const {
    return team == later.team && (phase < later.phase || thread == later.thread);
  }
};

// What has been done to one element.
class Touched {
 public:
  void read(const Touch& now) {
    after(writes_, now);
    note(reads_, now);
  }
  void write(const Touch& now) {
    after(writes_, now);
    after(reads_, now);
    note(writes_, now);
  }

 private:
  static void after(const std::vector<Touch>& earlier, const Touch& now) {
    for (const Touch& each : earlier) {
      if (!each.before(now)) throw std::logic_error("a race");
    }
  }
  static void note(std::vector<Touch>& touches, const Touch& now) {
    std::erase_if(touches, [&](const Touch& each) {
      return each.team == now.team && each.thread == now.thread;
    });
    touches.push_back(now);
  }
  std::vector<Touch> reads_, writes_;
};

struct Cell {
  std::int64_t plane = std::numeric_limits<std::int64_t>::min(), asked = plane;
  double value = 0;
  Touched touched = {};
};

// What is done of a plane: a stage of it, or that it is asked for.
struct Part {
  std::size_t stage;
  std::int64_t plane;
  bool asked = false;
};

// A thread's next element.
struct Element {
  std::size_t stage;
  Index index;
  bool asked = false;
};

struct TeamState {
  std::size_t number;
  Index low, high;
  std::map<onf::ViewId, std::vector<std::map<Index, Cell>>> rings;
  std::map<onf::ViewId, std::map<Index, double>> own = {};  // what threads remember
  std::size_t threads = 1;
  std::map<Index, std::size_t> thread_of = {};  // by index, that of axis 0 being 0
  std::vector<std::vector<Part>> phases = {};
  std::size_t phase = 0;
  std::vector<std::vector<Element>> work = {};  // of each thread in this phase, the next one last
  bool owns(const Index& index) const {
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      if (index[axis] < low[axis] || index[axis] >= high[axis]) return false;
    }
    return true;
  }
};

// Cuts [0, n) in pieces of at most `most`.
std::vector<std::int64_t> cut(std::int64_t n, std::int64_t most, std::mt19937& random) {
  std::vector<std::int64_t> ends = {0};
  while (ends.back() < n) {
    const std::int64_t longest = std::min(most, n - ends.back());
    ends.push_back(ends.back() + 1 + std::int64_t(random() % std::uint64_t(longest)));
  }
  return ends;
}

// What a team does between one barrier and the next.
void plan(const onf::Pipeline& s, TeamState& team) {
  team.phases.emplace_back();
  std::int64_t first = team.high[0], last = team.low[0];
  for (const onf::Pipeline::Stage& stage : s.stages) {
    first = std::min(first, team.low[0] - stage.beyond.low + stage.lag);
    last = std::max(last, team.high[0] + stage.beyond.high + stage.lag);
  }
  const auto add = [&](std::size_t k, std::int64_t plane, bool asked) {
    const onf::Pipeline::Stage& stage = s.stages[k];
    if (plane >= team.low[0] - stage.beyond.low && plane < team.high[0] + stage.beyond.high) {
      team.phases.back().push_back({k, plane, asked});
    }
  };
  for (std::int64_t moment = first - 1; moment < last; ++moment) {
    for (std::size_t k = 0; k < s.stages.size(); ++k) {
      if (s.stages[k].fetch) add(k, moment + 1 - s.stages[k].lag, true);
    }
    for (std::size_t k = 0; moment >= first && k < s.stages.size(); ++k) {
      add(k, moment - s.stages[k].lag, false);
      if (s.stages[k].barrier) team.phases.emplace_back();
    }
  }
}

}  // namespace teams_run

using namespace teams_run;

// The teams of a pipeline, while it runs.
class FormRun::TeamsRun {
 public:
  TeamsRun(FormRun& run, const onf::Pipeline& s) : run_(run), s_(s) {
    std::vector<std::vector<std::int64_t>> ends;
    for (std::size_t axis = 0; axis < run.shape_.size(); ++axis) {
      const std::int64_t most = axis == 0 ? run.shape_[0] : s.teams->sides[axis - 1];
      ends.push_back(cut(run.shape_[axis], most, run.random_));
    }
    Index low(ends.size(), 0), high;
    for (const auto& cuts : ends) high.push_back(std::int64_t(cuts.size()) - 1);
    run.each(low, high, [&](const Index& tile) {
      TeamState team{teams_.size(), {}, {}, {}};
      team.threads = 1 + run.random_() % 6;
      for (std::size_t axis = 0; axis < tile.size(); ++axis) {
        team.low.push_back(ends[axis][std::size_t(tile[axis])]);
        team.high.push_back(ends[axis][std::size_t(tile[axis]) + 1]);
      }
      for (const onf::Pipeline::Ring& ring : s.rings) {
        team.rings[ring.view].resize(std::size_t(ring.planes));
      }
      plan(s, team);
      deal(team);
      teams_.push_back(std::move(team));
    });
  }

  void run() {
    std::vector<std::size_t> left;
    for (std::size_t k = 0; k < teams_.size(); ++k) left.push_back(k);
    while (!left.empty()) {
      const std::size_t at = run_.random_() % left.size();
      // Some elements at a time, so that there are orders of all kinds.
      for (unsigned k = 1 + run_.random_() % 8; k > 0; --k) {
        if (step(teams_[left[at]])) continue;
        left.erase(left.begin() + std::ptrdiff_t(at));
        break;
      }
    }
  }

 private:
  std::size_t thread_of(TeamState& team, Index index) {
    index[0] = 0;
    const auto [place, fresh] = team.thread_of.try_emplace(std::move(index));
    if (fresh) place->second = run_.random_() % team.threads;
    return place->second;
  }

  // The elements of a phase to their threads, each of which does what comes first in the text
  // first.
  void deal(TeamState& team) {
    team.work.assign(team.threads, {});
    for (const Part& part : team.phases[team.phase]) {
      Index low, high;
      for (std::size_t axis = 0; axis < team.low.size(); ++axis) {
        const onf::Margin beyond = onf::beyond_of(s_.stages[part.stage], axis);
        low.push_back(axis == 0 ? part.plane : team.low[axis] - beyond.low);
        high.push_back(axis == 0 ? part.plane + 1 : team.high[axis] + beyond.high);
      }
      std::vector<Index> points;
      run_.each(low, high, [&](const Index& index) { points.push_back(index); });
      std::shuffle(points.begin(), points.end(), run_.random_);
      for (Index& index : points) {
        const std::size_t thread = thread_of(team, index);
        team.work[thread].push_back({part.stage, std::move(index), part.asked});
      }
    }
    for (auto& own : team.work) std::reverse(own.begin(), own.end());
  }

  // One element of any thread that has one; false where all phases are done.
  bool step(TeamState& team) {
    for (;;) {
      std::vector<std::size_t> busy;
      for (std::size_t k = 0; k < team.work.size(); ++k) {
        if (!team.work[k].empty()) busy.push_back(k);
      }
      if (!busy.empty()) {
        const std::size_t thread = busy[run_.random_() % busy.size()];
        const Element next = std::move(team.work[thread].back());
        team.work[thread].pop_back();
        compute(team, {team.number, team.phase, thread}, next);
        return true;
      }
      if (team.phase + 1 == team.phases.size()) return false;
      ++team.phase;
      deal(team);
    }
  }

  Cell& cell(TeamState& team, onf::ViewId view, const Index& index) {
    auto& planes = team.rings.at(view);
    Index within = index;
    within[0] = 0;
    return planes[std::size_t(euclid(index[0], std::ssize(planes)))][within];
  }

  double load(TeamState& team, const Touch& now, onf::ViewId view, const Index& index,
              const Index& here) {
    if (team.rings.contains(view)) {
      if (std::equal(index.begin() + 1, index.end(), here.begin() + 1)) {
        const auto& own = team.own[view];
        const auto found = own.find(index);
        if (found == own.end()) throw std::logic_error("a thread has not computed it yet");
        return found->second;
      }
      Cell& found = cell(team, view, index);
      found.touched.read(now);
      if (found.plane != index[0]) throw std::logic_error("a ring holds another plane");
      return found.value;
    }
    Index from = index;
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
      from[axis] = euclid(from[axis], run_.shape_[axis]);
    }
    const std::shared_ptr<Block>& block = run_.read_.at(view);
    touched_[{block.get(), run_.place(from)}].read(now);
    return block->elements[run_.place(from)];
  }

  void store(TeamState& team, const Touch& now, onf::ViewId target, const Index& index,
             double value) {
    if (team.rings.contains(target)) {
      Cell& found = cell(team, target, index);
      found.touched.write(now);
      found.plane = index[0];
      found.value = value;
      team.own[target][index] = value;
    } else if (team.owns(index)) {
      const std::shared_ptr<Block>& block = run_.views_.at(target);
      touched_[{block.get(), run_.place(index)}].write(now);
      block->elements[run_.place(index)] = value;
    }
  }

  // Nobody knows what is there until it has arrived.
  void overwrite(TeamState& team, const Touch& now, onf::ViewId target, const Element& element) {
    Cell& found = cell(team, target, element.index);
    found.touched.write(now);
    found.plane = std::numeric_limits<std::int64_t>::min();
    found.asked = element.index[0];
  }

  void compute(TeamState& team, const Touch& now, const Element& element) {
    const onf::Nest& nest = s_.stages[element.stage].nest;
    if (element.asked) {
      for (const onf::ViewId target : onf::targets_of(nest)) overwrite(team, now, target, element);
      return;
    }
    for (std::size_t axis = 0; axis < element.index.size(); ++axis) {
      run_.indices_[nest.indices[axis]] = element.index[axis];
    }
    run_.load_ = [&](onf::ViewId view, const Index& index) {
      return load(team, now, view, index, element.index);
    };
    for (const onf::Statement& statement : nest.body) run_.step(std::get<onf::Let>(statement.form));
    std::vector<std::pair<onf::ViewId, double>> values = {{nest.target, run_.value(nest.element)}};
    for (const onf::Nest::Output& output : nest.also) {
      values.emplace_back(output.target, run_.value(output.element));
    }
    for (const auto& [target, value] : values) {
      if (s_.stages[element.stage].fetch &&
          cell(team, target, element.index).asked != element.index[0])
        throw std::logic_error("another plane was asked for");
      store(team, now, target, element.index, value);
    }
    run_.load_ = nullptr;
  }

  FormRun& run_;
  const onf::Pipeline& s_;
  std::vector<TeamState> teams_;
  std::map<std::pair<const Block*, std::size_t>, Touched> touched_;
};

void FormRun::run_teams(const onf::Pipeline& s, const std::vector<onf::ViewId>& targets) {
  for (const onf::ViewId target : targets) {
    stale_pads(*views_.at(target));
  }
  TeamsRun(*this, s).run();
}

}  // namespace rhopsi::schedule
