#include "engine/verify/verdict.hpp"

namespace rhopsi::verify {

Theories Theories::all() {
  Theories theories;
  theories.bits_ = (1U << (static_cast<unsigned>(smt::Theory::ieee) + 1)) - 1;
  return theories;
}

Theories& Theories::operator&=(Theories other) {
  bits_ &= other.bits_;
  return *this;
}

std::string to_string(Theories theories) {
  if (theories.holds_in(smt::Theory::any)) return "any";
  std::string text;
  const auto add = [&](smt::Theory theory) {
    if (theories.holds_in(theory)) text += (text.empty() ? "" : ", ") + smt::to_string(theory);
  };
  add(theories.holds_in(smt::Theory::ring) ? smt::Theory::ring : smt::Theory::field);
  add(smt::Theory::ieee);
  return text;
}

}  // namespace rhopsi::verify
