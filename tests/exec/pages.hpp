// A page of the documentation that is carried out from its beginning to its end, in a folder of its
// own. docs/README.md says how its blocks are written.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "frontend/driver/page_parts.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {

// What a page shows and what is so, compared line by line. In what is shown, a line of `...` stands
// for any lines, and ` ...` at the end of a line for the rest of it.
bool matches(const std::string& shown, const std::string& found);

// Installs what was built where the pages' commands find it.
void install();

class Page {
 public:
  // `name` is its path below the repository. Its folder is there from one run to the next, and is
  // made empty now, but for links to the folders of the repository that it may speak of.
  Page(std::string name, std::vector<std::string> links);

  // Every block in order; what is wrong is a failed expectation at its line. `update`: what the
  // page shows as output is replaced where it is wrong.
  void run(bool update);

 private:
  struct Block {
    const driver::PagePart* part;
    std::vector<std::string> words;  // of its info
  };

  void block(const Block& block);
  void write(const Block& block, bool added);
  void compare_with_file(const Block& block);
  void parse_fragment(const Block& block);
  void console(const Block& block);
  Outcome shell(const std::string& command);
  // With folders as they are on no machine: that of the page is `.`, the repository `...`.
  std::string placed(std::string text) const;

  std::string name_;
  std::string text_;
  std::vector<driver::PagePart> parts_;
  std::filesystem::path folder_;
  std::filesystem::path here_;  // where the last command has left the shell
  int last_exit_code_ = 0;
  bool update_ = false;
};

}  // namespace rhopsi::exec
