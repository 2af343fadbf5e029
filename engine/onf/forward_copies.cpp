#include "engine/onf/forward_copies.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "engine/onf/each_name.hpp"
#include "engine/onf/lists.hpp"

namespace rhopsi::onf {

namespace {

class ForwardCopies {
 public:
  ForwardCopies(Function& function, std::size_t rank) : function_(function), rank_(rank) {}

  void walk(Statements& body) {
    for (Statement& statement : body)
      each_list_of(statement, [&](Statements& inner) { walk(inner); });
    // Two statements at that place and before it are gone then.
    for (std::size_t at = 0; at < body.size();) forward(body, at) ? --at : ++at;
  }

 private:
  const Block& block(ViewId view) const {
    return function_.blocks[number(function_.views[number(view)].block)];
  }

  bool is_part(ViewId view) const {
    const auto& extents = block(view).extents;
    return extents && !extents->empty() && !function_.views[number(view)].parameter &&
           (extents->size() != rank_ || std::ranges::any_of(*extents, [](const Expr& length) {
              return length.kind == Expr::Kind::integer;
            }));
  }

  // The nest, if it does nothing but take elements from elsewhere.
  const Nest* copy_at(const Statements& body, std::size_t at) const {
    const auto* nest = std::get_if<Nest>(&body[at].form);
    const bool plain = nest != nullptr && nest->box && nest->also.empty() && nest->body.empty() &&
                       !nest->tile && nest->element.kind == Expr::Kind::load &&
                       nest->element.view != nest->target && is_part(nest->target) &&
                       block(nest->element.view).element == block(nest->target).element;
    const auto is_number = [](const Expr& component) {
      return component.type.kind == Representation::Kind::scalar &&
             !names_views_but_lengths(component);
    };
    return plain && std::ranges::all_of(nest->element.operands, is_number) ? nest : nullptr;
  }
  static bool names_views_but_lengths(const Expr& e) {
    return (names_view(e) && e.kind != Expr::Kind::length) ||
           std::ranges::any_of(e.operands, names_views_but_lengths);
  }

  bool forward(Statements& body, std::size_t at) {
    const Nest* found = copy_at(body, at);
    if (found == nullptr) return false;
    const Nest copy = *found;
    const auto allocation = allocation_of(body, copy.target, at);
    const auto last = last_read(body, copy, at);
    if (!allocation || !last || is_changed(body, copy.element.view, at + 1, *last)) return false;
    for (std::size_t k = at + 1; k <= *last; ++k) {
      Statements one{std::move(body[k])};
      read_there(one, copy);
      body[k] = std::move(one.front());
    }
    body.erase(body.begin() + std::ptrdiff_t(at));
    body.erase(body.begin() + std::ptrdiff_t(*allocation));
    return true;
  }

  static std::optional<std::size_t> allocation_of(const Statements& body, ViewId view,
                                                  std::size_t before) {
    for (std::size_t k = before; k-- > 0;) {
      const auto* fresh = std::get_if<Allocate>(&body[k].form);
      if (fresh != nullptr && fresh->view == view)
        return fresh->in_place_of ? std::nullopt : std::optional(k);
    }
    return std::nullopt;
  }

  // The last statement behind the nest that reads an element of its array, or asks for a length.
  // Nothing where it is named otherwise, or elsewhere in the function.
  std::optional<std::size_t> last_read(const Statements& body, const Nest& copy,
                                       std::size_t at) const {
    std::size_t all = names_in(function_.body, copy.target), here = 0;
    std::optional<std::size_t> last;
    for (std::size_t k = 0; k < body.size(); ++k) {
      const std::span one(&body[k], 1);
      const std::size_t names = names_in(one, copy.target);
      here += names;
      if (names == 0 || k == at) continue;
      const auto* fresh = std::get_if<Allocate>(&body[k].form);
      if (k < at && fresh != nullptr && names == 1) continue;
      if (k < at || names != elements_in(one, copy)) return std::nullopt;
      last = k;
    }
    return here == all ? last : std::nullopt;
  }
  template <class Body>
  static std::size_t names_in(const Body& body, ViewId view) {
    std::size_t names = 0;
    each_name(
        body, [&](ViewId each) { names += each == view ? 1 : 0; }, [](VariableId) {});
    return names;
  }
  template <class Body>
  static std::size_t elements_in(const Body& body, const Nest& copy) {
    std::size_t elements = 0;
    each_in(
        body, [](const auto&) {},
        [&](const Expr& whole) {
          each_part(whole, [&](const Expr& e) {
            const bool element = e.kind == Expr::Kind::load && e.view == copy.target &&
                                 e.operands.size() == copy.indices.size() &&
                                 std::ranges::all_of(e.operands, [](const Expr& component) {
                                   return component.type.kind == Representation::Kind::scalar;
                                 });
            const bool length = e.kind == Expr::Kind::length && e.view == copy.target;
            elements += element || length ? 1 : 0;
          });
        });
    return elements;
  }

  // Is the array named by what may write it, or give its name to another one?
  static bool is_changed(const Statements& body, ViewId view, std::size_t first, std::size_t last) {
    for (std::size_t k = first; k <= last; ++k) {
      const std::span one(&body[k], 1);
      std::size_t reads = 0;
      each_in(
          one, [](const auto&) {},
          [&](const Expr& whole) {
            each_part(whole, [&](const Expr& e) {
              reads +=
                  (e.kind == Expr::Kind::load || e.kind == Expr::Kind::length) && e.view == view;
            });
          });
      if (names_in(one, view) > reads) return true;
    }
    return false;
  }

  void read_there(Statements& body, const Nest& copy) const {
    const std::vector<Expr>& extents = *block(copy.target).extents;
    each_in(
        body, [](const auto&) {},
        [&](Expr& whole) {
          each_part(whole, [&](Expr& e) {
            if (e.kind == Expr::Kind::length && e.view == copy.target) {
              e = extents[std::size_t(e.axis)];
            } else if (e.kind == Expr::Kind::load && e.view == copy.target) {
              e = element_at(copy, std::move(e));
            }
          });
        });
  }
  static Expr element_at(const Nest& copy, Expr load) {
    Expr made = copy.element;
    made.location = load.location;
    const std::vector<Expr> at = std::move(load.operands);
    for (Expr& component : made.operands) {
      each_part(component, [&](Expr& e) {
        if (e.kind != Expr::Kind::variable) return;
        const auto index = std::ranges::find(copy.indices, e.variable);
        if (index != copy.indices.end()) e = at[std::size_t(index - copy.indices.begin())];
      });
    }
    return made;
  }

  Function& function_;
  const std::size_t rank_;
};

}  // namespace

void forward_copies(Function& function, std::size_t rank) {
  Statements body = std::move(function.body);
  function.body = body;
  ForwardCopies(function, rank).walk(body);
  function.body = std::move(body);
}

}  // namespace rhopsi::onf
