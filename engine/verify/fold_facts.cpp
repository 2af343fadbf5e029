#include "engine/verify/fold_facts.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "engine/moa/facts.hpp"

namespace rhopsi::verify {

using moa::Expressions;
using moa::ExprId;
using moa::Node;
using moa::ScalarFunction;
using moa::Vector;

namespace {

constexpr std::size_t most_folds = 12;
// What facts speak of is looked at again: a sum up to n speaks of what stands at n - 1.
constexpr int rounds = 2;

class FoldFacts {
 public:
  FoldFacts(Expressions& expressions, const Vector& hypotheses)
      : expressions_(expressions), hypotheses_(hypotheses) {}

  void meet(ExprId root) {
    std::vector<ExprId> work{root};
    while (!work.empty()) {
      const ExprId id = work.back();
      work.pop_back();
      if (!seen_.insert(id).second) continue;
      const Node node = expressions_[id];
      if (node.kind == Node::Kind::fold) {
        work.push_back(node.operands[0]);  // what stands within it is not one value
        add(id, node);
      } else {
        work.insert(work.end(), node.operands.begin(), node.operands.end());
      }
    }
  }

  // Facts about what was met since the last time.
  Vector take() {
    Vector made;
    for (; told_ < folds_.size(); ++told_) {
      const Fold fold = folds_[told_];
      tell_of(fold, made);
      for (std::size_t k = 0; k < told_; ++k) {
        const Fold other = folds_[k];
        if (!are_alike(fold, other)) continue;
        tell_of(fold, other, made);
        tell_of(other, fold, made);
      }
    }
    return made;
  }

 private:
  struct Fold {
    ExprId value;
    ExprId count;
    ExprId body;
    moa::VariableId variable;
    std::int64_t least;  // of an element
    std::int64_t most;
  };

  void add(ExprId id, const Node& node) {
    if (folds_.size() == most_folds) return;
    if (node.type != moa::Scalar::int64 || node.function != ScalarFunction::add) return;
    moa::Facts facts(expressions_);
    for (ExprId each : hypotheses_) facts.assume(each);
    facts.range(node.variable, expressions_.integer(0), node.operands[0]);
    moa::Bounds bounds = facts.bounds(node.operands[1]);
    if (counts(node.operands[1])) bounds = {0, 1};
    if (!bounds.low || !bounds.high) return;
    folds_.push_back(
        {id, node.operands[0], node.operands[1], node.variable, *bounds.low, *bounds.high});
  }

  // Is it 1 where something holds, and 0 elsewhere?
  bool counts(ExprId body) const {
    const Node& node = expressions_[body];
    return node.kind == Node::Kind::apply && node.function == ScalarFunction::convert &&
           expressions_[node.operands[0]].type == moa::Scalar::boolean;
  }

  bool are_alike(const Fold& one, const Fold& other) {
    return one.least == other.least && one.most == other.most &&
           at(other, expressions_.variable(one.variable)) == one.body;
  }

  ExprId at(const Fold& fold, ExprId place) {
    return expressions_.substitute(fold.body, fold.variable, place);
  }
  ExprId apply(ScalarFunction function, ExprId left, ExprId right) {
    return expressions_.apply(function, {left, right});
  }
  ExprId less(ExprId left, ExprId right) { return apply(ScalarFunction::less, left, right); }
  ExprId before(ExprId number) { return expressions_.subtract(number, expressions_.integer(1)); }

  // condition => least * count <= value <= most * count
  void bound(ExprId condition, ExprId value, const Fold& fold, ExprId count, Vector& made) {
    const auto limit = [&](std::int64_t each) {
      return expressions_.multiply(expressions_.integer(each), count);
    };
    for (const ExprId each : {apply(ScalarFunction::less_equal, limit(fold.least), value),
                              apply(ScalarFunction::less_equal, value, limit(fold.most))}) {
      made.push_back(apply(ScalarFunction::implies, condition, each));
    }
  }

  void tell_of(const Fold& fold, Vector& made) {
    const ExprId zero = expressions_.integer(0);
    const ExprId some = less(zero, fold.count);
    made.push_back(
        apply(ScalarFunction::or_, some, apply(ScalarFunction::equal, fold.value, zero)));
    bound(some, fold.value, fold, fold.count, made);
    const ExprId last = before(fold.count);
    bound(some, expressions_.subtract(fold.value, at(fold, last)), fold, last, made);
  }

  // Where the second goes further.
  void tell_of(const Fold& one, const Fold& other, Vector& made) {
    const ExprId zero = expressions_.integer(0);
    const ExprId further =
        apply(ScalarFunction::and_, apply(ScalarFunction::less_equal, zero, one.count),
              less(one.count, other.count));
    const ExprId rest =
        expressions_.subtract(expressions_.subtract(other.value, one.value), at(one, one.count));
    bound(further, rest, one, before(expressions_.subtract(other.count, one.count)), made);
  }

  Expressions& expressions_;
  const Vector& hypotheses_;
  std::set<ExprId> seen_;
  std::vector<Fold> folds_;
  std::size_t told_ = 0;
};

}  // namespace

Vector facts_of_folds(Expressions& expressions, const Vector& hypotheses, ExprId goal) {
  FoldFacts facts(expressions, hypotheses);
  for (ExprId each : hypotheses) facts.meet(each);
  facts.meet(goal);
  Vector all;
  for (int round = 0; round < rounds; ++round) {
    const Vector made = facts.take();
    for (ExprId each : made) facts.meet(each);
    all.insert(all.end(), made.begin(), made.end());
  }
  return all;
}

}  // namespace rhopsi::verify
