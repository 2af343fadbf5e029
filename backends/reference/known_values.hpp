// The values of calls, and of arrays built in place, that are met again with the same arguments.
//
// In the element of one array, another array stands whole: it is computed once, not once per
// element; so is what is counted in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "backends/reference/value.hpp"

namespace rhopsi::reference {

class KnownValues {
 public:
  // The value kept for these arguments of a computation, or null. It is valid until the next
  // keep().
  const Value* find(std::uint32_t computation, std::span<const Value> arguments) const;

  // Keeps a value; all of a computation go where it has too many.
  void keep(std::uint32_t computation, std::vector<Value> arguments, Value value);

  void clear() { known_.clear(); }

 private:
  struct Known {
    std::vector<Value> arguments;
    Value value;
  };

  std::unordered_map<std::uint32_t, std::unordered_multimap<std::size_t, Known>> known_;
};

}  // namespace rhopsi::reference
