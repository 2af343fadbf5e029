// Statements back to syntax, and the names of variables.
#include <cctype>

#include "engine/term/sequence.hpp"
#include "frontend/elaborate/raiser.hpp"
#include "frontend/elaborate/readings.hpp"

namespace rhopsi::elaborate {

using syntax::ExprPtr;
using term::Control;
using term::SymbolId;
using term::TermId;

syntax::Name plain_name(std::string text) { return {std::move(text), {}}; }

syntax::TypeRef type_reference(const term::Store& store, term::SortId sort) {
  return {plain_name(store.name(sort)), false};
}

ExprPtr make_expr(syntax::Expr::Node node) {
  auto expr = std::make_shared<syntax::Expr>();
  expr->node = std::move(node);
  return expr;
}

namespace {

// Letters, digits and `_` (bytes beyond ASCII belong to letters), not a number: a
// variable called `1` would hide the literal.
std::string legal(const std::string& name) {
  std::string result;
  for (char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    result += std::isalnum(byte) || c == '_' || byte >= 0x80 ? c : '_';
  }
  if (result.empty() || is_integer_text(result)) result = "v" + result;
  return result;
}

}  // namespace

const std::string& Names::bind(SymbolId variable) {
  const std::string wanted = legal(store_[variable].name);
  std::string name = wanted;
  for (std::size_t i = 1; taken_.contains(name); ++i) name = wanted + "_" + std::to_string(i);
  taken_.insert(name);
  bound_.push_back(variable);
  return names_[variable] = std::move(name);
}

const std::string& Names::of(SymbolId variable) {
  auto found = names_.find(variable);
  return found == names_.end() ? bind(variable) : found->second;
}

void Names::close() {
  while (bound_.size() > marks_.back()) {
    taken_.erase(names_[bound_.back()]);
    bound_.pop_back();
  }
  marks_.pop_back();
}

std::vector<ExprPtr> Raiser::statements(const std::vector<TermId>& terms) {
  std::vector<ExprPtr> result;
  for (TermId term : terms) result.push_back(statement(term));
  return result;
}

ExprPtr Raiser::block(TermId term) {
  const auto span = store_.children(term);
  const std::vector<TermId> children(span.begin(), span.end());
  names_.open();
  syntax::Block block{statements(children)};
  names_.close();
  return make_expr(std::move(block));
}

ExprPtr Raiser::loop_body(TermId term) {
  if (store_.is(term, Control::block)) return block(term);
  return make_expr(syntax::Block{{statement(term)}});
}

ExprPtr Raiser::loop(TermId term, const std::vector<TermId>& children) {
  if (store_.is(term, Control::iterate)) {
    return make_expr(
        syntax::Iterate{numbers({children[0]}, false)[0], procedure_call(children[1])});
  }
  if (store_.is(term, Control::while_)) {
    ExprPtr condition = expression(children[0], store_.predicate_sort());
    ExprPtr bound = numbers({children[1]}, false)[0];
    return make_expr(syntax::While{std::move(condition), std::move(bound), loop_body(children[2])});
  }
  const SymbolId index = store_.bound(term)[0];
  std::vector<ExprPtr> range = numbers({children[0], children[1]}, false);
  names_.open();
  syntax::Name name = plain_name(names_.bind(index));
  ExprPtr body = loop_body(children[2]);
  names_.close();
  return make_expr(syntax::For{std::move(name), range[0], range[1], std::move(body)});
}

// What is asserted; an axiom may say that statements are equal.
ExprPtr Raiser::claim(TermId term) {
  const auto span = store_.children(term);
  const std::vector<TermId> children(span.begin(), span.end());
  const term::Builtin relation = term::builtin(store_, store_.symbol(term));
  const auto joined = [](const char* name, ExprPtr left, ExprPtr right) {
    return make_expr(
        syntax::Call{plain_name(name), {std::move(left), std::move(right)}, {}, false, true});
  };
  TermId last = term;
  while (term::builtin(store_, store_.symbol(last)) == term::Builtin::implies) {
    last = store_.children(last)[1];
  }
  const bool about_statements =
      term::builtin(store_, store_.symbol(last)) == term::Builtin::equal &&
      term::is_sequence(store_, store_.children(last)[0]);
  if (!about_statements) return expression(term, store_.predicate_sort());
  if (relation == term::Builtin::equal) {
    return joined("_==_", block(children[0]), block(children[1]));
  }
  return joined("_=>_", expression(children[0], store_.predicate_sort()), claim(children[1]));
}

// The type of a local variable is always written: its initial value is then read
// with an expected sort, and needs fewer casts.
ExprPtr Raiser::statement(TermId term) {
  const auto span = store_.children(term);
  const std::vector<TermId> children(span.begin(), span.end());
  switch (store_.head(term).control) {
    case Control::block:
      return block(term);
    case Control::declare: {
      const SymbolId variable = store_.symbol(children[0]);
      const term::SortId sort = store_[variable].result;
      ExprPtr initial = children.size() > 1 ? expression(children[1], sort) : nullptr;
      return make_expr(syntax::Declaration{plain_name(names_.bind(variable)),
                                           !store_[variable].assignable,
                                           type_reference(store_, sort), std::move(initial)});
    }
    case Control::assign: {
      const SymbolId variable = store_.symbol(children[0]);
      return make_expr(syntax::Assignment{plain_name(names_.of(variable)),
                                          expression(children[1], store_[variable].result)});
    }
    case Control::value:
      return make_expr(syntax::Value{expression(children[0], store_.sort(children[0]))});
    case Control::skip:
      return make_expr(syntax::Skip{});
    case Control::assert_:
      return make_expr(syntax::Assert{claim(children[0])});
    case Control::if_: {
      ExprPtr condition = expression(children[0], store_.predicate_sort());
      ExprPtr then_branch = statement(children[1]);
      return make_expr(
          syntax::If{std::move(condition), std::move(then_branch), statement(children[2])});
    }
    case Control::for_:
    case Control::iterate:
    case Control::while_:
      return loop(term, children);
    default:
      return procedure_call(term);
  }
}

}  // namespace rhopsi::elaborate
