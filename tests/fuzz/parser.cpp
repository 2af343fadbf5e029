#include <memory>
#include <stdexcept>

#include "frontend/syntax/format.hpp"
#include "frontend/syntax/parse.hpp"
#include "frontend/syntax/print.hpp"
#include "tests/fuzz/targets.hpp"

namespace rhopsi::fuzz {
namespace {

struct Read {
  std::optional<syntax::Package> package;
  syntax::Diagnostics diagnostics;
  bool is_clean() const { return package && !diagnostics.has_errors(); }
};

Read read_package_text(std::string text) {
  Read read;
  const auto file = std::make_shared<const syntax::SourceFile>("fuzz.mg", std::move(text));
  read.package = syntax::parse_package(file, read.diagnostics);
  for (const syntax::Diagnostic& each : read.diagnostics.all()) (void)syntax::render(each, true);
  (void)syntax::render_json(read.diagnostics);
  return read;
}

void expect_same(const syntax::Package& package, const std::string& text, const char* what) {
  const Read again = read_package_text(text);
  if (!again.is_clean()) throw std::logic_error(std::string(what) + " cannot be read:\n" + text);
  if (!syntax::equal(package, *again.package)) {
    throw std::logic_error(std::string(what) + " is another one:\n" + text);
  }
}

}  // namespace

void parser(std::string_view bytes) {
  const std::string text(bytes);
  const Read read = read_package_text(text);
  if (!read.is_clean()) return;
  expect_same(*read.package, syntax::print(*read.package), "the printed package");
  const std::string laid_out = syntax::format(text);
  expect_same(*read.package, laid_out, "the package in its layout");
  if (syntax::comments_of(laid_out) != syntax::comments_of(text)) {
    throw std::logic_error("the layout changes comments:\n" + laid_out);
  }
  if (syntax::format(laid_out) != laid_out) {
    throw std::logic_error("the layout has another layout:\n" + laid_out);
  }
}

}  // namespace rhopsi::fuzz
