#include "backends/reference/known_values.hpp"

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

const Value* KnownValues::find(std::uint32_t computation, std::span<const Value> arguments) const {
  const auto values = known_.find(computation);
  if (values == known_.end()) return nullptr;
  const auto [first, last] = values->second.equal_range(hash_of(arguments));
  for (auto known = first; known != last; ++known) {
    if (std::ranges::equal(known->second.arguments, arguments, identical)) {
      return &known->second.value;
    }
  }
  return nullptr;
}

void KnownValues::keep(std::uint32_t computation, std::vector<Value> arguments, Value value) {
  auto& values = known_[computation];
  const std::size_t most = std::holds_alternative<Array>(value) ? most_arrays : most_others;
  if (values.size() >= most) values.clear();
  const std::size_t hash = hash_of(arguments);
  values.emplace(hash, Known{std::move(arguments), std::move(value)});
}

}  // namespace rhopsi::reference
