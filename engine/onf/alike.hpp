// Whether expressions, and the folds of nests, compute the same.
#pragma once

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// Is the one the other, but for where it is written? Linear.
bool is_same(const Expr& a, const Expr& b);

// The same of folds whose bodies are folds and constant names alone, whatever they call their
// indices and names. False of any other body. Linear.
bool is_same(const Fold& a, const Fold& b);

}  // namespace rhopsi::onf
