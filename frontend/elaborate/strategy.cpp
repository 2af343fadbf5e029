#include "frontend/elaborate/strategy.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "engine/rewrite/strategy_run.hpp"
#include "engine/term/operations.hpp"
#include "engine/term/sequence.hpp"
#include "frontend/elaborate/module.hpp"
#include "frontend/elaborate/module_codes.hpp"

namespace rhopsi::elaborate {

namespace {

using rewrite::Strategy;
using rewrite::StrategyForm;
using Kind = Strategy::Kind;

// How a form is written, for messages: `nth(n, S)`.
std::string usage(const StrategyForm& form) {
  std::vector<std::string> arguments;
  if (form.leading == StrategyForm::Leading::number) arguments.push_back("n");
  if (form.leading == StrategyForm::Leading::name) arguments.push_back("name");
  if (form.most > 0) arguments.push_back("S");
  if (form.most > 1) arguments.push_back("...");
  std::string text(form.word);
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "(" : ", ") + arguments[i];
  if (!arguments.empty()) text += ")";
  return form.optional ? "`" + std::string(form.word) + "` or `" + text + "`" : "`" + text + "`";
}

class Reader {
 public:
  Reader(const StrategyNames* names, syntax::Diagnostics& diagnostics)
      : names_(names), diagnostics_(diagnostics) {}

  std::optional<Strategy> read(const syntax::StrategyExpr& expression) {
    const StrategyForm* form = rewrite::find_strategy_form(expression.word.text);
    if (form == nullptr) {
      report_unknown(expression.word);
      return std::nullopt;
    }
    Strategy strategy;
    strategy.kind = form->kind;
    const auto& arguments = expression.arguments;
    if (arguments.empty() && form->optional) {
      if (form->most > 0) strategy.parts.push_back({Kind::rules, 0, {}, {}});
      return strategy;
    }
    std::size_t first = 0;
    if (form->leading != StrategyForm::Leading::nothing) {
      if (arguments.empty() || !read_leading(arguments.front(), *form, strategy)) {
        return misfit(expression, *form);
      }
      first = 1;
    }
    const std::size_t parts = arguments.size() - first;
    if (parts < form->fewest || parts > form->most) return misfit(expression, *form);
    bool good = check_name(expression, strategy);
    for (std::size_t i = first; i < arguments.size(); ++i) {
      std::optional<Strategy> part = read(arguments[i]);
      good = good && part;
      if (part) strategy.parts.push_back(std::move(*part));
    }
    if (!good) return std::nullopt;
    return strategy;
  }

 private:
  void report_unknown(const syntax::Name& word) {
    std::vector<std::string> words;
    for (const StrategyForm& form : rewrite::strategy_forms()) words.emplace_back(form.word);
    diagnostics_.error(codes::unknown_strategy, word.span,
                       "unknown strategy " + in_quotes(word.text) + did_you_mean(word.text, words),
                       "a single axiom is `rule(name)`; the strategies are " + listed(words));
  }

  std::optional<Strategy> misfit(const syntax::StrategyExpr& expression, const StrategyForm& form) {
    diagnostics_.error(codes::strategy_arguments, expression.word.span,
                       in_quotes(form.word) + " has other arguments than these",
                       "write " + usage(form) +
                           ", with n a number from 1 and S a strategy; docs/language.md describes "
                           "each");
    return std::nullopt;
  }

  static bool read_leading(const syntax::StrategyExpr& argument, const StrategyForm& form,
                           Strategy& strategy) {
    if (!argument.arguments.empty()) return false;
    const std::string& text = argument.word.text;
    if (form.leading == StrategyForm::Leading::name) {
      strategy.name = text;
      return true;
    }
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, strategy.number);
    return error == std::errc{} && stop == end && strategy.number > 0;
  }

  // Is the name that the strategy leads with one of something?
  bool check_name(const syntax::StrategyExpr& expression, const Strategy& strategy) {
    if (names_ == nullptr || strategy.name.empty()) return true;
    const syntax::Name& name = expression.arguments.front().word;
    switch (strategy.kind) {
      case Kind::rule:
        return !selected(name).empty();
      case Kind::reversed:
        return check_reversed(name);
      case Kind::callable:
        return check_among(name, callable_names(), "callable with a body");
      case Kind::definition:
        return check_among(name, variable_names(), "variable that is defined");
      default:
        return true;
    }
  }

  bool check_among(const syntax::Name& name, const std::vector<std::string>& known,
                   const std::string& what) {
    if (std::ranges::find(known, name.text) != known.end()) return true;
    diagnostics_.error(codes::strategy_name, name.span,
                       "the target has no " + what + " of the name " + in_quotes(name.text) +
                           did_you_mean(name.text, known),
                       "name one of the module that is rewritten");
    return false;
  }

  std::vector<const term::Rule*> selected(const syntax::Name& name) {
    std::vector<const term::Rule*> found;
    std::vector<std::string> known;
    for (const term::Rule& rule : names_->rules.rules) {
      const std::string axiom(rewrite::axiom_of(rule.name));
      if (rule.name == name.text || axiom == name.text) found.push_back(&rule);
      known.push_back(rule.name);
      if (known.size() == 1 || axiom != rule.name) known.push_back(axiom);
    }
    if (found.empty()) {
      diagnostics_.error(
          codes::strategy_name, name.span,
          "no axiom " + in_quotes(name.text) + " among the rules" + did_you_mean(name.text, known),
          "a name is that of an axiom with an equation, after renaming; `name#2` is "
          "its second assertion");
    }
    return found;
  }

  bool check_reversed(const syntax::Name& name) {
    const auto rules = selected(name);
    for (const term::Rule* rule : rules) {
      std::string reason;
      if (names_->store.is_variable(rule->right)) reason = "its right side is a variable";
      const auto bound = term::free_variables(names_->store, rule->right);
      for (term::SymbolId variable : rule->variables) {
        if (!reason.empty() || std::ranges::find(bound, variable) != bound.end()) continue;
        reason = "its right side lacks " + in_quotes(names_->store[variable].name);
      }
      if (reason.empty() && term::is_sequence(names_->store, rule->right)) {
        reason = term::sequence_problem(names_->store, rule->right, rule->left).value_or("");
      }
      if (reason.empty()) continue;
      diagnostics_.error(codes::cannot_reverse, name.span,
                         "axiom " + in_quotes(rule->name) + " cannot be turned round: " + reason,
                         "every variable of the axiom has to occur on the side that is matched");
      return false;
    }
    return !rules.empty();
  }

  std::vector<std::string> callable_names() const {
    std::vector<std::string> names;
    for (const term::Callable& callable : names_->target.callables) {
      if (callable.body || callable.guard) names.push_back(names_->store[callable.symbol].name);
    }
    return names;
  }

  std::vector<std::string> variable_names() const {
    std::vector<std::string> names;
    for (const term::Callable& callable : names_->target.callables) {
      if (!callable.body) continue;
      term::for_each_subterm(names_->store, *callable.body, [&](term::TermId term) {
        const term::Control control = names_->store.head(term).control;
        const auto children = names_->store.children(term);
        if ((control == term::Control::declare || control == term::Control::assign) &&
            children.size() == 2) {
          names.push_back(names_->store.head(children[0]).name);
        }
        return true;
      });
    }
    return names;
  }

  const StrategyNames* names_;
  syntax::Diagnostics& diagnostics_;
};

}  // namespace

std::optional<Strategy> read_strategy(const syntax::StrategyExpr& expression,
                                      const StrategyNames* names,
                                      syntax::Diagnostics& diagnostics) {
  return Reader(names, diagnostics).read(expression);
}

}  // namespace rhopsi::elaborate
