// Certificates of specifications, read and replayed.
#pragma once

#include <string>
#include <variant>

#include "engine/check/replay.hpp"
#include "frontend/driver/certificate.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi::test {

inline std::string certificate(const std::string& file, const std::string& program) {
  support::Specification specification(std::string(RHOPSI_SOURCE_DIR) + "/" + file);
  const auto theory = specification.module(program);
  return theory ? driver::certificate_of(specification.session(), *theory, file) : "";
}

// What is wrong with the text: "place: message", or nothing.
inline std::string flaw_of(const std::string& text, check::Outcome* outcome = nullptr,
                           const check::ReplayOptions& options = {}) {
  term::Store store;
  const auto read = check::read(store, text);
  if (const auto* flaw = std::get_if<check::Flaw>(&read)) return flaw->place + ": " + flaw->message;
  const auto done = check::replay(store, std::get<check::Certificate>(read), options);
  if (outcome != nullptr) *outcome = done;
  return done.flaw ? done.flaw->place + ": " + done.flaw->message : "";
}

// The certificate as it is written again: equal for texts that say the same.
inline std::string rewritten(const std::string& text) {
  term::Store store;
  const auto read = check::read(store, text);
  const auto* certificate = std::get_if<check::Certificate>(&read);
  return certificate == nullptr ? "" : check::write(store, *certificate);
}

}  // namespace rhopsi::test
