#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "engine/term/operations.hpp"

namespace rhopsi::term {

namespace {

// Binding strength of an expression: a part that binds more weakly than its place
// asks for gets parentheses.
constexpr int weakest = 0;  // if, fold, forall
constexpr int prefix_level = 9;
constexpr int strongest = 10;

int infix_level(std::string_view op) {
  struct Level {
    std::string_view op;
    int level;
  };
  static constexpr std::array<Level, 20> levels{{
      {"=>", 1}, {"<=>", 1}, {"||", 2}, {"&&", 3},  {"<", 4},   {">", 4},  {">=", 4},
      {"<=", 4}, {"==", 4},  {"!=", 4}, {"===", 4}, {"!==", 4}, {"..", 5}, {"<<", 6},
      {">>", 6}, {"+", 7},   {"-", 7},  {"*", 8},   {"/", 8},   {"%", 8},
  }};
  for (const Level& entry : levels) {
    if (entry.op == op) return entry.level;
  }
  return 0;
}

class Printer {
 public:
  explicit Printer(const Store& store) : store_(store) {}

  std::string print(TermId root, std::size_t most) {
    pending_.push_back(Part{root, weakest});
    while (!pending_.empty() && out_.size() <= most) {
      const Item item = std::move(pending_.back());
      pending_.pop_back();
      out_ += item.text;
      if (item.part) expand(*item.part);
    }
    if (out_.size() > most) return cut(most);
    return std::move(out_);
  }

 private:
  // Not in the middle of a character.
  std::string cut(std::size_t most) {
    while (most > 0 && (static_cast<unsigned char>(out_[most]) & 0xC0U) == 0x80U) --most;
    return out_.substr(0, most) + "...";
  }

  struct Part {
    TermId term;
    int level;  // the least binding strength that needs no parentheses here
  };
  // A text or a part.
  struct Item {
    Item(std::string given) : text(std::move(given)) {}
    Item(const char* given) : text(given) {}
    Item(Part given) : part(given) {}
    std::string text;
    std::optional<Part> part;
  };

  // The items are printed in their order, before everything that is pending.
  void emit(std::vector<Item> items) {
    for (std::size_t i = items.size(); i-- > 0;) pending_.push_back(std::move(items[i]));
  }

  void emit_at(int own_level, int wanted, std::vector<Item> items) {
    if (own_level < wanted) {
      items.insert(items.begin(), std::string("("));
      items.emplace_back(std::string(")"));
    }
    emit(std::move(items));
  }

  void expand(Part part) {
    const Symbol& head = store_.head(part.term);
    if (head.kind == SymbolKind::control) {
      expand_control(part, head);
    } else if (!expand_operator(part, head)) {
      expand_call(part.term, head, head.kind == SymbolKind::procedure);
    }
  }

  bool expand_operator(Part part, const Symbol& head) {
    const auto children = store_.children(part.term);
    const std::string_view name = head.name;
    if (children.size() == 2 && name.size() > 2 && name.front() == '_' && name.back() == '_') {
      const std::string op(name.substr(1, name.size() - 2));
      const int level = infix_level(op);
      if (level == 0) return false;
      emit_at(level, part.level,
              {Part{children[0], level}, " " + op + " ", Part{children[1], level + 1}});
      return true;
    }
    if (children.size() == 1 && name.size() == 2 && name.back() == '_' &&
        std::ispunct(static_cast<unsigned char>(name.front())) && name.front() != '_') {
      emit_at(prefix_level, part.level,
              {std::string(1, name.front()), Part{children[0], prefix_level + 1}});
      return true;
    }
    return false;
  }

  void expand_call(TermId term, const Symbol& head, bool with_keyword) {
    std::vector<Item> items;
    items.emplace_back(with_keyword ? "call " + head.name : head.name);
    const bool plain = head.kind == SymbolKind::variable ||
                       head.kind == SymbolKind::integer_literal ||
                       head.kind == SymbolKind::real_literal;
    if (!plain) list(items, store_.children(term), "(", ")");
    emit(std::move(items));
  }

  void list(std::vector<Item>& items, std::span<const TermId> terms, const char* open,
            const char* close) {
    items.emplace_back(std::string(open));
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i > 0) items.emplace_back(std::string(", "));
      items.emplace_back(Part{terms[i], weakest});
    }
    items.emplace_back(std::string(close));
  }

  void expand_control(Part part, const Symbol& head) {
    const auto c = store_.children(part.term);
    const auto bound = store_.bound(part.term);
    const auto name = [&](std::size_t i) {
      return i < bound.size() ? store_[bound[i]].name : std::string("?");
    };
    switch (head.control) {
      case Control::none:
        emit({std::string("none")});
        break;
      case Control::skip:
        emit({std::string("skip")});
        break;
      case Control::block:
        expand_block(c);
        break;
      case Control::declare:
        expand_declare(c);
        break;
      case Control::assign:
        emit({Part{c[0], 0}, " = ", Part{c[1], 0}});
        break;
      case Control::value:
        emit({std::string("value "), Part{c[0], 0}});
        break;
      case Control::assert_:
        emit({std::string("assert "), Part{c[0], 0}});
        break;
      case Control::if_:
        emit_at(weakest, part.level,
                {std::string("if "), Part{c[0], 1}, std::string(" then "), Part{c[1], 1},
                 std::string(" else "), Part{c[2], 0}});
        break;
      case Control::for_:
        emit({"for " + name(0) + " in ", Part{c[0], 6}, std::string(" .. "), Part{c[1], 6},
              std::string(" "), Part{c[2], 0}});
        break;
      case Control::iterate:
        emit({std::string("iterate "), Part{c[0], strongest}, std::string(" "), Part{c[1], 0}});
        break;
      case Control::while_:
        emit({std::string("while "), Part{c[0], 1}, std::string(" bound "), Part{c[1], 1},
              std::string(" "), Part{c[2], 0}});
        break;
      case Control::fold:
        emit_at(weakest, part.level,
                {"fold " + store_[head.operation].name + " (" + name(0) + " < ", Part{c[0], 5},
                 std::string(") "), Part{c[1], 0}});
        break;
      case Control::forall:
        emit_at(weakest, part.level,
                {"forall (" + name(0) + " < ", Part{c[0], 5}, std::string(") "), Part{c[1], 0}});
        break;
      case Control::vector_: {
        std::vector<Item> items;
        list(items, c, "[", "]");
        emit(std::move(items));
        break;
      }
    }
  }

  void expand_block(std::span<const TermId> statements) {
    std::vector<Item> items{std::string("{ ")};
    for (TermId statement : statements) {
      items.emplace_back(Part{statement, weakest});
      items.emplace_back(std::string("; "));
    }
    items.emplace_back(std::string("}"));
    emit(std::move(items));
  }

  void expand_declare(std::span<const TermId> children) {
    const Symbol& variable = store_.head(children[0]);
    std::vector<Item> items{std::string(variable.assignable ? "var " : "var obs ") + variable.name +
                            ": " + store_.name(variable.result)};
    if (children.size() > 1) {
      items.emplace_back(std::string(" = "));
      items.emplace_back(Part{children[1], weakest});
    }
    emit(std::move(items));
  }

  const Store& store_;
  std::vector<Item> pending_;
  std::string out_;
};

}  // namespace

std::string to_string(const Store& store, TermId term) {
  return Printer(store).print(term, std::string::npos);
}

std::string to_string(const Store& store, TermId term, std::size_t most) {
  return Printer(store).print(term, most);
}

std::string to_string(const Store& store, SymbolId symbol) {
  const Symbol& operation = store[symbol];
  std::string out = operation.name;
  if (operation.kind != SymbolKind::variable) {
    out += "(";
    for (std::size_t i = 0; i < operation.parameters.size(); ++i) {
      if (i > 0) out += ", ";
      out += store.name(operation.parameters[i]);
    }
    out += ")";
  }
  if (operation.kind == SymbolKind::procedure) return out;
  return out + ": " + store.name(operation.result);
}

}  // namespace rhopsi::term
