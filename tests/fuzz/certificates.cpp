#include <stdexcept>

#include "engine/check/replay.hpp"
#include "tests/fuzz/targets.hpp"

namespace rhopsi::fuzz {
namespace {

void read_and_replay(std::string_view text) {
  term::Store store;
  const auto read = check::read(store, text);
  const auto* certificate = std::get_if<check::Certificate>(&read);
  if (certificate == nullptr) return;
  (void)check::replay(store, *certificate);
  // What was read is written as a text that is read again.
  const std::string written = check::write(store, *certificate);
  term::Store other;
  const auto again = check::read(other, written);
  if (const auto* flaw = std::get_if<check::Flaw>(&again)) {
    throw std::logic_error("a certificate that was written cannot be read: " + flaw->place + ": " +
                           flaw->message);
  }
}

}  // namespace

void certificates(std::string_view bytes) {
  read_and_replay(bytes);
  // Hardly any bytes have the digest that they name.
  if (const auto fitting = check::sealed(bytes)) read_and_replay(*fitting);
}

}  // namespace rhopsi::fuzz
