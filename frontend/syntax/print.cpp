#include "frontend/syntax/print.hpp"

#include <utility>

#include "frontend/syntax/expression_printer.hpp"

namespace rhopsi::syntax {

namespace {

constexpr unsigned line_width = 100;

const char* word_of(CallableKind kind) {
  constexpr const char* words[] = {"axiom", "theorem", "function", "predicate", "procedure"};
  return words[static_cast<int>(kind)];
}

const char* word_of(ModuleKind kind) {
  constexpr const char* words[] = {"concept", "implementation", "signature", "program"};
  return words[static_cast<int>(kind)];
}

const char* word_of(Mode mode) {
  constexpr const char* words[] = {"obs", "upd", "out"};
  return words[static_cast<int>(mode)];
}

std::string text_of(const Parameter& parameter) {
  std::string text = parameter.mode ? std::string(word_of(*parameter.mode)) + " " : std::string();
  return text + parameter.name.text + ": " + parameter.type.name.text +
         (parameter.type.variadic ? "..." : "");
}

std::string text_of(const TypeDecl& type) {
  std::string text = (type.required ? "require type " : "type ") + type.name.text;
  if (type.pack) text += "...";
  const char* separator = " literals ";
  const auto kind = [&](bool present, const char* word) {
    if (!present) return;
    text += std::exchange(separator, ", ");
    text += word;
  };
  kind(type.integer_literals, "integer");
  kind(type.real_literals, "real");
  kind(type.vector_literals, "vector");
  return text + ";";
}

std::string text_of(const StrategyExpr& strategy) {
  std::string text = strategy.word.text;
  const char* separator = "(";
  for (const StrategyExpr& argument : strategy.arguments) {
    text += std::exchange(separator, ", ") + text_of(argument);
  }
  return strategy.arguments.empty() ? text : text + ")";
}

std::string text_of(const ScheduleItem& item) {
  std::string text = (item.use ? "use " : item.required ? "require " : "") + item.word.text;
  const char* separator = "(";
  for (const StepArgument& argument : item.arguments) {
    text += std::exchange(separator, ", ") + argument.name.text + " = " + argument.value.text;
  }
  return text + (item.arguments.empty() ? ";" : ");");
}

class Printer {
 public:
  using Doc = Layout::Doc;

  std::string finish(Doc root) const { return layout_.render(root, line_width); }

  Doc expression(const Expr& expression) { return layout_.group(expressions_.print(expression)); }

  Doc package(const Package& package) {
    std::vector<Doc> parts{head(package)};
    for (const TopDecl& declaration : package.declarations) {
      parts.push_back(layout_.hard_line());
      parts.push_back(layout_.hard_line());
      parts.push_back(std::visit([&](const auto& d) { return top(d); }, declaration));
    }
    parts.push_back(layout_.hard_line());
    return layout_.concat(std::move(parts));
  }

  Doc top(const ModuleDecl& declaration) {
    const std::string words =
        std::string(word_of(declaration.kind)) + " " + declaration.name.text + " =";
    return layout_.concat(
        {text(words), definition(declaration.definition), ending(declaration.definition)});
  }

  Doc callable(const CallableDecl& callable) {
    std::vector<Doc> parts{callable_head(callable)};
    if (callable.guard) {
      ExpressionPrinter::Place place;
      place.assignment = place.closed = false;
      parts.push_back(layout_.indent(
          continuation,
          layout_.concat({layout_.space(), text("guard "),
                          layout_.group(expressions_.print(*callable.guard, place))})));
    }
    const Doc head = layout_.group(layout_.concat(std::move(parts)));
    if (!callable.body) return layout_.concat({head, text(";")});
    if (const Block* block = std::get_if<Block>(&callable.body->node)) {
      return layout_.concat({head, text(" "), expressions_.block(*block)});
    }
    const Doc body =
        layout_.concat({layout_.space(), layout_.group(expressions_.print(*callable.body))});
    return layout_.concat(
        {head, text(" ="), layout_.group(layout_.indent(continuation, body)), text(";")});
  }

 private:
  Doc text(std::string text) { return layout_.text(std::move(text)); }

  Doc top(const RenamingDecl& declaration) {
    return layout_.concat({text("renaming " + declaration.name.text + " = "),
                           renaming(declaration.block), text(";")});
  }

  Doc top(const SatisfactionDecl& declaration) {
    std::vector<Doc> parts{layout_.space(), module(declaration.model)};
    if (declaration.with) {
      parts.push_back(layout_.space());
      parts.push_back(text("with "));
      parts.push_back(module(declaration.with));
    }
    parts.push_back(layout_.space());
    parts.push_back(text(declaration.approximates ? "approximates " : "models "));
    parts.push_back(module(declaration.specification));
    const Doc right = layout_.indent(continuation, layout_.concat(std::move(parts)));
    return layout_.concat(
        {text("satisfaction " + declaration.name.text + " ="), layout_.group(right), text(";")});
  }

  Doc top(const ScheduleDecl& declaration) {
    std::string head = "schedule " + declaration.name.text;
    if (declaration.program) head += " for " + declaration.program->text;
    if (declaration.callable) head += " on " + declaration.callable->text;
    std::vector<Doc> steps;
    for (const ScheduleItem& item : declaration.items) {
      steps.push_back(layout_.hard_line());
      steps.push_back(text(text_of(item)));
    }
    if (steps.empty()) return text(head + " = {};");
    return layout_.concat({text(head + " = {"),
                           layout_.indent(indentation, layout_.concat(std::move(steps))),
                           layout_.hard_line(), text("};")});
  }

  Doc head(const Package& package) {
    std::vector<Doc> parts{text("package " + package.name.text)};
    for (std::size_t i = 0; i < package.imports.size(); ++i) {
      if (i == 0) {
        parts.push_back(layout_.next(true, text("imports " + package.imports[i].text)));
      } else {
        parts.push_back(text(","));
        parts.push_back(layout_.next(true, text(package.imports[i].text)));
      }
    }
    parts.push_back(text(";"));
    return layout_.indent(continuation, layout_.concat(std::move(parts)));
  }

  Doc callable_head(const CallableDecl& callable) {
    std::string words = callable.required ? "require " : "";
    words += word_of(callable.kind);
    words += " " + callable.name.text + "(";
    std::vector<Doc> inner;
    for (std::size_t i = 0; i < callable.parameters.size(); ++i) {
      if (i > 0) inner.push_back(text(","));
      inner.push_back(layout_.next(i > 0, text(text_of(callable.parameters[i]))));
    }
    const std::string close = callable.result ? "): " + callable.result->name.text : ")";
    return layout_.group(
        layout_.concat({text(words), layout_.indent(continuation, layout_.concat(std::move(inner))),
                        text(close)}));
  }

  // After `NAME =`: a body on the same line, anything else where it fits.
  Doc definition(const ModulePtr& module_expression) {
    if (module_expression && std::holds_alternative<ModuleBody>(module_expression->node)) {
      return layout_.concat({text(" "), module_whole(*module_expression)});
    }
    const Doc inner = module_expression ? module_whole(*module_expression) : text("");
    return layout_.group(layout_.indent(continuation, layout_.concat({layout_.space(), inner})));
  }

  Doc ending(const ModulePtr& module_expression) {
    const bool body = module_expression && module_expression->renamings.empty() &&
                      std::holds_alternative<ModuleBody>(module_expression->node);
    return text(body ? "" : ";");
  }

  // As an operand of another module expression.
  Doc module(const ModulePtr& module_expression) {
    if (!module_expression) return text("");
    const bool prefixed = std::holds_alternative<Rewrite>(module_expression->node) ||
                          std::holds_alternative<Implement>(module_expression->node) ||
                          std::holds_alternative<External>(module_expression->node);
    const bool open = prefixed && module_expression->renamings.empty();
    return open ? parenthesised(module_whole(*module_expression))
                : module_whole(*module_expression);
  }

  Doc module_whole(const ModuleExpr& expression) {
    Doc inner = std::visit([&](const auto& node) { return module_node(node); }, expression.node);
    if (expression.renamings.empty()) return inner;
    // Blocks bind to the nearest inner module, so these forms need parentheses.
    const bool prefixed = std::holds_alternative<Rewrite>(expression.node) ||
                          std::holds_alternative<Implement>(expression.node) ||
                          std::holds_alternative<External>(expression.node);
    std::vector<Doc> parts{prefixed ? parenthesised(inner) : inner};
    for (const RenamingBlock& block : expression.renamings) parts.push_back(renaming(block));
    return layout_.concat(std::move(parts));
  }

  Doc module_node(const ModuleBody& body) {
    if (body.items.empty()) return text("{}");
    std::vector<Doc> parts;
    for (std::size_t i = 0; i < body.items.size(); ++i) {
      if (i > 0 && stands_apart(body.items[i - 1], body.items[i]))
        parts.push_back(layout_.hard_line());
      parts.push_back(layout_.hard_line());
      parts.push_back(std::visit([&](const auto& item) { return body_item(item); }, body.items[i]));
    }
    return layout_.concat({text("{"), layout_.indent(indentation, layout_.concat(std::move(parts))),
                           layout_.hard_line(), text("}")});
  }
  Doc module_node(const ModuleName& name) { return text(name.name.text); }
  Doc module_node(const SignatureOf& signature) {
    const Doc inner = signature.module ? module_whole(*signature.module) : text("");
    return layout_.concat({text("signature("), inner, text(")")});
  }
  Doc module_node(const Rewrite& rewrite) {
    std::vector<Doc> parts{layout_.space(), text("with "), module(rewrite.rules)};
    if (rewrite.strategy) {
      parts.push_back(layout_.space());
      parts.push_back(text("by " + text_of(*rewrite.strategy)));
    }
    parts.push_back(text(" " + std::to_string(rewrite.bound)));
    const Doc rules = layout_.concat(std::move(parts));
    return layout_.group(layout_.concat(
        {text("rewrite "), module(rewrite.target), layout_.indent(indentation, rules)}));
  }
  Doc module_node(const Implement& implement) {
    const Doc target = layout_.concat({layout_.space(), text("in "), module(implement.target)});
    return layout_.group(layout_.concat(
        {text("implement "), module(implement.generator), layout_.indent(indentation, target)}));
  }
  Doc module_node(const External& external) {
    std::string words = "external " + external.backend.text;
    if (!external.attributes.empty()) words += "[" + external.attributes + "]";
    return layout_.concat({text(words + " " + external.path.text + " "), module(external.module)});
  }

  // A blank line before and after everything with a body.
  static bool stands_apart(const BodyItem& before, const BodyItem& item) {
    if (before.index() != item.index()) return true;
    const auto has_body = [](const BodyItem& i) {
      const CallableDecl* callable = std::get_if<CallableDecl>(&i);
      return callable && callable->body;
    };
    return has_body(before) || has_body(item);
  }

  Doc body_item(const TypeDecl& type) { return text(text_of(type)); }
  Doc body_item(const CallableDecl& declared) { return callable(declared); }
  Doc body_item(const UseDecl& use) {
    // A body may follow `use` directly; the rest may begin with a parenthesis.
    const Doc inner = use.module ? module(use.module) : text("");
    return layout_.concat({text(use.require ? "require " : "use "), inner, text(";")});
  }

  Doc renaming(const RenamingBlock& block) {
    std::vector<Doc> inner;
    for (std::size_t i = 0; i < block.items.size(); ++i) {
      if (i > 0) inner.push_back(text(","));
      const RenamingItem& item = block.items[i];
      const std::string words = item.source.text + (item.target ? " => " + item.target->text : "");
      inner.push_back(layout_.next(i > 0, text(words)));
    }
    return layout_.group(
        layout_.concat({text(block.partial ? "[[" : "["),
                        layout_.indent(continuation, layout_.concat(std::move(inner))),
                        text(block.partial ? "]]" : "]")}));
  }

  Doc parenthesised(Doc inner) {
    return layout_.concat({text("("), layout_.indent(1, inner), text(")")});
  }

  Layout layout_;
  ExpressionPrinter expressions_{layout_};
};

}  // namespace

std::string print(const Package& package) {
  Printer printer;
  return printer.finish(printer.package(package));
}

std::string print(const ModuleDecl& declaration) {
  Printer printer;
  return printer.finish(printer.top(declaration));
}

std::string print(const CallableDecl& callable) {
  Printer printer;
  return printer.finish(printer.callable(callable));
}

std::string print(const Expr& expression) {
  Printer printer;
  return printer.finish(printer.expression(expression));
}

}  // namespace rhopsi::syntax
