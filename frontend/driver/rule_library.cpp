#include "frontend/driver/rule_library.hpp"

#include <algorithm>
#include <cctype>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "backends/primitives/primitives.hpp"
#include "engine/term/operations.hpp"
#include "engine/term/sequence.hpp"
#include "engine/verify/knowledge.hpp"
#include "frontend/driver/comments.hpp"
#include "frontend/driver/expression_scope.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/driver/verified.hpp"
#include "frontend/elaborate/raise.hpp"
#include "frontend/syntax/print.hpp"

namespace rhopsi::driver {
namespace {

namespace fs = std::filesystem;
using Status = AxiomReport::Status;
using Kind = RuleEntry::Kind;

std::string canonical(const std::string& file) {
  std::error_code failure;
  return fs::weakly_canonical(file, failure).string();
}

// "moa.laws" of "moa.laws.SameAxis.rotateRotate"; the name of an axiom holds no dot.
std::string package_of(const std::string& name) {
  return name.substr(0, name.rfind('.', name.rfind('.') - 1));
}

// What an operation is called, and where it is declared.
using Operation = std::pair<std::string, term::LocationId>;

// The operations of which it says something by itself: those applied to distinct variables alone.
std::set<term::SymbolId> subjects(const term::Store& store, term::TermId left) {
  std::set<term::SymbolId> found;
  term::for_each_subterm(store, left, [&](term::TermId subterm) {
    std::set<term::TermId> variables;
    for (term::TermId child : store.children(subterm)) {
      if (store.head(child).kind == term::SymbolKind::variable) variables.insert(child);
    }
    const std::size_t count = store.children(subterm).size();
    if (count > 0 && variables.size() == count) found.insert(store.symbol(subterm));
    return true;
  });
  return found;
}

class Reading {
 public:
  Reading(Session& session, const RulesRequest& request, syntax::Diagnostics& diagnostics)
      : session_(session),
        request_(request),
        diagnostics_(diagnostics),
        real_(primitives::make_table(session.real(), primitives::Numbers::real)) {}

  std::optional<std::vector<RuleEntry>> run() {
    for (const std::string& file : request_.files) files_.insert(canonical(file));
    VerifyRequest asking;
    asking.files = request_.files;
    asking.limits = request_.limits;
    asking.time = request_.time;
    asking.progress = request_.progress;
    asking.wanted = [&](const std::string& name) {
      return request_.proved && request_.proved(name);
    };
    asking.met = [&](const AxiomReport& report, const Stated& stated) { add(report, stated); };
    const auto report = driver::verify(session_, asking, diagnostics_);
    if (!report) return std::nullopt;
    if (request_.proved) remember(session_, *report);
    findings_ = recall(session_);
    for (const AxiomReport& each : report->axioms) settle(each);
    const auto all = modules();
    for (const bool at_home : {true, false}) {
      for (const Module& each : all) add_operations(each, at_home);
    }
    connect();
    return in_order();
  }

 private:
  struct Draft {
    RuleEntry entry;
    std::string package;
    term::LocationId location{};
    std::set<Operation> operations;  // of an axiom: that it speaks of
    std::set<Operation> subjects;    // and that it says something of by itself
  };

  bool detailed(const std::string& name) const {
    return request_.detailed && request_.detailed(name);
  }

  struct Module {
    std::string package;
    std::string name;
    std::string file;
  };

  std::vector<Module> modules() {
    std::vector<Module> found;
    for (const std::string& file : request_.files) {
      const auto package = session_.workspace().load(file, diagnostics_);
      if (!package) continue;
      for (const auto& [name, kind] : session_.workspace().modules(*package)) {
        if (kind == term::ModuleKind::concept_) found.push_back({*package, name, canonical(file)});
      }
    }
    return found;
  }

  const term::Theory* library_of(const std::string& package) {
    syntax::Diagnostics unused;
    return imported_library(session_, package, unused).get();  // the workspace keeps it
  }

  // ---------------------------------------------------------------- axioms

  Draft begin(Kind kind, const std::string& name, term::LocationId location) {
    Draft draft;
    draft.entry.kind = kind;
    draft.entry.name = name;
    draft.location = location;
    const term::Location& place = session_.store()[location];
    draft.entry.file = shown_path(place.file);
    draft.entry.line = place.line;
    draft.entry.comment = written(location).comment;
    return draft;
  }

  const Written& written(term::LocationId location) {
    const term::Location& place = session_.store()[location];
    auto found = written_.find(place.file);
    if (found == written_.end()) {
      const auto file = session_.span(location).file;
      found =
          written_
              .emplace(place.file, file ? declarations(file) : std::map<std::uint32_t, Written>{})
              .first;
    }
    const auto declared = found->second.find(place.line);
    static const Written nothing;
    return declared == found->second.end() ? nothing : declared->second;
  }

  void add(const AxiomReport& report, const Stated& stated) {
    term::Store& store = session_.store();
    Draft draft = begin(stated.axiom.theorem ? Kind::theorem : Kind::axiom, report.name,
                        stated.axiom.location);
    draft.entry.statement =
        syntax::print(elaborate::raise_axiom(store, stated.theory, stated.axiom)) + "\n";
    const auto claims = term::claims_of(store, stated.axiom);
    for (const term::Claim& claim : claims) {
      if (claim.condition) {
        draft.entry.conditions.push_back(term::to_string(store, *claim.condition));
      }
      note_operations(stated.theory, claim, draft);
    }
    if (detailed(report.name)) draft.entry.example = example_of(stated, claims);
    met_[{report.name, stated.axiom.location}].push_back(std::move(draft));
  }

  void note_operations(const term::Theory& theory, const term::Claim& claim, Draft& draft) {
    term::Store& store = session_.store();
    const auto named = [&](term::SymbolId symbol, std::set<Operation>& into) {
      if (const term::Callable* callable = theory.find(symbol)) {
        into.insert({store[symbol].name, callable->location});
      }
    };
    for (const auto& side : {std::optional(claim.left), claim.right}) {
      if (!side) continue;
      for (term::SymbolId each : term::operations_in(store, *side)) named(each, draft.operations);
    }
    for (term::SymbolId each : subjects(store, claim.left)) named(each, draft.subjects);
  }

  std::optional<Example> example_of(const Stated& stated, const std::vector<term::Claim>& claims) {
    for (const term::Claim& claim : claims) {
      for (const term::Claim& each : term::claims_about_values(session_.store(), claim)) {
        const auto found =
            find_example(session_.store(), stated.knowledge.theory, {session_.table(), *real_},
                         stated.axiom.parameters, each, stated.knowledge.invariants);
        if (found) return found;
      }
    }
    return std::nullopt;
  }

  // With the status that the report has in the end.
  void settle(const AxiomReport& report) {
    auto& met = met_[{report.name, report.location}];
    Draft draft;
    if (met.empty()) {  // variadic
      draft = begin(Kind::axiom, report.name, report.location);
      draft.entry.statement = written(report.location).text;
    } else {
      draft = std::move(met.front());
      met.pop_front();
    }
    draft.package = package_of(report.name);
    draft.entry.status = report.status;
    draft.entry.report = report;
    // A definition may have been looked at in an earlier run.
    const bool defines = report.status == Status::definition && !report.within;
    if (report.status == Status::open || defines) {
      const auto known = findings_.find({report.name, draft.entry.line});
      if (known != findings_.end()) {
        draft.entry.status = known->second.status;
        draft.entry.report = known->second;
      }
    }
    drafts_.push_back(std::move(draft));
  }

  // ---------------------------------------------------------------- operations

  // Those that the module's own file declares, or the rest.
  void add_operations(const Module& module, bool at_home) {
    const auto theory = session_.workspace().evaluate(module.package, module.name, diagnostics_);
    if (!theory) return;
    if (at_home) theories_.push_back({module.package, theory});
    for (const term::Callable& callable : theory->callables) {
      const std::string& name = session_.store()[callable.symbol].name;
      const std::string file = canonical(session_.store()[callable.location].file);
      if (!files_.contains(file) || at_home != (file == module.file)) continue;
      if (!seen_.insert({name, callable.location}).second) continue;
      const std::string whole = module.package + "." + module.name + "." + name;
      Draft draft = begin(Kind::operation, whole, callable.location);
      draft.entry.statement =
          syntax::print(elaborate::raise_callable(session_.store(), *theory, callable)) + "\n";
      if (callable.guard) {
        draft.entry.conditions.push_back(term::to_string(session_.store(), *callable.guard));
      }
      draft.package = module.package;
      draft.operations.insert({name, callable.location});
      drafts_.push_back(std::move(draft));
    }
  }

  // An instance whose arguments are values that the evaluators have: the concept may leave open
  // what a module that uses it has settled.
  std::optional<Example> example_of(const Operation& operation) {
    for (std::size_t k = 0; k < theories_.size(); ++k) {
      const auto& [package, theory] = theories_[k];
      for (const term::Callable& callable : theory->callables) {
        const term::Symbol& symbol = session_.store()[callable.symbol];
        if (symbol.name != operation.first || callable.location != operation.second) continue;
        if (const auto found = example_of(*theory, package, callable)) return found;
      }
    }
    return std::nullopt;
  }

  std::optional<Example> example_of(const term::Theory& theory, const std::string& package,
                                    const term::Callable& callable) {
    term::Store& store = session_.store();
    if (store[callable.symbol].kind == term::SymbolKind::procedure) return std::nullopt;
    std::vector<term::TermId> arguments;
    for (term::SymbolId each : callable.parameters) arguments.push_back(store.make(each, {}));
    const term::TermId applied = store.make(callable.symbol, arguments);
    const term::Claim claim{{}, std::nullopt, applied, applied, callable.location};
    const auto knowledge =
        verify::knowledge_of(store, theory, library_of(package), session_.table());
    if (!verify::undefined_operations(store, knowledge, session_.table(), claim).empty()) {
      return std::nullopt;
    }
    return find_example(store, knowledge.theory, {session_.table(), *real_}, callable.parameters,
                        claim, knowledge.invariants);
  }

  // ---------------------------------------------------------------- together

  void connect() {
    std::map<term::LocationId, std::vector<const Draft*>> by_place;
    for (const Draft& each : drafts_) by_place[each.location].push_back(&each);
    for (Draft& each : drafts_) {
      if (!detailed(each.entry.name)) continue;
      if (each.entry.kind == Kind::operation) {
        connect_operation(each);
        continue;
      }
      if (!each.entry.example) each.entry.example = example_among(by_place[each.location], each);
      for (const Draft* other : by_place[each.location]) {
        const bool asked = other->entry.report && other->entry.report->was_asked();
        const bool open = other->entry.status == Status::open;
        if (other != &each && (asked || open)) {
          each.entry.instances.push_back({other->entry.name, other->entry.status});
        }
      }
    }
  }

  // Where the types are still open there are no values: those of the same axiom in a module that
  // has settled them.
  static std::optional<Example> example_among(const std::vector<const Draft*>& drafts,
                                              const Draft& draft) {
    for (const Draft* other : drafts) {
      const bool same = last_of(other->entry.name) == last_of(draft.entry.name);
      if (same && other->entry.example) return other->entry.example;
    }
    return std::nullopt;
  }

  void connect_operation(Draft& draft) {
    const Operation operation = *draft.operations.begin();
    for (const Draft& other : drafts_) {
      if (other.entry.kind == Kind::operation || !other.operations.contains(operation)) continue;
      const bool defines = other.entry.status == Status::definition;
      if (defines && other.subjects.contains(operation)) {
        draft.entry.definitions.push_back(other.entry.name);
      } else if (!defines) {
        draft.entry.laws.push_back(other.entry.name);
      }
    }
    draft.entry.example = example_of(operation);
  }

  // By package, operations first.
  std::vector<RuleEntry> in_order() {
    std::map<std::string, std::size_t> packages;
    for (const std::string& file : request_.files) {
      const auto package = session_.workspace().load(file, diagnostics_);
      if (package) packages.emplace(*package, packages.size());
    }
    const auto key = [&](const Draft& draft) {
      return std::pair(packages.at(draft.package), draft.entry.kind != Kind::operation);
    };
    std::ranges::stable_sort(drafts_, {}, key);
    std::vector<RuleEntry> entries;
    for (Draft& each : drafts_) entries.push_back(std::move(each.entry));
    return entries;
  }

  Session& session_;
  const RulesRequest& request_;
  syntax::Diagnostics& diagnostics_;
  std::unique_ptr<onf::PrimitiveTable> real_;
  std::set<std::string> files_;
  std::map<std::string, std::map<std::uint32_t, Written>> written_;
  std::map<Operation, std::deque<Draft>> met_;  // by axiom and place, in order
  std::vector<Draft> drafts_;
  std::set<Operation> seen_;
  std::vector<std::pair<std::string, std::shared_ptr<const term::Theory>>> theories_;
  Findings findings_;
};

std::string folded(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t';
    if (blank && (result.empty() || result.back() == ' ')) continue;
    result += blank ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

}  // namespace

std::optional<std::vector<RuleEntry>> rules_of(Session& session, const RulesRequest& request,
                                               syntax::Diagnostics& diagnostics) {
  return Reading(session, request, diagnostics).run();
}

std::string last_of(const std::string& name) {
  const auto dot = name.size() < 2 ? std::string::npos : name.rfind('.', name.size() - 2);
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

bool is_named(const std::string& name, const std::string& wanted) {
  return name == wanted || name.ends_with("." + wanted);
}

std::vector<RuleEntry> search(const std::vector<RuleEntry>& entries, const std::string& text) {
  std::istringstream words(folded(text));
  const std::vector<std::string> wanted(std::istream_iterator<std::string>{words}, {});
  std::vector<RuleEntry> found;
  std::ranges::copy_if(entries, std::back_inserter(found), [&](const RuleEntry& each) {
    const std::string whole = folded(each.name + "\n" + each.statement + "\n" + each.comment);
    return std::ranges::all_of(
        wanted, [&](const std::string& word) { return whole.find(word) != std::string::npos; });
  });
  return found;
}

std::string rules_version(const std::string& folder) {
  const fs::path path = fs::path(folder) / "VERSION";
  std::error_code failure;
  if (!fs::is_regular_file(path, failure)) return {};
  std::ifstream file(path);
  std::string version;
  std::getline(file, version);
  return version;
}

}  // namespace rhopsi::driver
