// What is left of a function whose rows of statements have become parts.
#include <algorithm>
#include <set>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/schedule/outline.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::Statement;
using onf::Statements;
using onf::ViewId;

class Refilling {
 public:
  Refilling(const onf::Module& module, onf::Function& function, std::int64_t pad)
      : module_(module), function_(function) {
    all_.axes.assign(static_cast<std::size_t>(module.rank), {pad, pad});
    all_.corners = true;
  }

  Statements run(Statements body) {
    Statements made;
    for (Statement& statement : body) {
      std::set<ViewId> read;
      std::visit([&](auto& form) { step(form, read); }, statement.form);
      refill(read, statement.location, made);
      made.push_back(std::move(statement));
    }
    return made;
  }

 private:
  void refill(const std::set<ViewId>& read, term::LocationId location, Statements& made) const {
    for (const ViewId view : read) {
      const onf::View& named = function_.views[onf::number(view)];
      // What folds of rows have written has nothing that is read beyond its ends.
      const bool rows = function_.blocks[onf::number(named.block)].same_along_rows();
      if (named.parameter || !rows) made.push_back({onf::Refill{view, all_}, location});
    }
  }
  static void note(const Expr& whole, std::set<ViewId>& read) {
    onf::each_part(whole, [&](const Expr& e) {
      if (e.kind == Expr::Kind::load || e.kind == Expr::Kind::view) read.insert(e.view);
    });
  }
  void inside(Statements& body) { body = run(std::move(body)); }

  // What only names arrays, or hands them to a function that refills for itself.
  void step(onf::Declare&, std::set<ViewId>&) {}
  void step(onf::Allocate&, std::set<ViewId>&) {}
  void step(onf::Refill&, std::set<ViewId>&) {}
  void step(onf::Share&, std::set<ViewId>&) {}
  void step(onf::Return& s, std::set<ViewId>& read) {
    if (s.value && s.value->kind != Expr::Kind::view) note(*s.value, read);
  }
  void step(onf::Call& s, std::set<ViewId>& read) {
    const bool refills =
        s.call.kind == Expr::Kind::call && module_.functions[onf::number(s.call.callee)].refills;
    if (!refills) note(s.call, read);
  }
  void step(onf::If& s, std::set<ViewId>& read) {
    note(s.condition, read);
    inside(s.then);
    inside(s.otherwise);
  }
  void step(onf::For& s, std::set<ViewId>& read) {
    note(s.low, read);
    note(s.high, read);
    inside(s.body);
  }
  void step(onf::Iterate& s, std::set<ViewId>& read) {
    note(s.count, read);
    inside(s.body);
  }
  void step(onf::Scope& s, std::set<ViewId>&) { inside(s.body); }
  void step(onf::While& s, std::set<ViewId>& read) {
    note(s.bound, read);
    std::set<ViewId> tested;
    note(s.condition, tested);
    inside(s.before);
    refill(tested, function_.location, s.before);
    inside(s.body);
  }
  // Everything else reads where it stands.
  template <class Form>
  void step(Form& form, std::set<ViewId>& read) {
    Statements alone(1);
    alone[0].form = form;
    onf::each_in(
        std::as_const(alone), [](const auto&) {}, [&](const Expr& e) { note(e, read); });
  }

  const onf::Module& module_;
  onf::Function& function_;
  onf::Halo all_;
};

}  // namespace

void refill_what_is_read(onf::Module& module, onf::FunctionId id, std::int64_t pad) {
  if (pad == 0) return;
  onf::Function& function = module.functions[onf::number(id)];
  Refilling refilling(module, function, pad);
  function.body = refilling.run(std::move(function.body));
}

}  // namespace rhopsi::schedule
