#include "engine/schedule/own_copies.hpp"

#include <utility>

#include "engine/onf/make_expression.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/own_variables.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Nest;
using onf::Statement;
using onf::Statements;
using onf::ViewId;

namespace {

class Copying {
 public:
  Copying(OwnWork& work, const OwnCopies& copies) : work_(work), copies_(copies) {}

  void run(Statements& list) {
    for (std::size_t at = 0; at < list.size(); ++at) {
      const auto* const share = std::get_if<onf::Share>(&list[at].form);
      if (share == nullptr || !share->declares) continue;
      const auto found = copies_.find(share->target);
      if (found == copies_.end()) continue;
      const ViewId from = share->source;
      work_.record("in_place", share->target, "in the block of " + work_.name(from), "a copy of it",
                   {"rounds behind it change parts of the one, and the other one is needed", true,
                    "live ranges"});
      Statement nest{copy(found->second, share->target, from), list[at].location};
      list[at].form = onf::Allocate{found->first};
      list.insert(list.begin() + std::ptrdiff_t(at) + 1, std::move(nest));
      ++made;
    }
  }
  std::size_t made = 0;

 private:
  Nest copy(const OwnCopy& like, ViewId target, ViewId from) {
    Nest made;
    made.label = work_.function.name + ": " + work_.name(target);
    made.binding = onf::Binding::nested;
    made.indices = like.indices;
    made.target = target;
    made.box.emplace();
    for (const Expr& extent : *block_of(work_.function, target).extents)
      made.box->push_back({onf::integer(0), extent});
    made.element = like.element;
    made.element.view = from;
    add_step(made.made_by, "in_place");
    return with_own_variables(work_.function, made);
  }

  OwnWork& work_;
  const OwnCopies& copies_;
};

}  // namespace

bool copy_own(OwnWork& work, const OwnCopies& copies) {
  Copying copying(work, copies);
  if (!copies.empty()) each_list(work.function.body, [&](Statements& list) { copying.run(list); });
  return copying.made > 0;
}

}  // namespace rhopsi::schedule
