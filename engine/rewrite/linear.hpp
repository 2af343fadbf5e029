// Linear forms over integer unknowns, and systems of inequalities between them.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace rhopsi::rewrite {

using Unknown = std::uint32_t;

// constant + sum of coefficient * unknown; unknowns ascending, no coefficient is zero.
struct Linear {
  std::vector<std::pair<Unknown, std::int64_t>> terms;
  std::int64_t constant = 0;

  bool is_constant() const { return terms.empty(); }
  friend bool operator==(const Linear&, const Linear&) = default;
};

Linear linear_constant(std::int64_t value);
Linear linear_unknown(Unknown unknown);
// left + factor * right; nothing where 64 bits do not hold it.
std::optional<Linear> add_scaled(const Linear& left, const Linear& right, std::int64_t factor);

// Inequalities `form <= 0` over integers.
class Inequalities {
 public:
  void add(Linear form) { forms_.push_back(std::move(form)); }
  std::size_t count() const { return forms_.size(); }
  void truncate(std::size_t count) { forms_.resize(count); }

  // Does `form <= 0` follow? By eliminating unknowns (Fourier and Motzkin, with integer
  // rounding) from the inequalities connected with the form. A "yes" is certain; the
  // work is bounded, so a "no" means little. Polynomial in the size of the system.
  bool entail(const Linear& form) const;
  // The unknowns that are connected with the form through inequalities.
  std::vector<Unknown> connected(const Linear& form) const;

 private:
  std::vector<Linear> forms_;
};

}  // namespace rhopsi::rewrite
