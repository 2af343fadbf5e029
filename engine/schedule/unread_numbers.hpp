// Numbers that nobody reads. Internal to this folder.
#pragma once

#include "engine/onf/statement.hpp"

namespace rhopsi::schedule {

// Takes constants that nothing names out of the statements, loops and branches; not out of nests.
// What may fail stays. As often through the statements as constants are computed from one another.
void drop_unread_numbers(onf::Statements& body);

}  // namespace rhopsi::schedule
