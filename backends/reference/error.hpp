// What an evaluation stops with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/term/store.hpp"

namespace rhopsi::reference {

// An element that is not there.
struct Access {
  term::TermId array{};
  std::vector<std::int64_t> index;
  std::vector<std::int64_t> shape;
};

struct Error {
  std::string code;                   // one of those below
  std::string message;                // complete sentences
  term::Location location;            // the innermost place that is known; file is empty if none is
  std::optional<Access> access = {};  // of Definitions: what was asked for
};

namespace codes {

inline constexpr const char* no_meaning = "E0601";        // declared, but neither body nor external
inline constexpr const char* arguments = "E0602";         // a call from outside does not fit
inline constexpr const char* parameters = "E0603";        // parameters are missing or do not fit
inline constexpr const char* foreign = "E0604";           // an external of another backend
inline constexpr const char* representation = "E0605";    // a type has no values here
inline constexpr const char* unset = "E0606";             // a variable is read before it is set
inline constexpr const char* assertion = "E0607";         // an assertion does not hold
inline constexpr const char* guard = "E0608";             // a guard does not hold
inline constexpr const char* index_range = "E0609";       // an index or axis is out of range
inline constexpr const char* stale_padding = "E0610";     // padding is read before it is refilled
inline constexpr const char* shapes = "E0611";            // shapes or ranks differ
inline constexpr const char* division_by_zero = "E0612";  // of integers
inline constexpr const char* integer_range = "E0613";     // a result that its type cannot hold
inline constexpr const char* empty_fold = "E0614";        // of an operation without a unit
inline constexpr const char* depth = "E0615";             // calls or terms nest too deeply
inline constexpr const char* size = "E0616";              // an array is too large, or memory is out
inline constexpr const char* padding = "E0617";           // padding() is unusable
inline constexpr const char* primitive = "E0618";         // an external that is not in the table
inline constexpr const char* internal = "E0699";          // a fault of the evaluator

}  // namespace codes

}  // namespace rhopsi::reference
