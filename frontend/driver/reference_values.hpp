// Values of the reference evaluator from files, from text and from checkpoints, and back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/io/checkpoint_file.hpp"
#include "backends/reference/value.hpp"
#include "engine/onf/primitive.hpp"

namespace rhopsi::driver {

// An array file, converted to elements of `type`; throws io::Error.
reference::Value read_array(const std::string& path, onf::Scalar type);

// What read_number accepts. Integers beyond 2^53 would not survive the way through a double.
std::int64_t whole_of(const std::string& text);
double real_of(const std::string& text);
reference::Value number(const std::string& text, onf::Scalar type);

// What an argument that is only written begins with; it is never read.
reference::Value blank(const onf::Representation& type, const std::vector<std::int64_t>& shape);

// An array of a checkpoint, which has as many bytes as `shape` says; and back.
reference::Value array_of(const io::Checkpoint::Array& saved, onf::Scalar type,
                          const std::vector<std::int64_t>& shape);
std::vector<unsigned char> bytes_of(const reference::Array& array);

// A number or truth value, the shortest text that reads back as the same.
std::string text_of(const reference::Value& value);

}  // namespace rhopsi::driver
