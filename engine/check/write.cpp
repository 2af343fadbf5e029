#include <algorithm>
#include <map>
#include <unordered_map>

#include "engine/check/certificate.hpp"
#include "engine/check/words.hpp"

namespace rhopsi::check {

using term::Store;
using term::SymbolKind;

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (each == '"' || each == '\\') {
      out += '\\';
      out += each;
    } else if (byte < 0x20U || byte == 0x7FU) {
      out += "\\u00";
      out += "0123456789abcdef"[byte >> 4U];
      out += "0123456789abcdef"[byte & 15U];
    } else {
      out += each;
    }
  }
  return out + "\"";
}

// Paths may be in no encoding at all.
std::string quoted_path(std::string path) {
  std::ranges::replace_if(
      path, [](char each) { return static_cast<unsigned char>(each) >= 0x80U; }, '?');
  return quoted(path);
}

// A JSON array of what `item` makes of each; on lines of their own where there are many.
template <class List, class Item>
std::string array(const List& list, Item item, const char* between = ",") {
  std::string out = "[";
  bool first = true;
  for (const auto& each : list) {
    if (!first) out += between;
    if (first && between[1] == '\n') out += '\n';
    first = false;
    out += item(each);
  }
  return out + "]";
}

constexpr const char* lines = ",\n";

// Numbers sorts, symbols and terms in the order in which they are first needed.
class Tables {
 public:
  explicit Tables(const Store& store) : store_(store) {}

  std::string sort(term::SortId sort) {
    const auto [place, inserted] = sorts_.try_emplace(sort, sorts_.size());
    if (inserted) sort_text_.push_back(quoted(store_.name(sort)));
    return std::to_string(place->second);
  }

  std::string symbol(SymbolId id) {
    if (const auto found = symbols_.find(id); found != symbols_.end()) {
      return std::to_string(found->second);
    }
    std::string text = text_of(id);  // may need other symbols first
    symbols_.emplace(id, symbol_text_.size());
    symbol_text_.push_back(std::move(text));
    return std::to_string(symbol_text_.size() - 1);
  }

  std::string term(TermId root) {
    std::vector<std::pair<TermId, bool>> pending{{root, false}};
    while (!pending.empty()) {
      const auto [term, leave] = pending.back();
      if (terms_.contains(term)) {
        pending.pop_back();
      } else if (leave) {
        add(term);
        pending.pop_back();
      } else {
        pending.back().second = true;
        const auto children = store_.children(term);
        for (std::size_t i = children.size(); i-- > 0;) pending.emplace_back(children[i], false);
      }
    }
    return std::to_string(terms_.at(root));
  }

  std::string text() const {
    const auto as_it_is = [](const std::string& each) { return each; };
    return "\"sorts\":" + array(sort_text_, as_it_is) +
           ",\n\"symbols\":" + array(symbol_text_, as_it_is, lines) +
           ",\n\"terms\":" + array(term_text_, as_it_is, lines);
  }

 private:
  std::string text_of(SymbolId id) {
    const term::Symbol& symbol = store_[id];
    std::string out = "[" + quoted(word(symbol.kind)) + ",";
    const auto parameters = [&] {
      return array(symbol.parameters, [&](term::SortId each) { return sort(each); });
    };
    switch (symbol.kind) {
      case SymbolKind::function:
      case SymbolKind::predicate:
        out += quoted(symbol.name) + "," + parameters() + "," + sort(symbol.result);
        break;
      case SymbolKind::procedure:
        out += quoted(symbol.name) + "," + parameters() + "," +
               array(symbol.modes, [](term::Mode each) { return quoted(word(each)); });
        break;
      case SymbolKind::variable:
        out += quoted(symbol.name) + "," + sort(symbol.result) + "," +
               (symbol.assignable ? "true" : "false");
        break;
      case SymbolKind::integer_literal:
        out += std::to_string(symbol.integer) + "," + sort(symbol.result);
        break;
      case SymbolKind::real_literal:
        out += quoted(symbol.name) + "," + sort(symbol.result);
        break;
      case SymbolKind::control:
        out += quoted(word(symbol.control)) + "," + sort(symbol.result);
        if (symbol.control == term::Control::fold) {
          out += ",";
          out += this->symbol(symbol.operation);
        }
        break;
    }
    return out + "]";
  }

  void add(TermId term) {
    std::string text = "[" + symbol(store_.symbol(term));
    const auto bound = store_.bound(term);
    if (!bound.empty()) {
      text += "," + array(bound, [&](SymbolId each) { return symbol(each); });
    }
    for (TermId child : store_.children(term)) {
      text += ",";
      text += std::to_string(terms_.at(child));
    }
    text += "]";
    const auto [place, inserted] = by_text_.try_emplace(text, term_text_.size());
    if (inserted) term_text_.push_back(std::move(text));
    terms_.emplace(term, place->second);
  }

  const Store& store_;
  std::unordered_map<term::SortId, std::size_t> sorts_;
  std::unordered_map<SymbolId, std::size_t> symbols_;
  std::unordered_map<TermId, std::size_t> terms_;
  std::unordered_map<std::string, std::size_t> by_text_;
  std::vector<std::string> sort_text_;
  std::vector<std::string> symbol_text_;
  std::vector<std::string> term_text_;
};

class Writer {
 public:
  explicit Writer(const Store& store) : tables_(store) {}

  std::string write(const Certificate& certificate) {
    const std::string begins = states(certificate.begins);
    const std::string derivations = array(
        certificate.derivations, [&](const Derivation& each) { return text_of(each); }, lines);
    const std::string ends = changes(certificate.changes) + "\"ends\":" + states(certificate.ends);
    std::string text =
        "{\"format\":" + quoted(format_name) + ",\"version\":" + std::to_string(format_version) +
        ",\n\"file\":" + quoted_path(certificate.file) +
        ",\"program\":" + quoted(certificate.program) + ",\n" + tables_.text() +
        ",\n\"begins\":" + begins + ",\n\"derivations\":" + derivations + ",\n" + ends + ",";
    const std::string seal = digest(text);
    return text + std::string(digest_key) + seal + "\"}\n";
  }

 private:
  std::string term(TermId term) { return tables_.term(term); }
  std::string terms(const std::vector<TermId>& list) {
    return array(list, [&](TermId each) { return term(each); });
  }
  std::string symbols(const std::vector<SymbolId>& list) {
    return array(list, [&](SymbolId each) { return tables_.symbol(each); });
  }
  std::string optional(const char* key, const std::optional<TermId>& value) {
    return value ? ",\"" + std::string(key) + "\":" + term(*value) : "";
  }

  std::string text_of(const Derivation& derivation) {
    return "{\"rules\":" + quoted(derivation.rules) + ",\n" + changes(derivation.changes) +
           "\"axioms\":" +
           array(
               derivation.axioms, [&](const Axiom& each) { return text_of(each); }, lines) +
           lemmas(derivation) + ",\n\"operations\":" +
           array(
               derivation.operations, [&](const Operation& each) { return text_of(each); }, lines) +
           ",\n\"runs\":" +
           array(
               derivation.runs, [&](const Run& each) { return text_of(each); }, lines) +
           ",\n\"definitions\":" +
           array(
               derivation.definitions, [&](const Definition& each) { return text_of(each); },
               lines) +
           "}";
  }

  std::string text_of(const State& state) {
    return "{\"callable\":" + tables_.symbol(state.callable) +
           ",\"parameters\":" + symbols(state.parameters) + optional("body", state.parts.body) +
           optional("guard", state.parts.guard) + "}";
  }

  std::string states(const std::vector<State>& list) {
    return array(
        list, [&](const State& each) { return text_of(each); }, lines);
  }

  std::string changes(const std::vector<State>& list) {
    return list.empty() ? "" : "\"changes\":" + states(list) + ",\n";
  }

  std::string text_of(const Axiom& axiom) {
    return "{\"name\":" + quoted(axiom.name) + ",\"place\":" + quoted_path(axiom.place) +
           ",\"variables\":" + symbols(axiom.variables) + ",\"left\":" + term(axiom.left) +
           ",\"right\":" + term(axiom.right) + optional("condition", axiom.condition) + "}";
  }

  std::string lemmas(const Derivation& derivation) {
    if (derivation.lemmas.empty()) return "";
    return ",\n\"lemmas\":" +
           array(
               derivation.lemmas, [&](const Lemma& each) { return text_of(each); }, lines);
  }

  std::string text_of(const Lemma& lemma) {
    return "{\"name\":" + quoted(lemma.name) + ",\"place\":" + quoted_path(lemma.place) +
           ",\"variables\":" + symbols(lemma.variables) +
           ",\"statement\":" + term(lemma.statement) + optional("condition", lemma.condition) + "}";
  }

  std::string text_of(const LemmaUse& use) {
    return "{\"lemma\":" + std::to_string(use.lemma) + ",\"binding\":" + terms(use.binding) + "}";
  }

  std::string text_of(const Unfolding& unfolding) {
    std::string out = "{";
    if (unfolding.axiom) {
      out += "\"axiom\":" + std::to_string(*unfolding.axiom) +
             ",\"binding\":" + terms(unfolding.binding) + ",";
    }
    return out + "\"before\":" + term(unfolding.before) + ",\"after\":" + term(unfolding.after) +
           "}";
  }

  std::string text_of(const Operation& operation) {
    std::string out = "{\"symbol\":" + tables_.symbol(operation.symbol);
    if (operation.meaning != term::Arithmetic::none) {
      out += ",\"meaning\":" + quoted(word(operation.meaning));
    }
    if (operation.array != term::ArrayFunction::none) {
      out += ",\"array\":" + quoted(word(operation.array));
    }
    return out + ",\"parameters\":" + symbols(operation.parameters) +
           optional("guard", operation.guard) + optional("body", operation.body) + "}";
  }

  std::string text_of(const Parts& parts) {
    std::string out = optional("body", parts.body) + optional("guard", parts.guard);
    return "{" + (out.empty() ? out : out.substr(1)) + "}";
  }

  std::string text_of(const Run& run) {
    return "{\"callable\":" + tables_.symbol(run.callable) +
           ",\"parameters\":" + symbols(run.parameters) + ",\"from\":" + text_of(run.from) +
           ",\"to\":" + text_of(run.to) + ",\"passes\":" +
           array(
               run.passes, [&](const Pass& each) { return text_of(each); }, lines) +
           "}";
  }

  std::string text_of(const Pass& pass) {
    return "{\"axiom\":" + std::to_string(pass.axiom) + ",\"steps\":" +
           array(
               pass.steps, [&](const Step& each) { return text_of(each); }, lines) +
           "}";
  }

  std::string text_of(const Step& step) {
    std::string at = step.in_guard ? "guard" : "body";
    for (const std::uint32_t child : step.position) at += "." + std::to_string(child);
    std::string out = "{\"at\":\"" + at + "\"";
    if (step.statement) out += ",\"statement\":" + std::to_string(*step.statement);
    out += ",\"binding\":" + terms(step.binding) + ",\"before\":" + term(step.before) +
           ",\"after\":" + term(step.after);
    if (step.condition) {
      out += ",\"condition\":" + term(*step.condition) + ",\"decider\":" + quoted(step.decider) +
             ",\"basis\":" + quoted(word(step.basis));
    }
    if (!step.lemmas.empty()) {
      out +=
          ",\"lemmas\":" + array(step.lemmas, [&](const LemmaUse& each) { return text_of(each); });
    }
    if (!step.unfoldings.empty()) {
      out += ",\"unfoldings\":" +
             array(step.unfoldings, [&](const Unfolding& each) { return text_of(each); });
    }
    return out + "}";
  }

  std::string text_of(const Definition& definition) {
    return "{\"callable\":" + tables_.symbol(definition.callable) +
           ",\"parameters\":" + symbols(definition.parameters) +
           ",\"body\":" + term(definition.body) + optional("guard", definition.guard) +
           ",\"axioms\":" +
           array(definition.axioms, [](std::size_t each) { return std::to_string(each); }) + "}";
  }

  Tables tables_;
};

}  // namespace

std::string write(const Store& store, const Certificate& certificate) {
  return Writer(store).write(certificate);
}

std::optional<std::string> sealed(std::string_view text) {
  const auto place = text.rfind(digest_key);
  if (place == std::string_view::npos) return std::nullopt;
  const std::string content(text.substr(0, place));
  return content + std::string(digest_key) + digest(content) + "\"}\n";
}

}  // namespace rhopsi::check
