#include "engine/check/words.hpp"

#include <cstddef>

namespace rhopsi::check {

using term::Arithmetic;
using term::ArrayFunction;
using term::Basis;
using term::Control;
using term::Mode;
using term::SymbolKind;

namespace {

template <class T>
using Entry = std::pair<T, std::string_view>;

constexpr Entry<SymbolKind> kinds[] = {
    {SymbolKind::function, "function"},       {SymbolKind::predicate, "predicate"},
    {SymbolKind::procedure, "procedure"},     {SymbolKind::variable, "variable"},
    {SymbolKind::integer_literal, "integer"}, {SymbolKind::real_literal, "real"},
    {SymbolKind::control, "control"},
};

constexpr Entry<Control> controls[] = {
    {Control::block, "block"},    {Control::declare, "declare"}, {Control::assign, "assign"},
    {Control::value, "value"},    {Control::skip, "skip"},       {Control::assert_, "assert"},
    {Control::if_, "if"},         {Control::for_, "for"},        {Control::iterate, "iterate"},
    {Control::while_, "while"},   {Control::fold, "fold"},       {Control::forall, "forall"},
    {Control::vector_, "vector"},
};

constexpr Entry<Mode> modes[] = {{Mode::obs, "obs"}, {Mode::upd, "upd"}, {Mode::out, "out"}};

constexpr Entry<Arithmetic> meanings[] = {
    {Arithmetic::add, "add"},
    {Arithmetic::subtract, "subtract"},
    {Arithmetic::negate, "negate"},
    {Arithmetic::multiply, "multiply"},
    {Arithmetic::divide, "divide"},
    {Arithmetic::modulo, "modulo"},
    {Arithmetic::minimum, "minimum"},
    {Arithmetic::maximum, "maximum"},
    {Arithmetic::absolute, "absolute"},
    {Arithmetic::length, "length"},
    {Arithmetic::less, "less"},
    {Arithmetic::less_equal, "at most"},
    {Arithmetic::greater, "greater"},
    {Arithmetic::greater_equal, "at least"},
    {Arithmetic::equal, "equal"},
    {Arithmetic::not_equal, "different"},
    {Arithmetic::and_, "and"},
    {Arithmetic::or_, "or"},
    {Arithmetic::not_, "not"},
    {Arithmetic::implies, "implies"},
    {Arithmetic::iff, "iff"},
    {Arithmetic::true_, "true"},
    {Arithmetic::false_, "false"},
    {Arithmetic::real_add, "real add"},
    {Arithmetic::real_subtract, "real subtract"},
    {Arithmetic::real_negate, "real negate"},
    {Arithmetic::real_multiply, "real multiply"},
    {Arithmetic::real_divide, "real divide"},
    {Arithmetic::real_minimum, "real minimum"},
    {Arithmetic::real_maximum, "real maximum"},
    {Arithmetic::real_absolute, "real absolute"},
    {Arithmetic::real_less, "real less"},
    {Arithmetic::real_less_equal, "real at most"},
    {Arithmetic::real_greater, "real greater"},
    {Arithmetic::real_greater_equal, "real at least"},
};

constexpr Entry<ArrayFunction> array_functions[] = {{ArrayFunction::shape, "shape"},
                                                    {ArrayFunction::element, "element"},
                                                    {ArrayFunction::component, "component"}};

constexpr Entry<Basis> bases[] = {
    {Basis::context, "context"}, {Basis::entry_check, "entry check"}, {Basis::assumed, "assumed"}};

template <class T, std::size_t N>
std::string_view word_of(const Entry<T> (&entries)[N], T value) {
  for (const Entry<T>& entry : entries) {
    if (entry.first == value) return entry.second;
  }
  return "";
}

template <class T, std::size_t N>
std::optional<T> value_of(const Entry<T> (&entries)[N], std::string_view word) {
  for (const Entry<T>& entry : entries) {
    if (entry.second == word) return entry.first;
  }
  return std::nullopt;
}

}  // namespace

std::string_view word(SymbolKind kind) { return word_of(kinds, kind); }
std::string_view word(Control control) { return word_of(controls, control); }
std::string_view word(Mode mode) { return word_of(modes, mode); }
std::string_view word(Arithmetic meaning) { return word_of(meanings, meaning); }
std::string_view word(ArrayFunction function) { return word_of(array_functions, function); }
std::string_view word(Basis basis) { return word_of(bases, basis); }

std::optional<SymbolKind> symbol_kind(std::string_view word) { return value_of(kinds, word); }
std::optional<Control> control(std::string_view word) { return value_of(controls, word); }
std::optional<Mode> mode(std::string_view word) { return value_of(modes, word); }
std::optional<Arithmetic> arithmetic(std::string_view word) { return value_of(meanings, word); }
std::optional<ArrayFunction> array_function(std::string_view word) {
  return value_of(array_functions, word);
}
std::optional<Basis> basis(std::string_view word) { return value_of(bases, word); }

std::string digest(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char each : text) {
    hash ^= static_cast<unsigned char>(each);
    hash *= 0x100000001b3ULL;
  }
  std::string digits(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4U) digits[i] = "0123456789abcdef"[hash & 15U];
  return digits;
}

}  // namespace rhopsi::check
