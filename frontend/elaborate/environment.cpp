#include "frontend/elaborate/environment.hpp"

#include <utility>

namespace rhopsi::elaborate {

const Local* Environment::find(std::string_view name) const {
  auto found = by_name_.find(std::string(name));
  return found == by_name_.end() ? nullptr : &locals_[found->second];
}

const Local* Environment::find(term::SymbolId variable) const {
  for (const Local& local : locals_) {
    if (local.symbol == variable) return &local;
  }
  return nullptr;
}

void Environment::declare(Local local, bool assigned) {
  if (!assigned) unassigned_.insert(local.symbol);
  local.value_depth = value_depth_;
  by_name_[local.name] = locals_.size();
  locals_.push_back(std::move(local));
}

void Environment::open() { marks_.push_back(locals_.size()); }

void Environment::close() {
  while (locals_.size() > marks_.back()) {
    by_name_.erase(locals_.back().name);
    unassigned_.erase(locals_.back().symbol);
    locals_.pop_back();
  }
  marks_.pop_back();
}

void Environment::open_value() {
  open();
  ++value_depth_;
}

void Environment::close_value() {
  --value_depth_;
  close();
}

std::vector<std::string> Environment::names() const {
  std::vector<std::string> result;
  for (const Local& local : locals_) result.push_back(local.name);
  return result;
}

}  // namespace rhopsi::elaborate
