// What is known of some of a store's terms.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "engine/term/store.hpp"

namespace rhopsi::rewrite {

// A value for each term, `Value{}` until it is set. Memory is taken for terms that are near to one
// that was set: a rewriting of one small body in a store of 10^6 terms costs little.
template <class Value>
class ByTerm {
 public:
  // For changing it. References stay valid.
  Value& operator[](term::TermId term) {
    const auto at = static_cast<std::size_t>(term);
    if (at / page_size >= pages_.size()) pages_.resize(at / page_size + 1);
    auto& page = pages_[at / page_size];
    if (!page) page = std::make_unique<Page>();
    return (*page)[at % page_size];
  }
  Value get(term::TermId term) const {
    const auto at = static_cast<std::size_t>(term);
    if (at / page_size >= pages_.size() || !pages_[at / page_size]) return Value{};
    return (*pages_[at / page_size])[at % page_size];
  }

 private:
  static constexpr std::size_t page_size = 512;
  using Page = std::array<Value, page_size>;
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace rhopsi::rewrite
