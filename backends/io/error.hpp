// What reading and writing array files throws.
#pragma once

#include <stdexcept>
#include <string>

namespace rhopsi::io {

// what() is a complete message that names the file.
class Error : public std::runtime_error {
 public:
  Error(const std::string& action, const std::string& path, const std::string& reason)
      : std::runtime_error("cannot " + action + " '" + path + "': " + reason), action_(action) {}

  // "read", "write" or "restart from".
  const std::string& action() const { return action_; }

 private:
  std::string action_;
};

}  // namespace rhopsi::io
