#include "backends/kokkos/emit/names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>

#include "engine/onf/print.hpp"

namespace rhopsi::kokkos {

namespace {

const std::set<std::string>& keywords() {
  static const std::set<std::string> words{
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
      "case", "catch", "char", "char8_t", "char16_t", "char32_t", "class", "compl", "concept",
      "const", "consteval", "constexpr", "constinit", "const_cast", "continue", "co_await",
      "co_return", "co_yield", "decltype", "default", "delete", "do", "double", "dynamic_cast",
      "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto",
      "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
      "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register",
      "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static",
      "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local",
      "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using",
      "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
      // macros and namespaces that emitted text meets
      "assert", "errno", "NULL", "EOF", "NAN", "INFINITY", "std", "rhopsi", "Kokkos", "main",
      "linux", "unix", "stdin", "stdout", "stderr", "alloca", "strdupa", "strndupa", "offsetof",
      "issubnormal", "math_errhandling", "assert_perror", "sched_priority", "sigmask", "sa_handler",
      "sa_sigaction", "sigev_notify_function", "sigev_notify_attributes", "L_tmpnam", "L_ctermid",
      "L_cuserid", "P_tmpdir"};
  return words;
}

// Has it the shape of a macro? Headers of C, of its systems and of Kokkos define thousands, and
// each compiler others: M_PI, INT64_MAX, SIGINT, M_PIf32, PRIu64, si_value. A single letter is
// none.
bool is_macro_shaped(const std::string& name) {
  const auto any_of = [&](std::initializer_list<std::string_view> beginnings) {
    return std::ranges::any_of(beginnings, [&](std::string_view b) { return name.starts_with(b); });
  };
  if (any_of({"M_", "PRI", "SCN", "si_", "htobe", "htole"})) return true;
  return name.size() > 1 && std::isupper(static_cast<unsigned char>(name[0])) != 0 &&
         std::ranges::all_of(name, [](unsigned char c) {
           return std::isupper(c) != 0 || std::isdigit(c) != 0 || c == '_';
         });
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 24> operators{
    {{"+", "add"},      {"-", "sub"},   {"*", "mul"},    {"/", "div"},    {"%", "mod"},
     {"<", "lt"},       {"<=", "le"},   {">", "gt"},     {">=", "ge"},    {"==", "eq"},
     {"!=", "ne"},      {"&&", "and"},  {"||", "or"},    {"!", "not"},    {"~", "invert"},
     {"<<", "shl"},     {">>", "shr"},  {"..", "range"}, {"===", "same"}, {"!==", "not_same"},
     {"=>", "implies"}, {"<=>", "iff"}, {"=", "assign"}, {"#", "hash"}}};

// `_+_` => binary_add, `-_` => unary_sub; nothing for what is no operator.
std::string operator_word(const std::string& name) {
  if (name.size() < 2 || name.back() != '_') return {};
  const bool binary = name.front() == '_' && name.size() > 2;
  const std::string middle = name.substr(binary ? 1 : 0, name.size() - (binary ? 2 : 1));
  for (const auto& [spelling, word] : operators) {
    if (middle == spelling) return (binary ? "binary_" : "unary_") + std::string(word);
  }
  return {};
}

// The code point at `at`, which is moved behind it; malformed bytes stand for themselves.
std::uint32_t next_code_point(const std::string& text, std::size_t& at) {
  const auto byte = static_cast<unsigned char>(text[at++]);
  const int more = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0;
  std::uint32_t code = more == 0 ? byte : byte & (0x3fU >> more);
  for (int k = 0; k < more && at < text.size(); ++k) {
    code = code << 6 | (static_cast<unsigned char>(text[at++]) & 0x3fU);
  }
  return code;
}

}  // namespace

std::string foreign_identifier(const std::string& name) {
  if (std::string word = operator_word(name); !word.empty()) return word;
  std::string made;
  for (std::size_t at = 0; at < name.size();) {
    const std::uint32_t code = next_code_point(name, at);
    if (code < 0x80 && (std::isalnum(static_cast<int>(code)) != 0)) {
      made += static_cast<char>(code);
    } else if (code == '_') {
      if (!made.empty() && made.back() == '_') made += 'x';  // `__` is reserved
      made += '_';
    } else {
      std::array<char, 16> buffer;
      std::snprintf(buffer.data(), buffer.size(), "u%x", static_cast<unsigned>(code));
      made += buffer.data();
    }
  }
  if (made.empty()) made = "unnamed";
  if (std::isdigit(static_cast<unsigned char>(made[0])) != 0) made.insert(0, 1, 'n');
  if (made[0] == '_') made.insert(0, 1, 'x');
  // What begins with rhopsi_ is the runtime's.
  if (keywords().contains(made) || made.starts_with("rhopsi_")) made += '_';
  return made;
}

std::string identifier(const std::string& name) {
  const std::string made = foreign_identifier(name);
  return made.back() != '_' && is_macro_shaped(made) ? made + '_' : made;
}

std::string joined_identifier(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) {
    if (!joined.empty() && joined.back() != '_') joined += '_';
    joined += foreign_identifier(word);
  }
  return identifier(joined);
}

std::string extended(const std::string& name, const std::string& word) {
  return name + (name.back() == '_' ? "" : "_") + word;
}

std::string NameTable::unique(const std::string& wanted) {
  std::string name = wanted;
  for (int k = 2; !taken_.insert(name).second; ++k) {
    name = extended(wanted, std::to_string(k));
  }
  return name;
}

std::string cpp_type(onf::Scalar scalar) {
  switch (scalar) {
    case onf::Scalar::boolean:
      return "bool";
    case onf::Scalar::int32:
      return "std::int32_t";
    case onf::Scalar::int64:
      return "std::int64_t";
    case onf::Scalar::float32:
      return "float";
    case onf::Scalar::float64:
      return "double";
  }
  return "void";
}

std::string cpp_type(const Names& names, const onf::Module& module,
                     const onf::Representation& type) {
  switch (type.kind) {
    case onf::Representation::Kind::scalar:
      return cpp_type(type.scalar);
    case onf::Representation::Kind::index:
      return "rhopsi::Index<" + std::to_string(module.rank) + ">";
    case onf::Representation::Kind::array:
      return "rhopsi::Field<" + cpp_type(type.scalar) + ", " + std::to_string(module.rank) + ">";
    case onf::Representation::Kind::opaque:
      for (std::size_t k = 0; k < module.types.size(); ++k) {
        if (module.types[k].name == type.opaque) return names.types[k];
      }
      return identifier(type.opaque);
  }
  return "void";
}

namespace {

// What C++ tells overloads apart by.
std::string signature(const onf::Function& function) {
  std::string text = identifier(function.name) + "(";
  for (const onf::Argument& argument : function.arguments) {
    text +=
        argument.view
            ? (function.device ? "ref " : "array ") +
                  onf::to_string(
                      function
                          .blocks[onf::number(function.views[onf::number(*argument.view)].block)]
                          .element)
            : onf::to_string(function.variables[onf::number(argument.variable)].type);
    text += ',';
  }
  return text;
}

}  // namespace

Names names_of(const onf::Module& module) {
  Names names;
  names.program = foreign_identifier(module.name);
  names.members.reserve(names.program);
  names.members.reserve("domain");
  names.members.reserve("self");
  for (const onf::External& external : module.externals) names.members.reserve(external.name);
  for (const onf::OpaqueType& type : module.types) {
    names.types.push_back(names.members.unique(identifier(type.name)));
  }
  for (const onf::Parameter& parameter : module.parameters) {
    names.parameters.push_back(names.members.unique(identifier(parameter.name)));
  }
  std::map<std::string, int> count;
  for (onf::FunctionId id : module.order) ++count[signature(module.functions[onf::number(id)])];
  const NameTable fixed = names.members;
  names.functions.resize(module.functions.size());
  std::set<std::string> overloaded;
  for (onf::FunctionId id : module.order) {
    const onf::Function& function = module.functions[onf::number(id)];
    const std::string plain = identifier(function.name);
    std::string& name = names.functions[onf::number(id)];
    if (count[signature(function)] == 1 && !fixed.contains(plain)) {
      name = plain;
      overloaded.insert(plain);
    }
  }
  for (const std::string& name : overloaded) names.members.reserve(name);
  for (onf::FunctionId id : module.order) {
    const onf::Function& function = module.functions[onf::number(id)];
    std::string& name = names.functions[onf::number(id)];
    if (!name.empty()) continue;
    std::vector<std::string> wanted{function.name};
    wanted.insert(wanted.end(), function.sorts.begin(), function.sorts.end());
    name = names.members.unique(joined_identifier(wanted));
  }
  return names;
}

}  // namespace rhopsi::kokkos
