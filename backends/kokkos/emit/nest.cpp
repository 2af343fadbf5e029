// Nests: loops whose bodies are compiled for the device.
#include <algorithm>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/print.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

namespace {

void declared_in(const onf::Statements& body, std::set<onf::VariableId>& found);

struct Declared {
  std::set<onf::VariableId>& found;
  void operator()(const onf::Let& s) const { found.insert(s.variable); }
  void operator()(const onf::Lazy& s) const {
    found.insert(s.variable);
    declared_in(s.body, found);
  }
  void operator()(const onf::Fold& s) const {
    found.insert({s.variable, s.index});
    declared_in(s.body, found);
  }
  void operator()(const onf::For& s) const {
    found.insert(s.index);
    declared_in(s.body, found);
  }
  void operator()(const onf::If& s) const {
    declared_in(s.then, found);
    declared_in(s.otherwise, found);
  }
  void operator()(const onf::While& s) const {
    declared_in(s.before, found);
    declared_in(s.body, found);
  }
  void operator()(const onf::Iterate& s) const { declared_in(s.body, found); }
  void operator()(const onf::Scope& s) const { declared_in(s.body, found); }
  template <class Other>
  void operator()(const Other&) const {}
};

void declared_in(const onf::Statements& body, std::set<onf::VariableId>& found) {
  for (const onf::Statement& statement : body) std::visit(Declared{found}, statement.form);
}

}  // namespace

void FunctionWriter::kernel_body(const onf::Nest& s) {
  const std::string where =
      onf::place(store_, s.element.location == term::LocationId{} ? location_ : s.element.location);
  if (!where.empty()) out_->line("RHOPSI_SITE(" + quoted(where) + ");");
  statements(s.body);
  std::string at;
  for (onf::VariableId index : s.indices) at += (at.empty() ? "" : ", ") + name(index);
  const std::string value = expression(s.element);
  out_->line(name(s.target) + "_at(" + at + ") = " + value + ";");
}

// The number of a fault, by which the kernel names its message.
std::size_t FunctionWriter::fault(const onf::Check& check) {
  const std::string text = "{" + quoted(check.code) + ", " + quoted(check.message) + "}";
  std::vector<std::string>& known = kernel_->faults;
  const auto found = std::ranges::find(known, text);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  known.push_back(text);
  return known.size() - 1;
}

// What comes before `f` in for_each_...(label, where, f).
std::string FunctionWriter::loop_head(const onf::Nest& s) {
  if (!s.box) {
    const char* loop = s.binding == onf::Binding::flat ? "flat(" : "nested(";
    return std::string("rhopsi::for_each_") + loop + quoted(s.label) + ", domain,";
  }
  std::string low, high;
  for (const onf::Interval& interval : *s.box) {
    low += (low.empty() ? "" : ", ") + expression(interval.low);
    high += (high.empty() ? "" : ", ") + expression(interval.high);
  }
  const std::string ends = s.box->empty() ? "{}" : "{{" + low + "}, {" + high + "}}";
  return "rhopsi::for_each_box(" + quoted(s.label) + ", rhopsi::Box<" +
         std::to_string(s.box->size()) + ">" + ends + ",";
}

void FunctionWriter::write(const onf::Nest& s) {
  const NameTable outer = locals_;
  const term::LocationId location = location_;
  const bool flat = s.binding == onf::Binding::flat;
  Kernel kernel;
  kernel.boxed = s.box.has_value();
  kernel.local.insert(s.indices.begin(), s.indices.end());
  declared_in(s.body, kernel.local);
  locals_.reserve(name(s.target) + "_at");
  const std::string head = loop_head(s);
  // The body first: it tells what has to be captured.
  Text body;
  body.depth = out_->depth + 4;  // inside the block and the lambda
  Text* out = std::exchange(out_, &body);
  kernel_ = &kernel;
  kernel_body(s);
  kernel_ = nullptr;
  out_ = out;
  location_ = location;

  comment(s.box ? ""
                : std::string(flat ? "all elements in one parallel loop" : "one loop per axis") +
                      (s.padded ? "; the pads are left stale" : ""));
  out_->open("{");
  for (const auto& [view, captured] : kernel.reads) {
    out_->line("const auto " + captured + " = " + name(view) + ".read();");
  }
  // Of a box the other elements keep their values.
  out_->line("const auto " + name(s.target) + "_at = " + name(s.target) +
             (s.box ? ".write();" : ".overwrite();"));
  if (kernel.uses_self) out_->line("const auto self = *this;");
  for (const std::string& line : kernel.lines) out_->line(line);
  if (!kernel.faults.empty()) {
    out_->line("const rhopsi::Faults faults;");
    out_->line("const rhopsi::FaultRef fault = faults.ref();");
  }
  std::string indices;
  for (onf::VariableId index : s.indices) {
    if (!indices.empty()) indices += ", ";
    indices += flat ? "const rhopsi::Index<" + std::to_string(module_.rank) + ">& " + name(index)
                    : "const std::int64_t " + name(index);
  }
  out_->line(head);
  out_->line("    KOKKOS_LAMBDA(" + indices + ") {");
  out_->raw(body.str());
  out_->line("    });");
  if (!kernel.faults.empty()) {
    std::string messages;
    for (const std::string& message : kernel.faults) {
      messages += (messages.empty() ? "" : ", ") + message;
    }
    out_->line("faults.test({" + messages + "});");
  }
  out_->close();
  locals_ = outer;
}

}  // namespace rhopsi::kokkos
