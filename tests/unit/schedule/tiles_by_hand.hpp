// A pass in tiles over arrays of three axes, u that it may overwrite and w, which tests give
// stages.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {

class TilesByHand : public ::testing::Test {
 protected:
  TilesByHand() : form(3, 1) {
    u = form.argument("u", term::Mode::upd);
    w = form.argument("w", term::Mode::obs);
    form.function.refills = true;
    made.tiles = onf::CacheTile{16, {}};
  }
  onf::Pipeline::Stage stage(onf::ViewId target, onf::Expr element, std::int64_t lag = 0) {
    onf::Pipeline::Stage one;
    one.nest.binding = onf::Binding::rows;
    one.nest.indices = form.indices;
    one.nest.target = target;
    one.nest.element = std::move(element);
    one.lag = lag;
    return one;
  }
  // What the verifier says of it.
  std::vector<std::string> codes() {
    form.emit(made);
    return codes_of(form.finish());
  }
  FormBuilder form;
  onf::Pipeline made;
  onf::ViewId u, w;
};

}  // namespace rhopsi::schedule
