#include "frontend/driver/type_mixtures.hpp"

#include <algorithm>
#include <array>

namespace rhopsi::driver {
namespace {

constexpr std::array mixed_types{onf::Scalar::boolean, onf::Scalar::int64, onf::Scalar::float64};
constexpr std::size_t all_mixed = 7;       // so many unknowns, 2187 mixtures
constexpr std::size_t most_different = 3;  // from the rest, where there are more

class Mixing {
 public:
  explicit Mixing(std::size_t unknowns) : types_(unknowns, mixed_types.front()) {}

  std::vector<Types> run() {
    choose(0);
    return std::move(found_);
  }

 private:
  // Of the first of them, more of which are still to be chosen.
  bool may_be_wanted(std::size_t chosen) const {
    if (types_.size() <= all_mixed) return true;
    const auto end = types_.begin() + static_cast<std::ptrdiff_t>(chosen);
    return std::ranges::any_of(mixed_types, [&](onf::Scalar rest) {
      const auto same = static_cast<std::size_t>(std::count(types_.begin(), end, rest));
      return chosen - same <= most_different;
    });
  }

  void choose(std::size_t next) {
    if (!may_be_wanted(next)) return;
    if (next == types_.size()) {
      found_.push_back(types_);
      return;
    }
    for (onf::Scalar type : mixed_types) {
      types_[next] = type;
      choose(next + 1);
    }
  }

  Types types_;
  std::vector<Types> found_;
};

}  // namespace

std::vector<Types> type_mixtures(std::size_t unknowns) { return Mixing(unknowns).run(); }

}  // namespace rhopsi::driver
