#include "frontend/syntax/read_file.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rhopsi::syntax {

namespace {

constexpr std::size_t portion = std::size_t{1} << 16;

bool is_open_already(const std::string& path) {
  return path == "/dev/stdin" || path.starts_with("/dev/fd/");
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  bool good() const { return number_ >= 0; }
  // The bytes read; 0 at the end, less than 0 after an error, which is in errno.
  ssize_t read(char* to, std::size_t most) const {
    ssize_t count = 0;
    do {
      count = ::read(number_, to, most);
    } while (count < 0 && errno == EINTR);
    return count;
  }

 private:
  int number_;
};

}  // namespace

std::variant<std::string, FileProblem> read_file(const std::string& path, std::uint64_t most) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return FileProblem{FileProblem::unreadable, errno};
  if (S_ISDIR(status.st_mode)) return FileProblem{FileProblem::unreadable, EISDIR};
  const bool regular = S_ISREG(status.st_mode);
  if (!regular && !is_open_already(path)) return FileProblem{FileProblem::not_regular, 0};
  const Descriptor file(path);
  if (!file.good()) return FileProblem{FileProblem::unreadable, errno};
  // The size is a guess: of a pipe it is not known, and a file may grow meanwhile.
  const auto expected = static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
  if (regular && expected > most) return FileProblem{FileProblem::too_large, 0};
  std::string text;
  if (regular) text.reserve(expected + portion);
  while (text.size() <= most) {
    const std::size_t held = text.size();
    text.resize(held + portion);
    const ssize_t count = file.read(text.data() + held, portion);
    if (count < 0) return FileProblem{FileProblem::unreadable, errno};
    text.resize(held + static_cast<std::size_t>(count));
    if (count == 0) return text;
  }
  return FileProblem{FileProblem::too_large, 0};
}

std::string reason(const FileProblem& problem) {
  if (problem.kind == FileProblem::not_regular) return ": it is not a regular file";
  if (problem.kind == FileProblem::too_large || problem.error == 0) return {};
  return ": " + std::generic_category().message(problem.error);
}

}  // namespace rhopsi::syntax
