#include "tests/verify/small_box.hpp"

#include <numeric>
#include <vector>

#include "backends/reference/arrays.hpp"

namespace rhopsi::verify {

using driver::Judgement;
using driver::Sample;
using onf::Representation;
using reference::Index;
using reference::Value;

namespace {

struct Size {
  std::size_t rank;        // of arrays; vectors are as long
  std::int64_t length;     // of axes
  std::int64_t component;  // of vectors, from -1 on
  std::int64_t number;     // of integers, in absolute value
};

// All vectors of `low` .. `high`, of every length up to `longest`.
std::vector<Index> vectors(std::size_t longest, std::int64_t low, std::int64_t high) {
  std::vector<Index> found{{}};
  for (std::size_t begin = 0, length = 0; length < longest; ++length) {
    const std::size_t end = found.size();
    for (std::size_t k = begin; k < end; ++k) {
      for (std::int64_t last = low; last <= high; ++last) {
        Index longer = found[k];
        longer.push_back(last);
        found.push_back(std::move(longer));
      }
    }
    begin = end;
  }
  return found;
}

std::vector<Value> values_of(const driver::Judge::Unknown& unknown, const Size& size,
                             std::int64_t first) {
  std::vector<Value> found;
  const Representation& as = unknown.representation;
  if (as.kind == Representation::Kind::array) {
    for (const Index& shape : vectors(size.rank, 0, size.length)) {
      std::vector<std::int64_t> elements(reference::count_elements(shape));
      std::iota(elements.begin(), elements.end(), first);
      found.emplace_back(reference::make_array(shape, std::move(elements)));
    }
  } else if (as.kind == Representation::Kind::index) {
    for (Index& each : vectors(size.rank, -1, size.component)) found.emplace_back(std::move(each));
  } else if (as.scalar == onf::Scalar::boolean) {
    found = {false, true};
  } else {
    for (std::int64_t each = -size.number; each <= size.number; ++each) found.emplace_back(each);
  }
  return found;
}

std::string text_of(const term::Store& store, const Sample& sample) {
  std::string text;
  for (const auto& [symbol, value] : sample.values) {
    text += store[symbol].name + " = " + driver::value_text(value) + ", ";
  }
  return text;
}

}  // namespace

BoxOutcome try_box(const term::Store& store, driver::Judge& judge, std::size_t most) {
  std::vector<std::vector<Value>> values;
  for (const Size& size : {Size{3, 3, 3, 4}, Size{3, 2, 2, 3}, Size{2, 3, 2, 3}, Size{2, 2, 2, 3},
                           Size{2, 2, 1, 2}, Size{1, 2, 1, 2}, Size{1, 1, 1, 1}}) {
    values.clear();
    std::size_t count = 1;
    for (const driver::Judge::Unknown& unknown : judge.unknowns()) {
      values.push_back(
          values_of(unknown, size, 1 + 100 * static_cast<std::int64_t>(values.size())));
      count *= values.back().size();
    }
    if (count <= most) break;
  }
  BoxOutcome outcome;
  std::vector<std::size_t> place(values.size(), 0);
  for (bool more = true; more && outcome.failure.empty();) {
    Sample sample;
    for (std::size_t k = 0; k < place.size(); ++k) {
      sample.values[judge.unknowns()[k].symbol] = values[k][place[k]];
    }
    const Judgement judgement = judge.judge(sample);
    ++outcome.samples;
    outcome.spoke += judgement.kind == Judgement::Kind::holds ? 1 : 0;
    if (judgement.kind == Judgement::Kind::fails) {
      outcome.failure = text_of(store, sample) + judgement.text;
    }
    more = false;
    for (std::size_t k = 0; k < place.size() && !more; ++k) {
      more = ++place[k] < values[k].size();
      if (!more) place[k] = 0;
    }
  }
  return outcome;
}

}  // namespace rhopsi::verify
