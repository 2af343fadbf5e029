// From a term's place to a span that diagnostics can show.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "engine/term/store.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

// Reads each file once. A place whose file can no longer be read gives an empty span.
class Places {
 public:
  syntax::Span span(const term::Location& location);
  // A text that is in no file, under the path that locations name it by.
  void add(std::shared_ptr<const syntax::SourceFile> text);

 private:
  std::map<std::string, std::shared_ptr<const syntax::SourceFile>> files_;
};

}  // namespace rhopsi::driver
