#include "tests/unit/schedule/random_form.hpp"

#include <random>

#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {

namespace {

class Writer {
 public:
  explicit Writer(unsigned seed)
      : random_(seed), form_(1 + int(seed % 4), seed / 4 % 2 == 0 ? 3 : 0) {}

  RandomForm write() {
    arguments();
    const int statements = below(12) + 1;
    for (int k = 0; k < statements; ++k) statement();
    // What is still unset at the end takes any value.
    for (const onf::ViewId view : unset_) {
      form_.assign(view, element(2));
    }
    RandomForm made{form_.finish(), {}};
    for (int axis = 0; axis < made.module.rank; ++axis) made.shape.push_back(1 + below(6));
    // Of axis 1 more, so that there are tiles side by side.
    if (made.module.rank == 3) made.shape[1] = 1 + below(14);
    return made;
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

  void arguments() {
    set_.push_back(form_.argument("a", term::Mode::upd));
    changed_.push_back(set_[0]);
    if (below(2) == 0) set_.push_back(form_.argument("c", term::Mode::obs));
    for (int k = 0; k < below(3); ++k) {
      set_.push_back(form_.argument("b" + std::to_string(k), term::Mode::upd));
      changed_.push_back(set_.back());
    }
    if (below(3) == 0) {
      unset_.push_back(form_.argument("o", term::Mode::out));
    }
  }

  // Often what was computed last, so that few statements come to nothing.
  onf::ViewId any() { return below(2) == 0 ? last_ : set_[std::size_t(below(int(set_.size())))]; }

  void statement() {
    const int kind = below(8);
    if (kind < 2 || (kind == 2 && unset_.empty())) {  // another variable
      const onf::ViewId made = form_.view("v" + std::to_string(locals_++));
      if (kind == 0) {
        form_.copy(made, any(), true);
      } else {
        form_.assign(made, element(3), true);
      }
      set_.push_back(made);
      changed_.push_back(made);
      last_ = made;
    } else if (kind == 2) {
      form_.assign(unset_.back(), element(3));
      set_.push_back(unset_.back());
      changed_.push_back(unset_.back());
      unset_.pop_back();
    } else {
      const onf::ViewId target = changed_[std::size_t(below(int(changed_.size())))];
      if (kind == 3) {
        form_.copy(target, any());
      } else {
        form_.assign(target, element(3));
      }
      last_ = target;
    }
  }

  onf::Expr load() {
    std::vector<std::int64_t> offset(std::size_t(form_.module.rank), 0);
    if (below(3) != 0) offset[std::size_t(below(form_.module.rank))] = below(7) - 3;
    if (below(6) == 0) offset[std::size_t(below(form_.module.rank))] = below(7) - 3;
    return form_.load(any(), offset);
  }

  onf::Expr position() {
    onf::Expr made =
        apply(onf::ScalarFunction::convert, {form_.position(below(form_.module.rank))});
    made.type = real_type;
    return made;
  }

  onf::Expr element(int depth) {
    using onf::ScalarFunction;
    const int kind = depth == 0 ? 0 : below(6);
    if (kind < 2) {
      if (kind == 1 && below(3) == 0) return real(0.25 * (below(9) - 4));
      if (kind == 1 && below(4) == 0) return position();
      recent_.push_back(load());
      return recent_.back();
    }
    if (kind == 2 && !recent_.empty()) return recent_[std::size_t(below(int(recent_.size())))];
    if (kind == 3 && below(4) == 0) {
      onf::Expr e = apply(ScalarFunction::less, {element(depth - 1), element(depth - 1)});
      e.type.scalar = onf::Scalar::boolean;
      onf::Expr chosen;
      chosen.kind = onf::Expr::Kind::if_;
      chosen.type = real_type;
      chosen.operands = {std::move(e), element(depth - 1), element(depth - 1)};
      return chosen;
    }
    constexpr ScalarFunction functions[] = {ScalarFunction::add, ScalarFunction::subtract,
                                            ScalarFunction::multiply};
    onf::Expr made = apply(functions[below(3)], {element(depth - 1), element(depth - 1)});
    recent_.push_back(made);
    return made;
  }

  std::mt19937 random_;
  FormBuilder form_;
  std::vector<onf::ViewId> set_, changed_, unset_;
  std::vector<onf::Expr> recent_;
  onf::ViewId last_{};
  int locals_ = 0;
};

}  // namespace

RandomForm random_form(unsigned seed) { return Writer(seed).write(); }

}  // namespace rhopsi::schedule
