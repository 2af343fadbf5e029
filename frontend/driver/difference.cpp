#include "frontend/driver/difference.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "engine/term/derivation.hpp"
#include "engine/term/operations.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/element_cost.hpp"
#include "frontend/driver/excerpt.hpp"
#include "frontend/driver/nearest.hpp"
#include "frontend/driver/rewritten.hpp"
#include "frontend/driver/stages.hpp"
#include "frontend/elaborate/raise.hpp"
#include "frontend/syntax/print.hpp"

namespace rhopsi::driver {
namespace {

using Counts = std::map<std::string, std::uint64_t>;

struct Operation {
  std::vector<std::string> lines;
  Counts calls;
};

struct Side {
  std::string name;
  std::vector<std::string> transformations;
  Counts rules;
  std::map<std::string, Operation> operations;  // with bodies, by signature
  Counts costs;                                 // for each element, by function and what is counted
  int rank = 0;                                 // for which they were counted; 0: they were not
};

// Calls as they are written: what is shared counts each time. Parts are counted once.
class CallCounter {
 public:
  explicit CallCounter(const term::Store& store) : store_(store) {}

  Counts count(term::TermId root) {
    std::vector<std::pair<term::TermId, bool>> pending{{root, false}};
    while (!pending.empty()) {
      const auto [term, leave] = pending.back();
      if (known_.contains(term)) {
        pending.pop_back();
      } else if (leave) {
        known_.emplace(term, of(term));
        pending.pop_back();
      } else {
        pending.back().second = true;
        for (term::TermId child : store_.children(term)) pending.emplace_back(child, false);
      }
    }
    return known_.at(root);
  }

 private:
  Counts of(term::TermId term) const {
    constexpr std::uint64_t most = 1'000'000'000'000'000;
    Counts counts;
    for (term::TermId child : store_.children(term)) {
      for (const auto& [name, count] : known_.at(child)) {
        counts[name] = std::min(most, counts[name] + count);
      }
    }
    const term::Symbol& head = store_.head(term);
    switch (head.kind) {
      case term::SymbolKind::function:
      case term::SymbolKind::predicate:
      case term::SymbolKind::procedure:
        ++counts[head.name];
        break;
      default:
        break;
    }
    return counts;
  }

  const term::Store& store_;
  std::map<term::TermId, Counts> known_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::optional<std::string> only_program(Session& session, const std::string& file,
                                        syntax::Diagnostics& diagnostics) {
  const auto package = load(session, file, diagnostics);
  if (!package || diagnostics.has_errors()) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [name, kind] : session.workspace().modules(*package)) {
    if (kind == term::ModuleKind::program) names.push_back(name);
  }
  if (names.size() == 1) return names.front();
  diagnostics.error(codes::not_a_program, {},
                    file + (names.empty() ? " declares no program" : " declares several programs"),
                    names.empty() ? ""
                                  : "name one: " + file + ":" + names.front() + "; there are " +
                                        enumerate(names));
  return std::nullopt;
}

// For arrays of that rank, if the program has an operational form for it.
bool count_costs(Session& session, const term::Theory& theory, int rank, Side& side) {
  lower::Options options;
  options.rank = rank;
  for (const term::Callable& callable : theory.callables) {
    for (term::SymbolId each : callable.parameters) {
      options.ranks[session.store()[each].name] = static_cast<std::size_t>(rank);
    }
  }
  syntax::Diagnostics unused;
  const auto module = lower(session, theory, options, unused);
  if (!module) return false;
  for (std::size_t i = 0; i < module->functions.size(); ++i) {
    const onf::Function& function = module->functions[i];
    const ElementCost cost = element_cost(*module, static_cast<onf::FunctionId>(i));
    if (function.device || cost.passes == 0) continue;
    side.costs[function.name + ": operations"] = cost.operations;
    side.costs[function.name + ": operations on indices"] = cost.index_operations;
    side.costs[function.name + ": reads"] = cost.reads;
    side.costs[function.name + ": writes"] = cost.writes;
    side.costs[function.name + ": passes over arrays"] = cost.passes;
  }
  side.rank = rank;
  return true;
}

void count_costs(Session& session, const term::Theory& theory, Side& side) {
  if (theory.kind != term::ModuleKind::program) return;
  for (int rank : {3, 2, 1}) {
    if (count_costs(session, theory, rank, side)) return;
  }
}

std::optional<Side> side_of(const std::string& text, SessionOptions options,
                            syntax::Diagnostics& diagnostics) {
  options.record_steps = true;
  Session session(std::move(options));
  std::string file = text;
  std::optional<std::string> program;
  const std::size_t colon = text.rfind(':');
  if (colon != std::string::npos && !std::filesystem::exists(text)) {
    file = text.substr(0, colon);
    program = text.substr(colon + 1);
  } else {
    program = only_program(session, file, diagnostics);
  }
  if (!program) return std::nullopt;
  const auto theory = module(session, file, *program, diagnostics);
  if (!theory) return std::nullopt;
  Side side;
  side.name = *program;
  side.transformations = summaries(*theory);
  for (const auto& derivation : term::derivations_of(*theory)) {
    for (const auto& [rule, count] : derivation->applications) side.rules[rule] += count;
  }
  count_costs(session, *theory, side);
  CallCounter counter(session.store());
  for (const term::Callable& callable : theory->callables) {
    if (!callable.body) continue;
    const std::string printed =
        syntax::print(elaborate::raise_callable(session.store(), *theory, callable));
    side.operations[term::to_string(session.store(), callable.symbol)] = {
        lines_of(printed), counter.count(*callable.body)};
  }
  return side;
}

// Columns of one width.
std::string row(const std::string& name, const std::string& left, const std::string& right) {
  constexpr std::size_t name_width = 44;
  constexpr std::size_t column = 14;
  const auto padded = [](const std::string& text, std::size_t columns) {
    const std::size_t taken = width(text);
    return text + std::string(taken < columns ? columns - taken : 1, ' ');
  };
  return "  " + padded(name, name_width) + padded(left, column) + right + "\n";
}

std::string table(const std::string& title, const Side& left, const Side& right,
                  const Counts& first, const Counts& second, bool only_different) {
  std::string text;
  std::set<std::string> names;
  for (const auto* counts : {&first, &second}) {
    for (const auto& [name, count] : *counts) names.insert(name);
  }
  const auto count = [](const Counts& counts, const std::string& name) {
    const auto found = counts.find(name);
    return found == counts.end() ? std::string("-") : std::to_string(found->second);
  };
  for (const std::string& name : names) {
    const std::string one = count(first, name);
    const std::string other = count(second, name);
    if (!only_different || one != other) text += row(name, one, other);
  }
  return text.empty() ? text : title + "\n" + row("", left.name, right.name) + text;
}

// The longest common lines stand once.
std::string line_by_line(const std::vector<std::string>& left,
                         const std::vector<std::string>& right) {
  constexpr std::size_t most = 2'000;
  std::string text;
  if (left.size() > most || right.size() > most) return "  too long to be compared line by line\n";
  std::vector<std::vector<std::uint32_t>> common(left.size() + 1,
                                                 std::vector<std::uint32_t>(right.size() + 1, 0));
  for (std::size_t i = left.size(); i-- > 0;) {
    for (std::size_t j = right.size(); j-- > 0;) {
      common[i][j] = left[i] == right[j] ? common[i + 1][j + 1] + 1
                                         : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < left.size() || j < right.size()) {
    if (i < left.size() && j < right.size() && left[i] == right[j]) {
      text += "    " + left[i] + "\n";
      ++i, ++j;
    } else if (j == right.size() || (i < left.size() && common[i + 1][j] >= common[i][j + 1])) {
      text += "  - " + left[i++] + "\n";
    } else {
      text += "  + " + right[j++] + "\n";
    }
  }
  return text;
}

std::string operations(const Side& left, const Side& right) {
  std::set<std::string> names;
  for (const Side* side : {&left, &right}) {
    for (const auto& [name, operation] : side->operations) names.insert(name);
  }
  std::string text;
  std::size_t same = 0;
  const Operation none;
  for (const std::string& name : names) {
    const auto one = left.operations.find(name);
    const auto other = right.operations.find(name);
    const Operation& first = one == left.operations.end() ? none : one->second;
    const Operation& second = other == right.operations.end() ? none : other->second;
    if (first.lines == second.lines) {
      ++same;
      continue;
    }
    text += name + "\n" + line_by_line(first.lines, second.lines);
    text += table("  calls", left, right, first.calls, second.calls, true);
  }
  return text + std::to_string(same) + (same == 1 ? " operation is" : " operations are") +
         " the same in both\n";
}

std::string costs(const Side& left, const Side& right) {
  std::string text;
  for (const Side* side : {&left, &right}) {
    if (side->rank == 0) text += side->name + " has no operational form to count costs of\n";
  }
  if (!text.empty()) return text;
  std::string title = "for each element, at rank " + std::to_string(left.rank);
  if (left.rank != right.rank) title += " and " + std::to_string(right.rank);
  return table(title + "; of a loop one round, of a branch the dearer one", left, right, left.costs,
               right.costs, false);
}

}  // namespace

std::optional<std::string> diff(const DiffRequest& request, syntax::Diagnostics& diagnostics) {
  const auto left = side_of(request.left, request.options, diagnostics);
  const auto right = side_of(request.right, request.options, diagnostics);
  if (!left || !right) return std::nullopt;
  std::string text;
  for (const Side* side : {&*left, &*right}) {
    text += side->name + "\n";
    for (const std::string& each : side->transformations) text += "  " + each + "\n";
    if (side->transformations.empty()) text += "  nothing is transformed\n";
  }
  text += table("applications of rules", *left, *right, left->rules, right->rules, false);
  return text + costs(*left, *right) + operations(*left, *right);
}

}  // namespace rhopsi::driver
