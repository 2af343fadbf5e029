// The values of calls that are met again with the same arguments.
//
// In the element of one array, another array stands whole: it is computed once, not once per
// element; so is what is counted in it.
#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

#include "backends/reference/typing.hpp"
#include "backends/reference/value.hpp"

namespace rhopsi::reference {

class Calls {
 public:
  // The value kept for these arguments, or null. It is valid until the next keep().
  const Value* find(InstanceId instance, std::span<const Value> arguments) const;

  // Keeps a value; all of an operation go where it has too many.
  void keep(InstanceId instance, std::vector<Value> arguments, Value value);

  void clear() { calls_.clear(); }

 private:
  struct Call {
    std::vector<Value> arguments;
    Value value;
  };

  std::unordered_map<InstanceId, std::unordered_multimap<std::size_t, Call>> calls_;
};

}  // namespace rhopsi::reference
