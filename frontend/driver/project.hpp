// A project to begin with.
#pragma once

#include <string>
#include <vector>

#include "frontend/driver/folder.hpp"

namespace rhopsi::driver {

// A specification with an operation of its own, a program in C++ that calls what is made of it, and
// how to build both. `name` is a lower-case identifier.
std::vector<TextFile> new_project(const std::string& name);

// May a project, a package and a C++ target be called so?
bool is_project_name(const std::string& name);

}  // namespace rhopsi::driver
