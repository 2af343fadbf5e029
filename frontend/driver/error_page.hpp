// What a code of a diagnostic means, shown by what is wrong and what is right: a file of
// docs/errors for each code, which the command carries in itself.
//
//   # E0202: no operation of that name is declared
//
//   Why, in paragraphs.
//
//   ## Wrong              files, each a block between ``` that names it, and commands behind `    $
//   `
//   ## Prints             a block: what the last command says, as docs/README.md shows output
//   ## Right              what to do; the files that differ, and the last command if that does
//   ## No example         in place of these: why there is none
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

struct ErrorPage {
  struct File {
    std::string name;
    std::string text;
    bool escaped = false;  // \xHH is a byte, \repeat{N}{...} is N times what it holds
  };
  struct Program {
    std::string text;
    std::vector<File> files;
    std::vector<std::string> commands;  // "rhopsi check a.mg", perhaps behind NAME=VALUE
  };
  std::string code;
  std::string meaning;
  std::string why;
  Program wrong;
  std::string prints;
  Program right;
  std::string no_example;  // the reason; empty where there is one
};

// Every page, by code.
const std::vector<ErrorPage>& error_pages();

// Nothing if the text is no page.
std::optional<ErrorPage> read_error_page(const std::string& text);

// The page of a code, which may lack its E, its leading zero, or capitals (E0856).
const ErrorPage* find_error_page(const std::string& code, syntax::Diagnostics& diagnostics);

std::string to_string(const ErrorPage& page);
std::string to_json(const std::vector<ErrorPage>& pages);

}  // namespace rhopsi::driver
