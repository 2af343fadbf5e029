#include "engine/normalise/emit.hpp"

#include <algorithm>
#include <set>

#include "engine/normalise/listing.hpp"
#include "engine/normalise/native_state_text.hpp"

namespace rhopsi::normalise {
namespace {

// Arguments that are handed on in registers; the others lie on the stack.
constexpr std::uint32_t in_registers = 3;

std::string text(std::uint64_t number) { return std::to_string(number); }
std::string slot(std::uint32_t number) { return "s" + text(number); }

const char* const opening = R"emitted(
  using namespace rhopsi::normalise::native;
  using Word = std::uint32_t;
  using Long = std::uint64_t;
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define COLD __attribute__((noinline, cold)) static void

  static inline bool same(const State* s, const Word* h, Word a, Word b) {
    if (a == b) return true;
    if (h[a] != h[b]) return false;
    return s->equal(s, a, b);
  }
  static inline void frame(Word* above, Word site, Word size) {
    above[-2] = site;
    above[-1] = size;
  }
  static void leave(State* s, Word* base, Long free, Word result) {
    base[0] = result;
    s->base = base;
    s->free = free;
    s->pause = Pause::finished;
  }
)emitted";

const char* const closing = R"emitted(
// Calls that end a block have to be jumps: else the system's stack would grow.
struct Probe {
  const void* frames[3];
};
static void probe(State* s, Word* base, Long free, Word result);
static Return volatile next_probe = probe;
static void probe(State* s, Word* base, Long free, Word result) {
  const_cast<Probe*>(static_cast<const Probe*>(s->machine))->frames[result] =
      __builtin_frame_address(0);
  if (result == 2) return;
  next_probe(s, base, free, result + 1);
}
static bool calls_are_jumps() {
  Probe found{};
  State s{};
  s.machine = &found;
  next_probe(&s, nullptr, 0, 0);
  return found.frames[0] == found.frames[1] && found.frames[1] == found.frames[2];
}
extern "C" const Rules rhopsi_rules;
const Rules rhopsi_rules{entries, sites, calls_are_jumps};
)emitted";

// The code of one symbol's rules.
class SymbolWriter {
 public:
  SymbolWriter(const Program& program, const Listing& listing, Emission& emission,
               std::string& declarations)
      : program_(program), listing_(listing), emission_(emission), declarations_(declarations) {}

  void write() {
    begin_with_arguments(listing_.entry(), "e" + text(listing_.symbol()));
    for (const Line& line : listing_.lines()) {
      if (listing_.is_join(line.address)) begin_with_arguments(line.address, join(line.address));
      if (line.op == Op::call) begin_with_result(line);
    }
  }

 private:
  std::uint32_t arity() const { return program_.arity[listing_.symbol()]; }
  static std::string join(std::uint32_t address) { return "j" + text(address); }
  void put(const std::string& line) { emission_.text += line + "\n"; }
  static std::string parameters(std::uint32_t count) {
    std::string list = "State* s, Word* base, Long free";
    for (std::uint32_t i = 0; i < std::min(count, in_registers); ++i) list += ", Word " + slot(i);
    return list;
  }

  void begin_with_arguments(std::uint32_t address, const std::string& name);
  void begin_with_result(const Line& call);
  void write_block(std::uint32_t address);
  std::set<std::uint32_t> block(std::uint32_t address) const;
  std::set<std::uint32_t> written(const std::set<std::uint32_t>& addresses) const;
  bool pushes(const std::set<std::uint32_t>& addresses) const;
  void write_line(const Line& line, std::uint32_t next);
  void write_switch(const Line& line, std::uint32_t next);
  void write_call(const Line& line);
  void write_tail(const Line& line);
  void take(const Line& line, const std::string& symbol, const std::string& result);
  std::string jump(std::uint32_t target) const;
  std::string pass(const std::string& name, const std::string& base,
                   const std::vector<std::uint32_t>& operands) const;
  void go_on(std::uint32_t target, std::uint32_t next) {
    if (target != next) put("  " + jump(target));
  }
  std::string pause() const { return pause_; }

  const Program& program_;
  const Listing& listing_;
  Emission& emission_;
  std::string& declarations_;
  std::uint32_t start_ = 0;
  std::string pause_;  // a statement that leaves the block from where it began
};

void SymbolWriter::begin_with_arguments(std::uint32_t address, const std::string& name) {
  const std::uint32_t few = std::min(arity(), in_registers);
  std::string loaded;
  std::string passed;
  std::string stored;
  for (std::uint32_t i = 0; i < few; ++i) {
    loaded += ", base[" + text(i) + "]";
    passed += ", " + slot(i);
    stored += " base[" + text(i) + "] = " + slot(i) + ";";
  }
  const std::string header = "static void " + name + "(" + parameters(arity()) + ")";
  declarations_ += header + ";\n";
  put("static void m" + name + "(State* s, Word* base, Long free) { return " + name +
      "(s, base, free" + loaded + "); }");
  put("COLD p" + name + "(" + parameters(arity()) + ") {" + stored +
      " s->base = base; s->free = free; s->resume = m" + name + "; s->live = " + text(arity()) +
      "; s->address = " + text(address_of(listing_.fail())) + "; }");
  pause_ = "return p" + name + "(s, base, free" + passed + ");";
  put(header + " {");
  put("  Word* const h = s->heap;");
  const auto addresses = block(address);
  const std::uint32_t words = listing_.words(address);
  emission_.largest_block = std::max(emission_.largest_block, words);
  std::string condition = words == 0 ? "" : "free + " + text(words) + " > s->limit";
  if (pushes(addresses))
    condition += (words == 0 ? "" : " || ") + std::string("base > s->stack_limit");
  if (!condition.empty()) {
    put("  if (UNLIKELY(" + condition + ")) { s->pause = Pause::room; " + pause() + " }");
  }
  for (std::uint32_t i = in_registers; i < arity(); ++i) {
    put("  const Word " + slot(i) + " = base[" + text(i) + "];");
  }
  write_block(address);
}

void SymbolWriter::begin_with_result(const Line& call) {
  const auto site = static_cast<std::uint32_t>(emission_.sites.size());
  Emission::Site made{address_of(call.after), call.a, listing_.live(call.after)};
  std::erase(made.saved, call.a);
  const auto size = static_cast<std::uint32_t>(made.saved.size()) + 2;
  const std::string name = "r" + text(site);
  const std::string header =
      "static void " + name + "(State* s, Word* base, Long free, Word result)";
  declarations_ += header + ";\n";
  declarations_ += "enum : Word { site" + text(call.address) + " = " + text(site) + " };\n";
  put("static void m" + name + "(State* s, Word* base, Long free) { return " + name +
      "(s, base, free, base[0]); }");
  put("COLD p" + name + "(State* s, Word* base, Long free, Word result) { base[0] = result; " +
      "s->base = base; s->free = free; s->resume = m" + name + "; s->live = 1; s->address = 0; }");
  pause_ = "return p" + name + "(s, base + " + text(size) + ", free, result);";
  put(header + " {");
  put("  Word* const h = s->heap;");
  put("  base -= " + text(size) + ";");
  const std::uint32_t words = listing_.words(call.after);
  emission_.largest_block = std::max(emission_.largest_block, words);
  if (words != 0) {
    put("  if (UNLIKELY(free + " + text(words) + " > s->limit)) { s->pause = Pause::room; " +
        pause() + " }");
  }
  const auto addresses = block(call.after);
  for (std::size_t i = 0; i < made.saved.size(); ++i) {
    put("  Word " + slot(made.saved[i]) + " = base[" + text(i) + "];");
  }
  put("  Word " + slot(call.a) + " = result;");
  emission_.sites.push_back(std::move(made));
  write_block(call.after);
}

std::set<std::uint32_t> SymbolWriter::block(std::uint32_t address) const {
  std::set<std::uint32_t> found{address};
  std::vector<std::uint32_t> open{address};
  while (!open.empty()) {
    const std::uint32_t top = open.back();
    open.pop_back();
    for (const std::uint32_t target : listing_.targets(listing_.at(top))) {
      if (!listing_.is_join(target) && found.insert(target).second) open.push_back(target);
    }
  }
  return found;
}

// Slots that a block writes.
std::set<std::uint32_t> SymbolWriter::written(const std::set<std::uint32_t>& addresses) const {
  std::set<std::uint32_t> slots;
  for (const std::uint32_t address : addresses) {
    const Line& line = listing_.at(address);
    if (line.op == Op::constant || line.op == Op::build) slots.insert(line.a);
    if (line.op != Op::load) continue;
    for (std::uint32_t i = 0; i < line.count; ++i) slots.insert(line.w + i);
  }
  return slots;
}

bool SymbolWriter::pushes(const std::set<std::uint32_t>& addresses) const {
  return std::any_of(addresses.begin(), addresses.end(),
                     [&](std::uint32_t address) { return listing_.at(address).op == Op::call; });
}

// What was declared before stands for the block's first slots.
void SymbolWriter::write_block(std::uint32_t address) {
  start_ = address;
  const auto addresses = block(address);
  std::set<std::uint32_t> known;
  if (address == listing_.entry() || listing_.is_join(address)) {
    for (std::uint32_t i = 0; i < arity(); ++i) known.insert(i);
  } else {
    const Emission::Site& site = emission_.sites.back();
    known.insert(site.saved.begin(), site.saved.end());
    known.insert(site.slot);
  }
  for (const std::uint32_t each : written(addresses)) {
    if (!known.contains(each)) put("  Word " + slot(each) + ";");
  }
  if (*addresses.begin() != address) put("  " + jump(address));
  for (auto here = addresses.begin(); here != addresses.end(); ++here) {
    const auto next = std::next(here);
    put("L" + text(*here) + ":;");
    write_line(listing_.at(*here), next == addresses.end() ? 0 : *next);
  }
  put("}");
}

std::string SymbolWriter::jump(std::uint32_t target) const {
  if (target == start_ || !listing_.is_join(target)) return "goto L" + text(target) + ";";
  std::vector<std::uint32_t> arguments(arity());
  for (std::uint32_t i = 0; i < arity(); ++i) arguments[i] = i;
  // What is not read there may not be known here.
  const auto& live = listing_.live(target);
  std::string text_of = "{ ";
  std::string passed;
  for (const std::uint32_t i : arguments) {
    const bool read = std::binary_search(live.begin(), live.end(), i);
    if (i < in_registers) {
      passed += ", " + (read ? slot(i) : std::string("0"));
    } else {
      text_of += "base[" + text(i) + "] = " + (read ? slot(i) : std::string("0")) + "; ";
    }
  }
  return text_of + "return " + join(target) + "(s, base, free" + passed + "); }";
}

// A jump to the block of a call, whose frame is at `base`.
std::string SymbolWriter::pass(const std::string& name, const std::string& base,
                               const std::vector<std::uint32_t>& operands) const {
  std::string stored;
  std::string passed;
  for (std::uint32_t i = 0; i < operands.size(); ++i) {
    if (i < in_registers) {
      passed += ", " + slot(operands[i]);
    } else {
      stored += "  " + base + "[" + text(i) + "] = " + slot(operands[i]) + ";\n";
    }
  }
  return stored + "  return " + name + "(s, " + base + ", free" + passed + ");";
}

void SymbolWriter::take(const Line& line, const std::string& symbol, const std::string& result) {
  put("  h[free] = " + symbol + ";");
  for (std::uint32_t i = 0; i < line.operands.size(); ++i) {
    put("  h[free + " + text(i + 1) + "] = " + slot(line.operands[i]) + ";");
  }
  put("  " + result + " = static_cast<Word>(free);");  // may have been an operand
  put("  free += " + text(std::max<std::size_t>(line.operands.size() + 1, 2)) + ";");
}

void SymbolWriter::write_switch(const Line& line, std::uint32_t next) {
  std::uint32_t otherwise = 0;
  const std::vector<Case> cases = cases_of(program_, line, otherwise);
  if (cases.size() <= 2) {
    for (const Case& each : cases) {
      put("  if (h[" + slot(line.a) + "] == " + text(each.symbol) + ") " + jump(each.target));
    }
    go_on(otherwise, next);
    return;
  }
  put("  switch (h[" + slot(line.a) + "]) {");
  for (const Case& each : cases) {
    put("    case " + text(each.symbol) + ": " + jump(each.target));
  }
  put("    default: " + jump(otherwise));
  put("  }");
}

void SymbolWriter::write_call(const Line& line) {
  std::vector<std::uint32_t> saved = listing_.live(line.after);
  std::erase(saved, line.a);
  for (std::size_t i = 0; i < saved.size(); ++i) {
    put("  base[" + text(i) + "] = " + slot(saved[i]) + ";");
  }
  const std::string size = text(saved.size() + 2);
  put("  Word* const above = base + " + size + ";");
  put("  frame(above, site" + text(line.address) + ", " + size + ");");
  put(pass("e" + text(w_of(program_.code[line.w - 1])), "above", line.operands));
}

void SymbolWriter::write_tail(const Line& line) {
  put(pass("e" + text(w_of(program_.code[line.w - 1])), "base", line.operands));
}

void SymbolWriter::write_line(const Line& line, std::uint32_t next) {
  const Word* const code = program_.code.data() + line.address;
  const std::string other =
      line.op == Op::same || line.op == Op::compare ? jump(index_of(low_of(code[1]))) : "";
  switch (line.op) {
    case Op::choose1:
    case Op::dispatch:
    case Op::hashed:
      write_switch(line, next);
      return;
    case Op::load:
      put("  __builtin_prefetch(h + " + slot(line.a) + " + " + text(words_ahead) + ");");
      for (std::uint32_t i = 0; i < line.count; ++i) {
        put("  " + slot(line.w + i) + " = h[" + slot(line.a) + " + " + text(i + 1) + "];");
      }
      break;
    case Op::same:
      put("  if (!same(s, h, " + slot(line.a) + ", " + slot(line.w) + ")) " + other);
      break;
    case Op::compare:
      put("  if (same(s, h, " + slot(line.a) + ", " + slot(line.w & 0xffffU) +
          ") == " + ((line.w >> 16) != 0 ? "true" : "false") + ") " + other);
      break;
    case Op::rule:
      put("  if (UNLIKELY(s->fuel == 0)) { s->pause = Pause::fuel; " + pause() + " }");
      put("  --s->fuel;");
      break;
    case Op::condition:
      put("  if (UNLIKELY(s->conditions == 0)) { s->pause = Pause::conditions; " + pause() + " }");
      put("  --s->conditions;");
      break;
    case Op::constant:
      put("  " + slot(line.a) + " = " + text(line.w) + ";");
      break;
    case Op::build:
      take(line, text(line.w), slot(line.a));
      break;
    case Op::call:
      put("  {");
      write_call(line);
      put("  }");
      return;
    case Op::tail:
      write_tail(line);
      return;
    case Op::give:
      put("  return sites[base[-2]](s, base, free, " + slot(line.a) + ");");
      return;
    case Op::give_fixed:
      put("  return sites[base[-2]](s, base, free, " + text(line.w) + ");");
      return;
    case Op::fail:
    case Op::give_built: {
      Line node = line;
      for (std::uint32_t i = 0; line.op == Op::fail && i < line.a; ++i) node.operands.push_back(i);
      put("  {");
      take(node, text(line.w), "const Word made");
      put("  return sites[base[-2]](s, base, free, made);");
      put("  }");
      return;
    }
    default:
      return;
  }
  go_on(line.after, next);
}

}  // namespace

Emission emit(const Program& program) {
  Emission emission;
  emission.sites.resize(evaluate_address + 1);
  std::string declarations;
  const std::vector<std::uint32_t> ends = ends_of_rules(program);
  std::string entries = "const Resume entries[] = {\n";
  for (Symbol symbol = 0; symbol < ends.size(); ++symbol) {
    entries += ends[symbol] == 0 ? "  nullptr,\n" : "  me" + text(symbol) + ",\n";
    if (ends[symbol] == 0) continue;
    const Listing listing(program, symbol, ends[symbol]);
    SymbolWriter(program, listing, emission, declarations).write();
  }
  std::string sites = "namespace {\nconst Return sites[] = {\n";
  for (std::size_t i = 0; i < emission.sites.size(); ++i) {
    sites += i <= evaluate_address ? "  leave,\n" : "  r" + text(i) + ",\n";
  }
  const std::string count = text(emission.sites.size());
  emission.text = std::string(native_state_text) + opening +
                  "namespace {\nextern const Return sites[" + count + "];\n}\n" + declarations +
                  emission.text + sites + "};\n" + entries + "};\n}\n" + closing;
  return emission;
}

}  // namespace rhopsi::normalise
