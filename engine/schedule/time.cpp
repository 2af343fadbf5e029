#include "engine/schedule/time.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/onf/weight.hpp"

namespace rhopsi::schedule {

namespace {

// Of what is not the slowest this share is not hidden behind it.
constexpr double not_hidden = 0.25;
// Seconds to begin a row of one stage, and for each row of an array that it follows.
constexpr double of_a_row = 8e-9;
constexpr double of_a_followed_row = 1.5e-9;
// To find where a plane of an array or ring is that a stage of a pipeline follows.
constexpr double of_a_plane = 8e-9;
// And to find a component of another axis that goes around, and where the ends of a row end.
constexpr double of_a_turn = 1e-9;
constexpr double of_a_part = 4e-9;
// To fill the pads at one end of a row, which may be in another core's cache.
constexpr double of_an_end = 4e-9;
// Sums that a component modulo the length of its axis takes.
constexpr double of_a_wrap = 6;
// Loads that take as long as a store: processors have two or three ports for loads and one for
// stores, which is often half as wide.
constexpr double of_a_store = 3;
// Elements of 8 bytes in a vector.
constexpr double lanes = 4;
constexpr double line = 64;  // bytes of a line of a cache
// A kernel's elements are their own neighbours' only through the cache.
constexpr double device_efficiency = 0.8;
// Of a kernel with a thread for each element the sums that it takes to find one that is loaded, and
// a component modulo the length of its axis: a GPU has no instruction that divides.
constexpr double of_a_load_on_device = 16;
constexpr double of_a_wrap_on_device = 20;
// What the rows of a thread have in common in a stage of teams.
constexpr double of_a_stage_on_device = 12;

// 0 where it fits with room to spare, 1 where it does not, and between them a part of it.
double share_lost(double bytes, double capacity) {
  return std::clamp(bytes / capacity - 0.5, 0.0, 1.0);
}

// A tile takes this share of the second cache, or that of what its thread has of the last one if
// that is more, up to so many times the second; its rows are no fewer than so many times those that
// stages go beyond them (rhopsi::Tiles).
constexpr double share_for_tiles = 0.5;
constexpr double share_of_last = 0.25;
constexpr double most_of_second = 4;
constexpr double least_of_again = 2;
constexpr double share_for_runs = 0.25;
// Rows are cut for the threads, but no shorter than this.
constexpr double least_segment = 512;
// Seconds to find where a row of an array lies that a tile reads.
constexpr double of_a_sought_row = 1e-9;

struct Lengths {
  double elements = 1;
  double outer = 1;   // of axis 0, where a plane has elements
  double height = 1;  // of axis 1, where there are more than two
  double plane = 1;
  double row = 1;
  double rows = 1;  // how many there are
};
Lengths lengths_of(std::span<const std::int64_t> extents) {
  Lengths made;
  for (const std::int64_t extent : extents) made.elements *= static_cast<double>(extent);
  if (!extents.empty()) made.row = static_cast<double>(extents.back());
  if (extents.size() > 1) made.outer = static_cast<double>(extents.front());
  if (extents.size() > 2) made.height = static_cast<double>(extents[1]);
  made.plane = made.elements / made.outer;
  made.rows = made.elements / made.row;
  return made;
}

class HostTime {
 public:
  HostTime(const Work& work, const Machine& machine, const Setting& setting)
      : work_(work), machine_(machine), setting_(setting), n_(lengths_of(setting.extents)) {
    const bool many = n_.elements >= static_cast<double>(setting.serial_below);
    threads_ = many ? machine.threads : 1;
  }

  Time run() {
    Time made;
    for (const PassWork& pass : work_.passes) made.passes.push_back(time_of_pass(pass));
    for (const RefillWork& refill : work_.refills) made.refills += time_of_refill(refill);
    made.seconds = made.refills;
    for (const PassTime& pass : made.passes) made.seconds += pass.seconds;
    made.seconds /= static_cast<double>(work_.times);
    return made;
  }

 private:
  bool one_axis() const { return setting_.extents.size() == 1; }
  // Of a pass over runs of elements the runs stay in a cache.
  bool in_runs(const PassWork& pass) const { return one_axis() && pass.pipelined; }
  double start() const { return threads_ > 1 ? machine_.region : 0; }

  PassTime time_of_pass(const PassWork& pass) const {
    PassTime made{pass.label};
    double used = threads_;
    const double again = planes_again(pass);
    const double planes = one_axis() ? n_.elements : n_.outer;
    if (pass.pipelined) used = std::min(used, std::max(1.0, planes / std::max(1.0, again)));
    // Of an array of one axis each thread has a part of the row.
    used = std::min(used, std::max(1.0, one_axis() ? n_.row / least_segment : n_.rows));
    made.threads = used > 1;
    const Tile tile = tile_of(pass, used);
    if (pass.tiled) made.tile = tile.rows;
    double sum = 0, most = 0;
    const auto add = [&](double seconds) {
      sum += seconds;
      most = std::max(most, seconds);
    };
    // Stages are loops of their own: what one computes hides nothing of what another one copies.
    double in_core = 0;
    for (const StageWork& stage : pass.stages) in_core += add_stage(pass, stage, used, made);
    add(in_core);
    for (std::size_t level = 0; level < machine_.caches.size(); ++level) {
      const double bytes = bytes_beyond(pass, tile, level, used);
      const double seconds = bytes / bandwidth_beyond(level, used);
      if (level + 1 == machine_.caches.size()) made.memory_bytes = bytes;
      if (seconds > made.traffic) {
        made.traffic = seconds;
        made.from = level + 1 == machine_.caches.size() ? std::string("memory")
                                                        : "cache " + std::to_string(level + 2);
      }
      add(seconds);
    }
    made.rest += start() + (pass.seams > 0 ? start() : 0);
    made.rest += 2 * pass.seams * (one_axis() ? 1 : n_.plane) * used / bandwidth_of_arrays();
    made.seconds = most + not_hidden * (sum - most) + made.rest;
    return made;
  }

  std::size_t last_level() const {
    return machine_.caches.empty() ? 0 : machine_.caches.size() - 1;
  }

  static double planes_again(const PassWork& pass) {
    std::int64_t most = 0;
    for (const StageWork& stage : pass.stages) {
      most = std::max(most, stage.beyond.low + stage.beyond.high);
    }
    return static_cast<double>(most);
  }

  // Rows of a tile, the whole plane where there are none.
  struct Tile {
    double rows = 1;
    double again = 0;
  };
  Tile tile_of(const PassWork& pass, double used) const {
    Tile tile{n_.height, 0};
    if (!pass.tiled) return tile;
    for (const StageWork& stage : pass.stages) {
      tile.again = std::max(tile.again, static_cast<double>(stage.rows.low + stage.rows.high));
    }
    const double second =
        machine_.caches.empty() ? 1 << 20 : machine_.caches[machine_.caches.size() > 1].bytes;
    double room = share_for_tiles * second;
    if (pass.pipelined && machine_.caches.size() > 2) {
      room = std::clamp(share_of_last * machine_.caches.back().bytes / used, room,
                        most_of_second * second);
    }
    const double row = static_cast<double>(pass.bytes_in_use()) * n_.plane / n_.height;
    double most = std::floor(room / row) - tile.again;
    // A thread has the planes of a sweep alone that are its own as a whole in tiles.
    if (!pass.pipelined && (most < 1 || n_.outer < 2 * used)) most = n_.height;
    most = std::max({most, least_of_again * tile.again, 1.0});
    if (pass.most_rows) most = std::min(most, static_cast<double>(*pass.most_rows));
    tile.rows = n_.height / std::ceil(n_.height / most);
    return tile;
  }

  // Adds to the sums of the pass; how long operations and loads take together.
  double add_stage(const PassWork& pass, const StageWork& stage, double used,
                   PassTime& made) const {
    const double planes = static_cast<double>(stage.beyond.low + stage.beyond.high);
    const double rows = static_cast<double>(stage.rows.low + stage.rows.high);
    const double outer = one_axis() ? n_.elements : n_.outer;
    const double again =
        (1 + (pass.pipelined ? planes * used / outer : 0)) * (1 + rows / n_.height);
    const double each = n_.elements * again / used;
    const double narrow = 8.0 / static_cast<double>(stage.bytes);
    // What has no vector form takes its elements one by one; so does what looks for its indices.
    const bool scalar = stage.scalar || stage.wrapped > 0;
    const double rate = machine_.operations * (scalar ? 1 / lanes : narrow);
    const double of_each =
        stage.operations + of_a_wrap * stage.wrapped + at_ends(stage) * (scalar ? 1 : lanes);
    const double operations = each * of_each / rate;
    const double width = scalar ? 8 : static_cast<double>(stage.bytes);
    double loads = 0;
    if (!machine_.caches.empty()) {
      loads = each * (stage.loads + of_a_store * stage.stores) * width /
              machine_.caches.front().bandwidth;
    }
    made.operations += operations;
    made.loads += loads;
    const double of_a_stream =
        of_a_followed_row + (pass.tiled && pass.pipelined ? of_a_sought_row : 0);
    // One by one, those of a vector take as long as so many of them.
    const double of_an_operation = machine_.vector_bytes / 8 / machine_.operations;
    const double of_an_element = (stage.operations + stage.loads + stage.stores) * of_an_operation;
    const double copies = stage.near_rows * onf::of_a_near_row * of_an_operation;
    const bool blocks = copies < stage.peeled * of_an_element;
    double of_ends =
        stage.peeled > 0 ? of_a_part + (blocks ? copies : stage.peeled * of_an_element) : 0;
    // With pads ends are whole vectors; without, what they leave of the row begins at none, but
    // where they are blocks.
    if (stage.other_ends && stage.peeled == 0) of_ends += of_a_part;
    if (stage.other_ends && stage.peeled > 0 && !blocks) of_ends += lanes / 2 * of_an_element;
    const double rows_each = in_runs(pass) ? n_.elements / run_length(pass) : n_.rows;
    made.rest += rows_each * again / used *
                 (of_a_row + of_ends + of_a_stream * stage.streams + of_a_turn * stage.turned);
    if (pass.pipelined && !one_axis()) {
      made.rest += n_.outer * again / used * of_a_plane * stage.streams;
    }
    return std::max(operations, loads) + not_hidden * std::min(operations, loads);
  }

  // Operations of what is done at the ends of axes alone, one by one, for each element of all.
  double at_ends(const StageWork& stage) const {
    double operations = 0;
    for (std::size_t axis = 0; axis < stage.at_ends.size(); ++axis) {
      operations += stage.at_ends[axis] / static_cast<double>(setting_.extents[axis]);
    }
    return operations;
  }

  // As rhopsi::Runs has it.
  double run_length(const PassWork& pass) const {
    const double cache = machine_.caches.size() > 1 ? machine_.caches[1].bytes : 1 << 20;
    return std::max(256.0, share_for_runs * cache / static_cast<double>(pass.bytes_of_run()));
  }

  double live(const PassWork& pass, const Tile& tile) const {
    return static_cast<double>(pass.bytes_in_use()) * n_.plane / n_.height *
           (tile.rows + tile.again);
  }
  double live_rows(const PassWork& pass) const {
    double bytes = 0;
    for (const Stream& stream : pass.streams) {
      bytes += static_cast<double>(std::max<std::int64_t>(1, stream.rows) * stream.bytes);
    }
    return bytes * n_.row;
  }

  // That cross the far side of the cache.
  double bytes_beyond(const PassWork& pass, const Tile& tile, std::size_t level,
                      double used) const {
    const CacheLevel& cache = machine_.caches[level];
    const double own = cache.bytes / std::min(cache.threads, used);
    const double whole = share_lost(n_.elements * static_cast<double>(work_.stored) / used, own);
    const bool runs = in_runs(pass);
    const double planes = runs ? 0 : share_lost(live(pass, tile), own),
                 rows = runs ? 0 : share_lost(live_rows(pass), own);
    double bytes = 0;
    for (const Stream& stream : pass.streams) {
      double times = 0;
      if (stream.read) {
        // Of a sweep alone in tiles each thread reads what is around its own planes besides.
        const double around = pass.tiled && !pass.pipelined ? used / n_.outer : 0;
        times += 1 + std::max(planes, around) * static_cast<double>(stream.planes - 1) +
                 rows * static_cast<double>(stream.rows - stream.planes);
        times *= 1 + tile.again / n_.height;
      }
      if (stream.written) times += stream.read ? 1 : 2;
      bytes += times * static_cast<double>(stream.bytes);
    }
    bytes += pass.kept / tile.rows;
    bytes *= whole;
    for (const RingWork& ring : pass.rings) {
      bytes += planes * static_cast<double>((2 + ring.reads) * ring.bytes);
    }
    return bytes * n_.elements;
  }

  double bandwidth_beyond(std::size_t level, double used) const {
    if (level + 1 < machine_.caches.size()) return machine_.caches[level + 1].bandwidth * used;
    return std::min(machine_.memory_one * used, machine_.memory_all);
  }

  // From where all arrays are: the nearest cache that holds most of what a thread has of them.
  double bandwidth_of_arrays() const {
    for (const CacheLevel& cache : machine_.caches) {
      const double own = cache.bytes / std::min(cache.threads, threads_);
      const double bytes = n_.elements * static_cast<double>(work_.stored) / threads_;
      if (share_lost(bytes, own) < 0.5) return cache.bandwidth * threads_;
    }
    return bandwidth_beyond(last_level(), threads_);
  }

  // Threads are started once where no corners are filled, otherwise for each axis; for few elements
  // never (rhopsi::refill_halo).
  double time_of_refill(const RefillWork& refill) const {
    double seconds = 0;
    const std::size_t rank = setting_.extents.size();
    const bool once = rank > 1 && !refill.halo.corners;
    if (once && refill.halo != onf::Halo{}) seconds += start_for(n_.plane + n_.rows);
    for (std::size_t axis = 0; axis < refill.halo.axes.size() && axis < rank; ++axis) {
      const onf::Margin& margin = refill.halo.axes[axis];
      if (margin == onf::Margin{}) continue;
      const double side = n_.elements / static_cast<double>(setting_.extents[axis]);
      const double layers = static_cast<double>(margin.low + margin.high);
      // Pads of the last axis are a few elements here and there: lines, at both ends of a row.
      const double bytes = axis + 1 == rank ? side * 4 * line
                                            : side * layers * 2 * static_cast<double>(refill.bytes);
      seconds += (once ? 0 : start_for(side * layers)) + bytes / bandwidth_of_arrays();
      if (axis + 1 == rank && rank > 1) {
        const double used = start_for(once ? n_.plane + n_.rows : side * layers) > 0 ? threads_ : 1;
        seconds += n_.rows * of_an_end * ((margin.low > 0) + (margin.high > 0)) / used;
      }
    }
    return seconds;
  }
  double start_for(double elements) const {
    return elements < static_cast<double>(setting_.serial_below) ? 0 : start();
  }

  const Work& work_;
  const Machine& machine_;
  const Setting& setting_;
  Lengths n_;
  double threads_ = 1;
};

// Kernels over all elements: those that read the same neighbours run at the same time.
Time time_on_device(const Work& work, const Machine& machine, const Setting& setting) {
  const Lengths n = lengths_of(setting.extents);
  Time made;
  for (const PassWork& pass : work.passes) {
    PassTime time{pass.label};
    double bytes = 0, live = 0;
    for (const StageWork& stage : pass.stages) {
      const double rate = machine.device_operations * 4.0 / static_cast<double>(stage.bytes);
      const double elements = n.elements * stage.again;
      const double found = pass.team_rows > 0
                               ? of_a_stage_on_device / static_cast<double>(pass.team_rows)
                               : of_a_load_on_device * stage.loads;
      time.operations +=
          elements * (stage.operations / rate +
                      (found + of_a_wrap_on_device * stage.wrapped) / machine.device_operations);
    }
    for (const Stream& stream : pass.streams) {
      live += static_cast<double>(stream.span * stream.bytes) * n.plane;
    }
    const double lost = share_lost(live, machine.device_cache);
    for (const Stream& stream : pass.streams) {
      double times = stream.written ? 1 : 0;
      // Planes that teams have read wait in rings; what several teams read is read at one time.
      const double again =
          pass.overlap > 1 ? pass.overlap - 1 : static_cast<double>(stream.planes - 1);
      if (stream.read) times += 1 + lost * again;
      bytes += times * static_cast<double>(stream.bytes);
    }
    time.memory_bytes = bytes * n.elements;
    time.traffic = time.memory_bytes / (machine.device_memory * device_efficiency);
    time.from = "memory";
    time.rest = machine.device_launch;
    time.threads = true;
    const double most = std::max(time.traffic, time.operations);
    time.seconds = most + not_hidden * (time.traffic + time.operations - most) + time.rest;
    made.seconds += time.seconds;
    made.passes.push_back(std::move(time));
  }
  for (const RefillWork& refill : work.refills) {
    for (const onf::Margin& margin : refill.halo.axes) {
      if (margin != onf::Margin{}) made.refills += machine.device_launch;
    }
  }
  made.seconds = (made.seconds + made.refills) / static_cast<double>(work.times);
  return made;
}

}  // namespace

const std::string& PassTime::bound() const {
  static const std::string of_operations = "operations", of_loads = "loads", of_rest = "starts";
  const double most = std::max({operations, loads, traffic, rest});
  if (most == traffic && traffic > 0) return from;
  if (most == operations) return of_operations;
  return most == loads ? of_loads : of_rest;
}

Time time_of(const Work& work, const Machine& machine, const Setting& setting) {
  if (setting.device) return time_on_device(work, machine, setting);
  return HostTime(work, machine, setting).run();
}

std::string seconds_text(double seconds) {
  const char* unit = "s";
  if (seconds < 1e-3) {
    seconds *= 1e6;
    unit = "us";
  } else if (seconds < 1) {
    seconds *= 1e3;
    unit = "ms";
  }
  char text[40];
  std::snprintf(text, sizeof text, "%.3g %s", seconds, unit);
  return text;
}

std::string to_string(const Time& time) {
  std::string text;
  for (const PassTime& pass : time.passes) {
    char bytes[40];
    std::snprintf(bytes, sizeof bytes, "%.3g", pass.memory_bytes / 1e6);
    char tiles[40] = "";
    if (pass.tile > 0) std::snprintf(tiles, sizeof tiles, ", tiles of %.3g rows", pass.tile);
    text += pass.label + ": " + seconds_text(pass.seconds) + ", waits for " + pass.bound() + "; " +
            seconds_text(pass.operations) + " of operations, " + seconds_text(pass.loads) +
            " of loads, " + seconds_text(pass.traffic) + " of traffic, " + bytes +
            " MB from memory" + tiles + (pass.threads ? "" : ", one thread") + "\n";
  }
  if (time.refills > 0) text += "pads: " + seconds_text(time.refills) + "\n";
  return text;
}

}  // namespace rhopsi::schedule
