#include <algorithm>
#include <charconv>
#include <limits>

#include "engine/check/reader.hpp"
#include "engine/check/words.hpp"

namespace rhopsi::check {

using term::Store;
using term::SymbolKind;

namespace {

class Reader {
 public:
  explicit Reader(Store& store) : store_(store), tables_(store) {}

  Certificate read(const Part& root) {
    root.expect_keys({"format", "version", "file", "program", "sorts", "symbols", "terms", "begins",
                      "derivations", "ends", "digest"},
                     {"changes"});
    tables_.read(root["sorts"], root["symbols"], root["terms"]);
    Certificate certificate{
        root["file"].text(), root["program"].text(), states(root["begins"]), {}, {}, {}};
    for (const Part& each : root["derivations"].list()) {
      certificate.derivations.push_back(derivation(each));
    }
    if (root.has("changes")) certificate.changes = states(root["changes"]);
    certificate.ends = states(root["ends"]);
    return certificate;
  }

 private:
  std::optional<TermId> optional(const Part& part, const char* key) const {
    if (!part.has(key)) return std::nullopt;
    return tables_.term(part[key]);
  }

  std::optional<TermId> predicate(const Part& part, const char* key) const {
    const auto term = optional(part, key);
    if (term && store_.sort(*term) != store_.predicate_sort()) {
      part[key].fail("a predicate is expected");
    }
    return term;
  }

  std::vector<SymbolId> variables(const Part& part) const {
    std::vector<SymbolId> list;
    for (const Part& each : part.list()) {
      list.push_back(tables_.variable(each));
      if (std::ranges::count(list, list.back()) > 1) each.fail("one variable twice");
    }
    return list;
  }

  // The parameters of an operation: as many as it has, of their sorts.
  std::vector<SymbolId> parameters(const Part& part, SymbolId symbol) const {
    std::vector<SymbolId> list = variables(part);
    const auto& sorts = store_[symbol].parameters;
    const bool fit = std::ranges::equal(list, sorts, {},
                                        [&](SymbolId variable) { return store_[variable].result; });
    if (!fit) part.fail("the operation has other parameters");
    return list;
  }

  Derivation derivation(const Part& part) {
    part.expect_keys({"rules", "axioms", "operations", "runs", "definitions"},
                     {"lemmas", "changes"});
    Derivation derivation;
    derivation.rules = part["rules"].text();
    if (part.has("changes")) derivation.changes = states(part["changes"]);
    for (const Part& each : part["axioms"].list()) derivation.axioms.push_back(axiom(each));
    if (part.has("lemmas")) {
      for (const Part& each : part["lemmas"].list()) derivation.lemmas.push_back(lemma(each));
    }
    for (const Part& each : part["operations"].list()) {
      derivation.operations.push_back(operation(each));
    }
    const std::size_t axioms = derivation.axioms.size();
    const std::size_t lemmas = derivation.lemmas.size();
    for (const Part& each : part["runs"].list()) {
      derivation.runs.push_back(run(each, axioms, lemmas));
    }
    for (const Part& each : part["definitions"].list()) {
      derivation.definitions.push_back(definition(each, axioms));
    }
    return derivation;
  }

  Axiom axiom(const Part& part) const {
    part.expect_keys({"name", "place", "variables", "left", "right"}, {"condition"});
    Axiom axiom{part["name"].text(),          part["place"].text(),
                variables(part["variables"]), tables_.term(part["left"]),
                tables_.term(part["right"]),  predicate(part, "condition")};
    if (store_.sort(axiom.left) != store_.sort(axiom.right)) {
      part.fail("the sides have different sorts");
    }
    return axiom;
  }

  Lemma lemma(const Part& part) const {
    part.expect_keys({"name", "place", "variables", "statement"}, {"condition"});
    return {part["name"].text(), part["place"].text(), variables(part["variables"]),
            *predicate(part, "statement"), predicate(part, "condition")};
  }

  SymbolId callable(const Part& part) const {
    const SymbolId symbol = tables_.symbol(part);
    const SymbolKind kind = store_[symbol].kind;
    if (kind != SymbolKind::function && kind != SymbolKind::predicate &&
        kind != SymbolKind::procedure) {
      part.fail("an operation is expected");
    }
    return symbol;
  }

  std::vector<State> states(const Part& part) const {
    std::vector<State> list;
    for (const Part& each : part.list()) {
      each.expect_keys({"callable", "parameters"}, {"body", "guard"});
      const SymbolId symbol = callable(each["callable"]);
      list.push_back({symbol,
                      parameters(each["parameters"], symbol),
                      {optional(each, "body"), predicate(each, "guard")}});
    }
    return list;
  }

  Operation operation(const Part& part) const {
    part.expect_keys({"symbol", "parameters"}, {"meaning", "array", "guard", "body"});
    Operation operation;
    operation.symbol = callable(part["symbol"]);
    if (part.has("meaning")) {
      const auto found = arithmetic(part["meaning"].text());
      if (!found) part["meaning"].fail("there is no such meaning");
      operation.meaning = *found;
    }
    if (part.has("array")) {
      const auto found = array_function(part["array"].text());
      if (!found) part["array"].fail("there is no such meaning");
      operation.array = *found;
    }
    operation.parameters = parameters(part["parameters"], operation.symbol);
    operation.guard = predicate(part, "guard");
    operation.body = optional(part, "body");
    return operation;
  }

  Parts parts(const Part& part) const {
    part.expect_keys({}, {"body", "guard"});
    return {optional(part, "body"), predicate(part, "guard")};
  }

  Run run(const Part& part, std::size_t axioms, std::size_t lemmas) const {
    part.expect_keys({"callable", "parameters", "from", "to", "passes"});
    Run run;
    run.callable = callable(part["callable"]);
    run.parameters = parameters(part["parameters"], run.callable);
    run.from = parts(part["from"]);
    run.to = parts(part["to"]);
    for (const Part& each : part["passes"].list()) {
      each.expect_keys({"axiom", "steps"});
      Pass pass;
      pass.axiom = each["axiom"].index(axioms, "axiom");
      for (const Part& one : each["steps"].list()) pass.steps.push_back(step(one, axioms, lemmas));
      run.passes.push_back(std::move(pass));
    }
    return run;
  }

  Step step(const Part& part, std::size_t axioms, std::size_t lemmas) const {
    const bool conditional = part.has("condition");
    part.expect_keys({"at", "binding", "before", "after"},
                     {"statement", "condition", "decider", "basis", "lemmas", "unfoldings"});
    Step step;
    read_position(part["at"], step);
    if (part.has("statement")) step.statement = statement(part["statement"]);
    for (const Part& each : part["binding"].list()) step.binding.push_back(tables_.term(each));
    step.before = tables_.term(part["before"]);
    step.after = tables_.term(part["after"]);
    if (part.has("lemmas")) {
      for (const Part& each : part["lemmas"].list()) step.lemmas.push_back(use(each, lemmas));
    }
    if (part.has("decider") != conditional || part.has("basis") != conditional) {
      part.fail("a condition has a decider and a basis");
    }
    if (!conditional && part.has("lemmas")) part.fail("lemmas without a condition");
    if (part.has("unfoldings")) {
      if (!conditional) part.fail("unfoldings without a condition");
      if (!step.lemmas.empty()) part.fail("unfoldings, and lemmas besides");
      for (const Part& each : part["unfoldings"].list()) {
        step.unfoldings.push_back(unfolding(each, axioms));
      }
    }
    if (!conditional) return step;
    step.condition = predicate(part, "condition");
    step.decider = part["decider"].text();
    if (std::ranges::find(deciders, step.decider) == std::end(deciders)) {
      part["decider"].fail("nobody of this name decides conditions");
    }
    if ((step.decider == "lemma") != !step.lemmas.empty()) {
      part.fail("the decider `lemma` and lemmas go together");
    }
    const auto found = basis(part["basis"].text());
    if (!found) part["basis"].fail("there is no such basis");
    step.basis = *found;
    if (!step.lemmas.empty() && step.basis != term::Basis::assumed) {
      part["basis"].fail("what rests on a lemma is assumed");
    }
    return step;
  }

  static std::uint32_t statement(const Part& part) {
    const std::int64_t number = part.integer();
    if (number < 0 || number > std::numeric_limits<std::uint32_t>::max()) {
      part.fail("this is no number of a statement");
    }
    return static_cast<std::uint32_t>(number);
  }

  LemmaUse use(const Part& part, std::size_t lemmas) const {
    part.expect_keys({"lemma", "binding"});
    LemmaUse use{part["lemma"].index(lemmas, "lemma"), {}};
    for (const Part& each : part["binding"].list()) use.binding.push_back(tables_.term(each));
    return use;
  }

  Unfolding unfolding(const Part& part, std::size_t axioms) const {
    const bool by_axiom = part.has("axiom");
    part.expect_keys({"before", "after"}, {"axiom", "binding"});
    if (part.has("binding") != by_axiom) part.fail("an axiom has a binding");
    Unfolding unfolding;
    unfolding.before = tables_.term(part["before"]);
    unfolding.after = tables_.term(part["after"]);
    if (store_.sort(unfolding.before) != store_.sort(unfolding.after)) {
      part.fail("the sides have different sorts");
    }
    if (!by_axiom) return unfolding;
    unfolding.axiom = part["axiom"].index(axioms, "axiom");
    for (const Part& each : part["binding"].list()) {
      unfolding.binding.push_back(tables_.term(each));
    }
    return unfolding;
  }

  // "body.0.12", and in no other spelling.
  static void read_position(const Part& part, Step& step) {
    const std::string text = part.text();
    std::size_t next = text.find('.');
    const std::string root = text.substr(0, next);
    if (root != "body" && root != "guard") part.fail("a position begins with body or guard");
    step.in_guard = root == "guard";
    while (next != std::string::npos) {
      const std::size_t begin = next + 1;
      next = text.find('.', begin);
      const std::string digits =
          text.substr(begin, next == std::string::npos ? next : next - begin);
      std::uint32_t child = 0;
      const auto [end, failure] =
          std::from_chars(digits.data(), digits.data() + digits.size(), child);
      if (failure != std::errc() || end != digits.data() + digits.size() ||
          digits != std::to_string(child)) {
        part.fail("'" + digits + "' is no number of a child");
      }
      step.position.push_back(child);
    }
  }

  Definition definition(const Part& part, std::size_t axioms) const {
    part.expect_keys({"callable", "parameters", "body", "axioms"}, {"guard"});
    Definition definition;
    definition.callable = callable(part["callable"]);
    definition.parameters = parameters(part["parameters"], definition.callable);
    definition.body = tables_.term(part["body"]);
    definition.guard = predicate(part, "guard");
    for (const Part& each : part["axioms"].list()) {
      definition.axioms.push_back(each.index(axioms, "axiom"));
    }
    return definition;
  }

  Store& store_;
  TermTables tables_;
};

// What the text is, before anything of it counts.
void check_kind(const Json& json) {
  if (!json.is_object() || !json.contains("format") || json["format"] != format_name) {
    throw Unreadable{{"", "this is no certificate of a derivation"}};
  }
  const Part root(json, "");
  root.expect_keys({"format", "version"}, {"file", "program", "sorts", "symbols", "terms", "begins",
                                           "derivations", "changes", "ends", "digest"});
  const std::int64_t version = root["version"].integer();
  if (version != format_version) {
    root["version"].fail("the format has version " + std::to_string(version) +
                         ", and this command reads version " + std::to_string(format_version));
  }
}

void check_digest(std::string_view text) {
  const auto place = text.rfind(digest_key);
  if (place != std::string_view::npos) {
    const std::string end = digest(text.substr(0, place)) + "\"}\n";
    if (text.substr(place + digest_key.size()) == end) return;
  }
  throw Unreadable{{"digest", "the text has been changed: its digest is another one"}};
}

}  // namespace

std::variant<Certificate, Flaw> read(Store& store, std::string_view text) {
  try {
    const Json json = Json::parse(text);
    check_kind(json);
    check_digest(text);
    return Reader(store).read(Part(json, ""));
  } catch (const Unreadable& unreadable) {
    return unreadable.flaw;
  } catch (const Json::parse_error& failure) {
    return Flaw{"", "this is no JSON text: it breaks off or goes wrong at byte " +
                        std::to_string(failure.byte)};
  } catch (const Json::out_of_range&) {
    return Flaw{"", "a number in this JSON text is larger than any that a certificate holds"};
  }
}

}  // namespace rhopsi::check
