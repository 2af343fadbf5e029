// What is said about expressions that cannot be read.
#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <utility>

#include "frontend/elaborate/body_codes.hpp"
#include "frontend/elaborate/body_elaborator.hpp"

namespace rhopsi::elaborate {

namespace {

// Messages list so many candidates and then say how many more there are.
constexpr std::size_t kListed = 8;
// No name that is longer is compared.
constexpr std::size_t kLongest = 200;

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size() && i < kListed; ++i) {
    if (i > 0) text += separator;
    text += parts[i];
  }
  if (parts.size() > kListed) {
    text += separator;
    text += "and " + std::to_string(parts.size() - kListed) + " more";
  }
  return text;
}

const syntax::Declaration* declaration_of(const syntax::ExprPtr& statement, std::string_view name) {
  const auto* declaration = std::get_if<syntax::Declaration>(&statement->node);
  return declaration && declaration->name.text == name ? declaration : nullptr;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  const std::optional<std::string> near = nearest(name, candidates);
  return near ? "did you mean `" + *near + "`?" : std::string();
}

std::string in_code(const std::string& name) { return "`" + name + "`"; }

}  // namespace

syntax::Diagnostic& BodyElaborator::error(const char* code, const syntax::Span& span,
                                          std::string message, std::string note) {
  return diagnostics_.error(code, span, std::move(message), std::move(note));
}

std::string BodyElaborator::sort_name(term::SortId sort) const { return store_.name(sort); }

std::string BodyElaborator::sorts_of(const Readings& readings, NodeId node) const {
  std::vector<std::string> names;
  for (const Reading& reading : readings.of(node)) names.push_back(sort_name(reading.sort));
  std::sort(names.begin(), names.end());
  return names.empty() ? "unknown" : joined(names, " or ");
}

// `name(Sort, Sort): Sort (file:line:column)`.
std::string BodyElaborator::described(term::SymbolId callee) const {
  const term::Symbol& symbol = store_[callee];
  std::vector<std::string> parameters;
  for (term::SortId sort : symbol.parameters) parameters.push_back(sort_name(sort));
  std::string text = symbol.name + "(";
  for (std::size_t i = 0; i < parameters.size(); ++i) text += (i ? ", " : "") + parameters[i];
  text += ")";
  if (symbol.kind != term::SymbolKind::procedure) text += ": " + sort_name(symbol.result);
  const term::Callable* callable = scope_.theory().find(callee);
  if (!callable) return text;
  const term::Location& place = store_[callable->location];
  if (!place.file.empty()) {
    text += " (" + place.file + ":" + std::to_string(place.line) + ":" +
            std::to_string(place.column) + ")";
  }
  return text;
}

std::optional<term::SortId> BodyElaborator::type(const syntax::TypeRef& reference) {
  if (std::optional<term::SortId> sort = scope_.sort(reference.name.text)) return sort;
  error(code::unknown_type, reference.name.span,
        "there is no type `" + reference.name.text + "` here",
        suggestion(reference.name.text, scope_.type_names()));
  return std::nullopt;
}

void BodyElaborator::unknown_variable(const syntax::Name& name) {
  for (const OpenBlock& open : open_blocks_) {
    for (std::size_t i = open.next; i < open.block->statements.size(); ++i) {
      const syntax::Declaration* later = declaration_of(open.block->statements[i], name.text);
      if (!later) continue;
      error(code::used_too_early, name.span, "`" + name.text + "` is used before its declaration",
            "a variable can be used from the statement after its `var` on")
          .related.push_back({later->name.span, "it is declared here"});
      return;
    }
  }
  std::string note = suggestion(name.text, environment_.names());
  const std::vector<term::SymbolId>& callees = scope_.overloads(name.text);
  const bool constant = std::any_of(callees.begin(), callees.end(), [this](term::SymbolId callee) {
    return store_[callee].parameters.empty();
  });
  if (constant) note = "to call the function of that name write `" + name.text + "()`";
  error(code::unknown_variable, name.span, "there is no variable `" + name.text + "` here",
        std::move(note));
}

bool BodyElaborator::is_refused(const syntax::Name& callee) const {
  return scope_.is_refused && scope_.is_refused(callee.text);
}

// The operations that take these arguments, by name, those first whose names are nearest.
std::vector<std::string> BodyElaborator::takers(const syntax::Name& name, const Readings& readings,
                                                const std::vector<NodeId>& arguments,
                                                bool procedures) const {
  const auto takes = [&](term::SymbolId callee) {
    const term::Symbol& symbol = store_[callee];
    if ((symbol.kind == term::SymbolKind::procedure) != procedures) return false;
    if (symbol.parameters.size() != arguments.size()) return false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (!readings.at(arguments[i], symbol.parameters[i])) return false;
    }
    return true;
  };
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& known : scope_.callable_names()) {
    const bool word = std::isalpha(static_cast<unsigned char>(known.front())) != 0;
    if (word && known.size() <= kLongest && std::ranges::any_of(scope_.overloads(known), takes)) {
      found.emplace_back(edit_distance(name.text, known), in_code(known));
    }
  }
  std::ranges::sort(found);
  std::vector<std::string> names;
  for (auto& [far, known] : found) names.push_back(std::move(known));
  return names;
}

void BodyElaborator::unknown_operation(const syntax::Name& name, const Readings& readings,
                                       const std::vector<NodeId>& arguments, bool procedure) {
  const bool broken =
      std::ranges::any_of(arguments, [&](NodeId node) { return readings.is_broken(node); });
  std::vector<std::string> known;
  if (!arguments.empty() && !broken && name.text.size() <= kLongest)
    known = takers(name, readings, arguments, procedure);
  if (known.empty()) return unknown_operation(name);
  std::string sorts;
  for (const NodeId node : arguments)
    sorts += (sorts.empty() ? "" : ", ") + sorts_of(readings, node);
  unknown_operation(name, "; (" + sorts + ") is taken by " + joined(known, ", "));
}

void BodyElaborator::unknown_operation(const syntax::Name& name, const std::string& known) {
  std::string note = suggestion(name.text, scope_.callable_names());
  if (note.empty()) {
    const std::string where = scope_.where_declared ? scope_.where_declared(name.text) : "";
    note = "declare it, or use " + (where.empty() ? "the module that does" : where) + known;
  }
  if (name.text == "value") note = "`value (e)` is a call of `value`; write `value e;`";
  error(code::unknown_operation, name.span, "no operation `" + name.text + "` is declared here",
        std::move(note));
}

// The functions of one argument that make the sort of what is there.
std::vector<std::string> BodyElaborator::conversions(const std::vector<term::SortId>& from,
                                                     term::SortId to) const {
  std::vector<std::string> found;
  for (const std::string& name : scope_.callable_names()) {
    const bool word = std::isalpha(static_cast<unsigned char>(name.front())) != 0;
    const auto makes = [&](term::SymbolId callee) {
      const term::Symbol& symbol = store_[callee];
      return symbol.kind == term::SymbolKind::function && symbol.result == to &&
             symbol.parameters.size() == 1 &&
             std::ranges::find(from, symbol.parameters[0]) != from.end();
    };
    if (word && std::ranges::any_of(scope_.overloads(name), makes)) found.push_back(in_code(name));
  }
  return found;
}

// "`var v: T = ...` makes `v` a T", where it is a variable whose declaration leaves its type open
// and could say so.
std::string BodyElaborator::other_type(const syntax::Expr* source, term::SortId wanted) const {
  const auto* variable = source ? std::get_if<syntax::Variable>(&source->node) : nullptr;
  const Local* local = variable ? environment_.find(variable->name.text) : nullptr;
  if (!local || std::ranges::find(local->sorts, wanted) == local->sorts.end()) return {};
  return "`var " + local->name + ": " + sort_name(wanted) + " = ...` declares `" + local->name +
         "` as " + sort_name(wanted);
}

// How the first argument that does not fit could be made to, for those that fit best.
std::vector<std::string> BodyElaborator::conversions(const std::vector<term::SymbolId>& callees,
                                                     const Readings& readings,
                                                     const std::vector<NodeId>& arguments) const {
  std::vector<std::vector<term::SortId>> sorts(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for (const Reading& reading : readings.of(arguments[i])) sorts[i].push_back(reading.sort);
  }
  std::vector<std::string> hints;
  std::size_t fewest = arguments.size();
  for (term::SymbolId callee : callees) {
    const std::vector<term::SortId> wanted = store_[callee].parameters;
    if (wanted.size() != arguments.size()) continue;
    std::vector<std::size_t> wrong;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (std::ranges::find(sorts[i], wanted[i]) == sorts[i].end()) wrong.push_back(i);
    }
    if (wrong.empty() || wrong.size() > fewest) continue;
    if (wrong.size() < fewest) hints.clear();
    fewest = wrong.size();
    const std::size_t first = wrong.front();
    const auto add = [&](std::string hint) {
      if (std::ranges::find(hints, hint) == hints.end()) hints.push_back(std::move(hint));
    };
    const std::string declared = other_type(readings.source(arguments[first]), wanted[first]);
    if (!declared.empty()) add(declared);
    const std::vector<std::string> names = conversions(sorts[first], wanted[first]);
    if (names.empty()) continue;
    add("argument " + std::to_string(first + 1) + " becomes " + sort_name(wanted[first]) + " by " +
        joined(names, " or "));
  }
  return hints;
}

void BodyElaborator::no_overload(const syntax::Name& callee,
                                 const std::vector<term::SymbolId>& callees,
                                 const Readings& readings, const std::vector<NodeId>& arguments) {
  std::vector<std::string> found;
  for (NodeId argument : arguments) found.push_back(sorts_of(readings, argument));
  std::vector<std::string> candidates;
  bool count_fits = callees.empty();
  for (term::SymbolId candidate : callees) {
    candidates.push_back(described(candidate));
    count_fits = count_fits || store_[candidate].parameters.size() == arguments.size();
  }
  std::string note;
  if (!candidates.empty()) note = "declared: " + joined(candidates, "; ");
  for (const std::string& hint : conversions(callees, readings, arguments)) note += "; " + hint;
  if (!count_fits) {
    error(code::argument_count, callee.span,
          "no `" + callee.text + "` takes " + std::to_string(arguments.size()) +
              (arguments.size() == 1 ? " argument" : " arguments"),
          std::move(note));
    return;
  }
  std::string sorts;
  for (std::size_t i = 0; i < found.size(); ++i) sorts += (i ? ", " : "") + found[i];
  error(code::no_overload, callee.span, "no `" + callee.text + "` takes (" + sorts + ")",
        std::move(note));
}

void BodyElaborator::wrong_sort(const Readings& readings, NodeId node, term::SortId expected) {
  const syntax::Expr* source = readings.source(node);
  const syntax::Span span = source ? source->span : syntax::Span{};
  const bool is_literal = source && literal_of(*source).has_value();
  if (is_literal) {
    error(code::literal_sort, span, "`" + sort_name(expected) + "` does not take such a literal",
          "declare the type with `literals integer` or `literals real`");
    return;
  }
  std::string note = other_type(source, expected);
  if (note.empty()) note = with_other_arguments(readings, node, expected);
  error(code::wrong_sort, span,
        "this has sort " + sorts_of(readings, node) + ", but " + sort_name(expected) +
            " is needed here",
        std::move(note));
}

// How a call could have the sort that is needed: another operation of its name has, and takes
// arguments that these can be made to.
std::string BodyElaborator::with_other_arguments(const Readings& readings, NodeId node,
                                                 term::SortId expected) const {
  const std::string_view name = readings.callee(node);
  if (name.empty()) return {};
  const std::vector<NodeId>& arguments = readings.children(node);
  std::vector<term::SymbolId> callees = readings.callees(name, arguments);
  std::erase_if(callees, [&](term::SymbolId callee) { return store_[callee].result != expected; });
  const std::vector<std::string> hints = conversions(callees, readings, arguments);
  if (hints.empty()) return {};
  return "`" + std::string(name) + "` gives " + sort_name(expected) + " where " +
         joined(hints, ", or ");
}

void BodyElaborator::ambiguous(const Readings& readings, const Ambiguity& ambiguity) {
  const syntax::Expr* source = readings.source(ambiguity.node);
  const syntax::Span span = source ? source->span : syntax::Span{};
  std::vector<std::string> candidates;
  std::set<std::string> sorts;
  for (const Reading& way : ambiguity.candidates) {
    sorts.insert(sort_name(way.sort));
    const term::Symbol& symbol = store_[way.symbol];
    const bool callee = symbol.kind == term::SymbolKind::function ||
                        symbol.kind == term::SymbolKind::predicate ||
                        symbol.kind == term::SymbolKind::procedure;
    candidates.push_back(callee ? described(way.symbol) : sort_name(way.sort));
  }
  std::sort(candidates.begin(), candidates.end());
  // Of one sort they differ in their arguments.
  std::string casts;
  for (const std::string& sort : sorts) casts += (casts.empty() ? "`: " : " or `: ") + sort + "`";
  error(code::ambiguous, span, "this can be read in several ways: " + joined(candidates, "; "),
        sorts.size() == 1
            ? "say which one is meant with a cast `: T` behind one of its arguments"
            : "say which one is meant with a cast " + casts +
                  " behind a call, a variable or a literal, or behind the name in `var a: " +
                  *sorts.rbegin() + " = ...`");
}

bool BodyElaborator::check_name_free(const syntax::Name& name) {
  const Local* taken = environment_.find(name.text);
  if (!taken) return true;
  syntax::Diagnostic& diagnostic =
      error(code::shadowing, name.span, "`" + name.text + "` is already the name of a variable",
            "choose another name: variables do not shadow each other");
  if (taken->span.file) diagnostic.related.push_back({taken->span, "it is declared here"});
  return false;
}

}  // namespace rhopsi::elaborate
