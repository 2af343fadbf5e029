// Writes the instructions of a program; addresses that are not known yet are labels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/normalise/instruction.hpp"
#include "engine/normalise/program.hpp"

namespace rhopsi::normalise {

using Label = std::uint32_t;

class Assembler {
 public:
  explicit Assembler(Program& program) : program_(program) {}

  Label label() {
    addresses_.push_back(0);
    return static_cast<Label>(addresses_.size() - 1);
  }
  void place(Label label) { addresses_[label] = address_of(here()); }
  // The index of the next word.
  std::uint32_t here() const { return static_cast<std::uint32_t>(program_.code.size()); }

  void emit(Word word) { program_.code.push_back(word); }
  void emit(Op op, std::uint32_t a, std::uint32_t w) { emit(instruction(op, a, w)); }
  // With a label for w.
  void emit_to(Op op, std::uint32_t a, Label target) {
    fix(Part::high, target);
    emit(op, a, 0);
  }
  void emit_addresses(Label low, Label high) {
    fix(Part::low, low);
    fix(Part::high, high);
    emit(0);
  }
  // One of the choices of an instruction.
  void emit_choice(Symbol symbol, Label target) {
    fix(Part::high, target);
    emit(addresses(symbol, 0));
  }
  void emit_address_and(Label low, std::uint32_t high) {
    fix(Part::low, low);
    emit(addresses(0, high));
  }
  void emit_operands(std::span<const std::uint32_t> slots) {
    for (std::size_t first = 0; first < slots.size(); first += 4) {
      Word word = 0;
      for (std::size_t i = first; i < slots.size() && i < first + 4; ++i) {
        word |= static_cast<Word>(slots[i]) << (16 * (i - first));
      }
      emit(word);
    }
  }

  std::uint32_t table() const { return static_cast<std::uint32_t>(program_.tables.size()); }
  void emit_to_table(std::uint32_t value) { program_.tables.push_back(value); }
  void emit_address_to_table(Label target) {
    fixups_.push_back({table(), Part::table, target});
    program_.tables.push_back(0);
  }
  void put_address_in_table(std::uint32_t place, Label target) {
    fixups_.push_back({place, Part::table, target});
  }

  // Labels for what is called, which are placed one by one.
  Label entry(Symbol symbol) {
    if (entries_.size() <= symbol) entries_.resize(program_.symbols.size(), none);
    if (entries_[symbol] == none) entries_[symbol] = label();
    return entries_[symbol];
  }

  // Addresses for all labels; each has been placed.
  void finish() {
    for (const Fixup& fixup : fixups_) {
      const std::uint32_t address = addresses_[fixup.label];
      switch (fixup.part) {
        case Part::low:
          program_.code[fixup.place] |= address;
          break;
        case Part::high:
          program_.code[fixup.place] |= static_cast<Word>(address) << 32;
          break;
        case Part::table:
          program_.tables[fixup.place] = address;
          break;
      }
    }
  }

 private:
  enum class Part { low, high, table };
  struct Fixup {
    std::uint32_t place;
    Part part;
    Label label;
  };
  static constexpr Label none = ~Label{0};

  void fix(Part part, Label label) { fixups_.push_back({here(), part, label}); }

  Program& program_;
  std::vector<std::uint32_t> addresses_;
  std::vector<Fixup> fixups_;
  std::vector<Label> entries_;
};

}  // namespace rhopsi::normalise
