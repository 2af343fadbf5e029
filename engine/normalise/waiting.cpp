#include "engine/normalise/waiting.hpp"

#include <algorithm>

#include "engine/normalise/listing.hpp"

namespace rhopsi::normalise {
namespace {

using Rest = Program::Rest;

std::uint32_t words_of_node(std::size_t arguments) {
  return static_cast<std::uint32_t>(std::max<std::size_t>(arguments + 1, 2));
}

// What putting a frame together takes from `line` on, where `next` is that from the line behind it
// and `call` that of the call as it was before a rule was chosen.
Rest rest_from(const Line& line, const Rest& next, const Rest& call) {
  const bool made = !line.operands.empty() || line.op == Op::build || line.op == Op::give_built;
  const Rest node{made ? words_of_node(line.operands.size()) : 0, made ? 1U : 0U, true};
  switch (line.op) {
    case Op::give:
    case Op::give_fixed:
    case Op::give_built:
    case Op::tail:
      return node;
    case Op::build:
    case Op::call:
      return {next.words + node.words, next.nodes + node.nodes, next.right_side};
    case Op::constant:
      return next;
    default:  // among conditions and while matching: the call stays
      return call;
  }
}

}  // namespace

void note_rests(Program& program) {
  program.rests.assign(program.code.size(), {});
  const std::vector<std::uint32_t> ends = ends_of_rules(program);
  std::vector<Line> lines;
  for (Symbol symbol = 0; symbol < ends.size(); ++symbol) {
    if (ends[symbol] == 0) continue;
    lines.clear();
    for (std::uint32_t at = index_of(program.entry[symbol]) - 1; at < ends[symbol];) {
      lines.push_back(line_at(program, at));
      at = lines.back().after;
    }
    const Rest call{words_of_node(program.arity[symbol]), 1, false};
    Rest next = call;
    for (std::size_t i = lines.size(); i-- > 0;) {
      const Line& line = lines[i];
      if (line.op == Op::call) {
        program.most_rest =
            std::max(program.most_rest, static_cast<double>(next.words) / (line.a + 2));
      }
      next = program.rests[line.address] = rest_from(line, next, call);
      program.largest_rest = std::max(program.largest_rest, next.words);
    }
  }
}

std::vector<std::uint32_t> slots_read(const Program& program, std::uint32_t address) {
  std::vector<std::uint32_t> found;
  std::vector<bool> written(program.largest_frame + 1, false);
  for (std::uint32_t at = address;;) {
    const Line line = line_at(program, at);
    for (const std::uint32_t slot : line.operands) {
      if (!written[slot]) found.push_back(slot);
    }
    if (line.op == Op::give && !written[line.a]) found.push_back(line.a);
    const bool writes = line.op == Op::constant || line.op == Op::build || line.op == Op::call;
    if (!writes) break;
    written[line.a] = true;
    at = line.after;
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace rhopsi::normalise
