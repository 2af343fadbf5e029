#include <algorithm>
#include <string_view>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/print.hpp"

namespace rhopsi::kokkos {

using onf::Expr;
using onf::Representation;

namespace {

constexpr std::size_t width = 100;

// Where to break a line: a space outside strings, up to `limit`. Behind a comma or an operator
// in the later half of the line it is the one inside the fewest parentheses, else the last.
std::size_t break_before(const std::string& text, std::size_t limit) {
  constexpr std::size_t none = std::string::npos;
  std::size_t good = none;
  std::size_t any = none;
  int depth = 0;
  int depth_of_good = 0;
  bool quoted = false;
  for (std::size_t k = 1; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '"' && text[k - 1] != '\\') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    if (c != ' ') continue;
    if (k > limit && (good != none || any != none)) break;
    any = k;
    // A binary operator has a space on both sides; `T& x` has not.
    const bool operation =
        k > 2 && (text[k - 2] == ' ' || text[k - 2] == text[k - 1] || text[k - 1] == '=') &&
        std::string_view("+-*/=?:&|").find(text[k - 1]) != std::string_view::npos;
    if ((text[k - 1] != ',' && !operation) || 2 * k < limit) continue;
    if (good == none || depth <= depth_of_good) {
      good = k;
      depth_of_good = depth;
    }
  }
  return good != none ? good : any;
}

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + "\"";
}

}  // namespace

void Text::line(const std::string& text) {
  const bool comment = text.starts_with("// ");
  std::string rest = text;
  std::size_t indent = static_cast<std::size_t>(depth) * 2;
  for (bool first = true;; first = false) {
    const std::string lead =
        std::string(indent + (first || comment ? 0 : 4), ' ') + (!first && comment ? "// " : "");
    const std::size_t at = lead.size() + rest.size() > width
                               ? break_before(rest, width - lead.size())
                               : std::string::npos;
    const bool last = at == std::string::npos || at < 3 || at + 1 >= rest.size();
    text_ += lead + (last ? rest : rest.substr(0, at)) + '\n';
    if (last) return;
    rest.erase(0, at + 1);
  }
}

FunctionWriter::FunctionWriter(const term::Store& store, const onf::Module& module,
                               const Names& names, onf::FunctionId id, Text& out)
    : store_(store), module_(module), names_(names), id_(id), out_(&out), locals_(names.members) {
  // Indices of different nests may have one name.
  std::map<std::string, std::string> known;
  for (const onf::Variable& variable : function().variables) {
    auto [place, fresh] = known.try_emplace(variable.name);
    if (fresh) place->second = locals_.unique(identifier(variable.name));
    variables_.push_back(place->second);
  }
  for (const onf::View& view : function().views) {
    views_.push_back(locals_.unique(identifier(view.name)));
  }
}

std::string FunctionWriter::type_of(onf::ViewId view) const {
  const onf::Block& block =
      function().blocks[onf::number(function().views[onf::number(view)].block)];
  return type_of(Representation{Representation::Kind::array, block.element, {}});
}

std::string FunctionWriter::head() const {
  std::string parameters;
  for (const onf::Argument& a : function().arguments) {
    if (!parameters.empty()) parameters += ", ";
    const bool changes = a.mode != term::Mode::obs;
    if (!a.view) {
      const std::string type = type_of(function().variables[onf::number(a.variable)].type);
      const bool opaque =
          function().variables[onf::number(a.variable)].type.kind == Representation::Kind::opaque;
      parameters += changes ? type + "& " : opaque ? "const " + type + "& " : type + " ";
      parameters += name(a.variable);
      continue;
    }
    const onf::Block& block =
        function().blocks[onf::number(function().views[onf::number(*a.view)].block)];
    if (function().device) {
      parameters += "rhopsi::FieldRef<const " + cpp_type(block.element) + ", " +
                    std::to_string(module_.rank) + "> ";
    } else if (changes) {
      parameters += type_of(*a.view) + "& ";
    } else {
      // A procedure may change what it observes under another name: it keeps a copy, which
      // shares the block until then.
      parameters +=
          function().procedure ? type_of(*a.view) + " " : "const " + type_of(*a.view) + "& ";
    }
    parameters += name(*a.view);
  }
  const std::string result = function().result ? type_of(*function().result) : "void";
  return (function().device ? "KOKKOS_INLINE_FUNCTION " : "") + result + " " +
         names_.functions[onf::number(id_)] + "(" + parameters + ") const";
}

void FunctionWriter::write() {
  std::string title = function().name;
  if (const std::string where = onf::place(store_, function().location); !where.empty()) {
    title += ", " + where;
  }
  out_->line("// " + title);
  out_->open(head() + " {");
  statements(function().body);
  out_->close();
}

void FunctionWriter::comment(const std::string& what) {
  const std::string where = onf::place(store_, location_);
  if (what.empty() && where.empty()) return;
  out_->line("// " + (where.empty() ? what : where + (what.empty() ? "" : ": " + what)));
}

std::string FunctionWriter::label(const std::string& what) const {
  return quoted(function().name + ": " + what);
}

void FunctionWriter::statements(const onf::Statements& body) {
  for (const onf::Statement& statement : body) {
    location_ = statement.location;
    std::visit([this](const auto& form) { write(form); }, statement.form);
  }
}

void FunctionWriter::write(const onf::Declare& s) {
  out_->line(type_of(s.view) + " " + name(s.view) + ";");
}

void FunctionWriter::write(const onf::Allocate& s) {
  out_->line(type_of(s.view) + " " + name(s.view) + "(" + quoted(name(s.view)) + ", domain);");
}

namespace {

void declared_in(const onf::Statements& body, std::set<onf::VariableId>& found);

struct Declared {
  std::set<onf::VariableId>& found;
  void operator()(const onf::Let& s) const { found.insert(s.variable); }
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

void FunctionWriter::write(const onf::Nest& s) {
  const NameTable outer = locals_;
  const term::LocationId location = location_;
  const bool flat = s.binding == onf::Binding::flat;
  Kernel kernel;
  kernel.local.insert(s.indices.begin(), s.indices.end());
  declared_in(s.body, kernel.local);
  locals_.reserve(name(s.target) + "_at");
  // The body first: it tells what has to be captured.
  Text body;
  body.depth = out_->depth + 4;  // inside the block and the lambda
  Text* out = std::exchange(out_, &body);
  kernel_ = &kernel;
  kernel_body(s);
  kernel_ = nullptr;
  out_ = out;
  location_ = location;

  comment(std::string(flat ? "all elements in one parallel loop" : "one loop per axis") +
          (s.padded ? "; the pads are left stale" : ""));
  out_->open("{");
  for (const auto& [view, captured] : kernel.reads) {
    out_->line("const auto " + captured + " = " + name(view) + ".read();");
  }
  out_->line("const auto " + name(s.target) + "_at = " + name(s.target) + ".overwrite();");
  if (kernel.uses_self) out_->line("const auto self = *this;");
  for (const std::string& line : kernel.lines) out_->line(line);
  std::string indices;
  for (onf::VariableId index : s.indices) {
    if (!indices.empty()) indices += ", ";
    indices += flat ? "const rhopsi::Index<" + std::to_string(module_.rank) + ">& " + name(index)
                    : "const std::int64_t " + name(index);
  }
  out_->line(std::string("rhopsi::for_each_") + (flat ? "flat(" : "nested(") + quoted(s.label) +
             ", domain,");
  out_->line("    KOKKOS_LAMBDA(" + indices + ") {");
  out_->raw(body.str());
  out_->line("    });");
  out_->close();
  locals_ = outer;
}

void FunctionWriter::write(const onf::Whole& s) {
  std::string function;
  if (s.pointwise) {
    std::string called = onf::name_of(s.function);
    if (called == "and" || called == "or" || called == "not") called += '_';
    if (called == "convert") {
      const onf::View& view = this->function().views[onf::number(s.target)];
      called += "<" + cpp_type(this->function().blocks[onf::number(view.block)].element) + ">";
    }
    function = "rhopsi::pointwise<rhopsi::function::" + called + ">";
  } else {
    function = "rhopsi::" + s.spelling;
  }
  const std::string what = s.pointwise ? onf::name_of(s.function) : s.spelling;
  std::string called = label(name(s.target) + " = " + what + "(...)");
  if (const std::string where = onf::place(store_, location_); !where.empty()) {
    called = "RHOPSI_LABEL(" + called + ", " + quoted(where) + ")";
  }
  out_->line(type_of(s.target) + " " + name(s.target) + " = " + function + "(" + called +
             ", domain, " + arguments(s.operands) + ");");
}

void FunctionWriter::write(const onf::Mutate& s) {
  comment(s.refills ? "pads, axis after axis" : "");
  out_->line("rhopsi::" + s.spelling + "(" + label(s.spelling) + ", domain, " +
             arguments(s.operands) + ");");
}

void FunctionWriter::write(const onf::Refill& s) {
  out_->line("rhopsi::refill_padding(" + label("pads of " + name(s.view)) + ", domain, " +
             name(s.view) + ");");
}

void FunctionWriter::write(const onf::Share& s) {
  if (s.target == s.source) return;
  comment("");
  const std::string source = s.last_use ? "std::move(" + name(s.source) + ")" : name(s.source);
  out_->line((s.declares ? type_of(s.target) + " " : "") + name(s.target) + " = " + source + ";");
}

void FunctionWriter::write(const onf::Call& s) {
  comment("");
  out_->line((s.target ? type_of(*s.target) + " " + name(*s.target) + " = " : "") +
             expression(s.call) + ";");
}

void FunctionWriter::write(const onf::Let& s) {
  const std::string type = type_of(function().variables[onf::number(s.variable)].type);
  if (!s.value) {
    out_->line(type + " " + name(s.variable) + "{};");
    return;
  }
  const std::string value = expression(*s.value);
  out_->line((s.constant ? "const " : "") + type + " " + name(s.variable) + " = " + value + ";");
}

void FunctionWriter::write(const onf::Assign& s) {
  const std::string value = expression(s.value);
  out_->line(name(s.variable) + " = " + value + ";");
}

std::string FunctionWriter::combined(const onf::Fold& s, const std::string& left,
                                     const std::string& right) {
  const auto called = [&](const std::string& name) {
    return name + "(" + left + ", " + right + ")";
  };
  if (!s.function) {
    if (kernel_ != nullptr) kernel_->uses_self = true;
    return called((kernel_ != nullptr ? "self." : "") + names_.functions[onf::number(s.callee)]);
  }
  std::string function = onf::name_of(*s.function);
  if (function == "and" || function == "or") function += '_';
  return called("rhopsi::" + function);
}

namespace {

// The value of a fold over nothing.
std::string unit_of(const onf::Fold& s, const std::string& type) {
  if (!s.function) return type + "{}";
  const std::string limits = "std::numeric_limits<" + type + ">::";
  const bool real = type == "float" || type == "double";
  switch (*s.function) {
    case onf::ScalarFunction::multiply:
      return type + "(1)";
    case onf::ScalarFunction::and_:
      return "true";
    case onf::ScalarFunction::minimum:
      return limits + (real ? "infinity()" : "max()");
    case onf::ScalarFunction::maximum:
      return (real ? "-" : "") + limits + (real ? "infinity()" : "lowest()");
    default:
      return type + "{}";
  }
}

}  // namespace

// From the first element on, so that the operations are those of the fold and no more.
void FunctionWriter::write(const onf::Fold& s) {
  const std::string type = type_of(function().variables[onf::number(s.variable)].type);
  const std::string& result = name(s.variable);
  const std::string& index = name(s.index);
  out_->line(type + " " + result + " = " + unit_of(s, type) + ";");
  const std::string count = expression(s.count, 6);
  out_->open("for (std::int64_t " + index + " = 0; " + index + " < " + count + "; ++" + index +
             ") {");
  statements(s.body);
  const std::string term = locals_.unique("term");
  const std::string element = expression(s.element);
  out_->line("const " + type + " " + term + " = " + element + ";");
  out_->line(result + " = " + index + " == 0 ? " + term + " : " + combined(s, result, term) + ";");
  out_->close();
}

void FunctionWriter::write(const onf::If& s) {
  const std::string condition = expression(s.condition);
  if (kernel_ != nullptr) ++kernel_->branches;
  out_->open("if (" + condition + ") {");
  statements(s.then);
  if (!s.otherwise.empty()) {
    --out_->depth;
    out_->open("} else {");
    statements(s.otherwise);
  }
  out_->close();
  if (kernel_ != nullptr) --kernel_->branches;
}

void FunctionWriter::write(const onf::For& s) {
  const std::string& index = name(s.index);
  const std::string low = expression(s.low);
  const std::string high = expression(s.high, 6);
  out_->open("for (std::int64_t " + index + " = " + low + "; " + index + " < " + high + "; ++" +
             index + ") {");
  statements(s.body);
  out_->close();
}

void FunctionWriter::write(const onf::Iterate& s) {
  const std::string round = locals_.unique("round");
  const std::string count = expression(s.count, 6);
  out_->open("for (std::int64_t " + round + " = 0; " + round + " < " + count + "; ++" + round +
             ") {");
  statements(s.body);
  out_->close();
}

// The bound is evaluated once; reaching it ends the loop as a false condition does.
void FunctionWriter::write(const onf::While& s) {
  const std::string round = locals_.unique("round");
  const std::string bound = locals_.unique("bound");
  out_->line("const std::int64_t " + bound + " = " + expression(s.bound) + ";");
  out_->open("for (std::int64_t " + round + " = 0; " + round + " < " + bound + "; ++" + round +
             ") {");
  statements(s.before);
  out_->line("if (!" + expression(s.condition, 9) + ") break;");
  statements(s.body);
  out_->close();
}

// In a kernel, what follows is evaluated only where the condition holds: nothing that may trap
// moves before the loop.
void FunctionWriter::write(const onf::Check& s) {
  const std::string condition = expression(s.condition, 9);
  out_->open("if (!" + condition + ") {");
  const bool device = function().device || kernel_ != nullptr;
  const std::string what = quoted(s.message + " does not hold");
  const std::string code = quoted(s.code);
  out_->line(device ? "rhopsi::unmet(" + code + ", " + what + ");"
                    : "throw rhopsi::Error(" + what + ", " + code + ");");
  out_->close();
  if (kernel_ != nullptr) ++kernel_->branches;
}

void FunctionWriter::write(const onf::Return& s) {
  if (!s.value) {
    out_->line("return;");
    return;
  }
  const std::string value = expression(*s.value);
  out_->line("return " + value + ";");
}

void FunctionWriter::write(const onf::Scope& s) {
  out_->open("{");
  statements(s.body);
  out_->close();
}

}  // namespace rhopsi::kokkos
