#include "backends/reference/known_calls.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace rhopsi::reference {

namespace {

constexpr std::size_t most_arrays = 16;
constexpr std::size_t most_others = 1 << 16;

std::size_t mixed(std::size_t seed, std::size_t hash) {
  return (seed ^ hash) * 0x9e3779b97f4a7c15ULL + (seed >> 7);
}

// Of an array only where its elements are stored, as in identical().
std::size_t hash_of(const Value& value) {
  return std::visit(
      [](const auto& held) -> std::size_t {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, Index>) {
          std::size_t hash = held.size();
          for (std::int64_t component : held) {
            hash = mixed(hash, static_cast<std::size_t>(component));
          }
          return hash;
        } else if constexpr (std::is_same_v<T, Array>) {
          return std::hash<const Elements*>{}(held.elements.get());
        } else {
          return std::hash<T>{}(held);
        }
      },
      value);
}

std::size_t hash_of(std::span<const Value> values) {
  std::size_t hash = values.size();
  for (const Value& value : values) hash = mixed(hash, hash_of(value));
  return hash;
}

}  // namespace

const Value* Calls::find(InstanceId instance, std::span<const Value> arguments) const {
  const auto calls = calls_.find(instance);
  if (calls == calls_.end()) return nullptr;
  const auto [first, last] = calls->second.equal_range(hash_of(arguments));
  for (auto call = first; call != last; ++call) {
    if (std::ranges::equal(call->second.arguments, arguments, identical)) {
      return &call->second.value;
    }
  }
  return nullptr;
}

void Calls::keep(InstanceId instance, std::vector<Value> arguments, Value value) {
  auto& calls = calls_[instance];
  const std::size_t most = std::holds_alternative<Array>(value) ? most_arrays : most_others;
  if (calls.size() >= most) calls.clear();
  const std::size_t hash = hash_of(arguments);
  calls.emplace(hash, Call{std::move(arguments), std::move(value)});
}

}  // namespace rhopsi::reference
