// Reading texts in tests.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "frontend/syntax/parse.hpp"
#include "frontend/syntax/print.hpp"

namespace rhopsi::syntax::testing {

struct Reading {
  std::shared_ptr<const SourceFile> file;
  Diagnostics diagnostics;
  std::optional<Package> package;
  ExprPtr expression;

  std::string rendered() const {
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) out += render(d);
    return out;
  }
  std::string codes() const {
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) out += (out.empty() ? "" : " ") + d.code;
    return out;
  }
};

inline Reading read_package(std::string text) {
  Reading reading;
  reading.file = std::make_shared<SourceFile>("test.mg", std::move(text));
  reading.package = parse_package(reading.file, reading.diagnostics);
  return reading;
}

inline Reading read_expression(std::string text) {
  Reading reading;
  reading.file = std::make_shared<SourceFile>("test.mg", std::move(text));
  reading.expression = parse_expression(reading.file, reading.diagnostics);
  return reading;
}

// The tree with every structure visible: operators as calls, forms in brackets.
std::string shape(const Expr& expression);

// The shape of `text`, or its errors.
inline std::string shape_of(const std::string& text) {
  const Reading reading = read_expression(text);
  if (!reading.expression) return "error " + reading.codes();
  return shape(*reading.expression);
}

// The only statement of a block that holds `text;`.
inline std::string statement_of(const std::string& text) {
  const Reading reading = read_expression("{ " + text + "; }");
  if (!reading.expression) return "error " + reading.codes();
  const Block& block = std::get<Block>(reading.expression->node);
  return block.statements.size() == 1 ? shape(*block.statements[0]) : "several statements";
}

}  // namespace rhopsi::syntax::testing
