#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/primitives/block_sorts.hpp"
#include "backends/primitives/matching.hpp"
#include "backends/primitives/messages.hpp"
#include "backends/primitives/primitives.hpp"
#include "backends/primitives/rows.hpp"

namespace rhopsi::primitives {

using onf::Primitive;
using onf::Representation;
using onf::Scalar;
using onf::ScalarFunction;
using term::Arithmetic;
using term::ExternalBlock;
using term::SortId;
using term::Store;
using term::Symbol;
using term::SymbolId;
using term::SymbolKind;

namespace {

constexpr std::string_view backend_name = "Kokkos";

bool is_schedule(Path path) {
  return path == Path::schedule_flat || path == Path::schedule_nested ||
         path == Path::schedule_padded;
}

bool is_real(Scalar scalar) { return scalar == Scalar::float32 || scalar == Scalar::float64; }

// Once an operation is resolved, representations stand for its sorts. `number` is that of the
// block's Number.
bool representation_fits(char letter, const Representation& r,
                         const std::optional<Representation>& number) {
  using Kind = Representation::Kind;
  const bool scalar = r.kind == Kind::scalar;
  switch (letter) {
    case 'T':
      return scalar && r.scalar != Scalar::boolean;
    case 'R':
      return scalar && is_real(r.scalar);
    case 'S':
    case 'D':
    case 'E':
    case 'V':
      return scalar;
    case 'M':
      return r == number;
    case 'B':
    case 'P':
      return scalar && r.scalar == Scalar::boolean;
    case 'I':
      return r.kind == Kind::index;
    case 'A':
    case 'u':
      return r.kind == Kind::array;
    case 'Z':
      return true;
    default:
      return scalar && r.scalar == Scalar::int64;
  }
}

bool resolves(const OperationRow& row, const std::vector<Representation>& arguments,
              const std::optional<Representation>& result,
              const std::optional<Representation>& number) {
  std::optional<Scalar> same;
  std::optional<Scalar> element;
  const auto fits = [&](char letter, std::size_t position) {
    const Representation& r = position == arguments.size() ? *result : arguments[position];
    if (!representation_fits(letter, r, number)) return false;
    std::optional<Scalar>& bound = letter == 'T' || letter == 'R' ? same : element;
    const bool binds = letter == 'T' || letter == 'R' || letter == 'A' || letter == 'E';
    if (!binds || row.kind == Primitive::Kind::schedule) return true;
    if (!bound) bound = r.scalar;
    return *bound == r.scalar;
  };
  if (misfit(row.pattern, {arguments.size(), result.has_value(), fits})) return false;
  return !row.reals_only || !element || is_real(*element);
}

Primitive instantiate(const OperationRow& row, int axis) {
  Primitive primitive{};
  primitive.kind = row.kind;
  primitive.function = row.function;
  primitive.spelling = row.spelling;
  primitive.axis = axis;
  if (const std::size_t at = row.pattern.find('X');
      row.kind == onf::Primitive::Kind::whole_array && at != row.pattern.npos) {
    primitive.axis_argument = at;
  }
  primitive.padded = row.path == Path::schedule_padded || row.spelling == "shift_index";
  primitive.refills = row.path == Path::padding;
  primitive.nested = row.path == Path::schedule_nested || row.path == Path::schedule_padded;
  return primitive;
}

class Table final : public onf::PrimitiveTable {
 public:
  Table(Scalar real, Numbers numbers) : real_(real), numbers_(numbers) {}

  bool closed(const std::string& backend) const override { return backend == backend_name; }

  bool has_path(const std::string& backend, const std::string& path) const override {
    return !closed(backend) || find_path(path).has_value();
  }

  std::vector<std::string> paths(const std::string& backend) const override {
    std::vector<std::string> names;
    if (!closed(backend)) return names;
    for (const PathRow& row : path_rows()) {
      names.emplace_back(row.name);
      if (row.prefix) names.push_back(std::string(row.name) + ".*");
    }
    return names;
  }

  std::optional<std::string> problem_with_type(const ExternalBlock& block,
                                               const std::string& original) const override;
  std::optional<std::string> problem_with_operation(const Store& store, const ExternalBlock& block,
                                                    const std::string& original,
                                                    SymbolId symbol) const override;
  Arithmetic arithmetic(const Store& store, const term::ExternalBinding& binding,
                        SymbolId symbol) const override;
  term::ArrayFunction array_function(const Store& store, const term::ExternalBinding& binding,
                                     SymbolId symbol) const override;
  bool is_found_width(const term::ExternalBinding& binding) const override {
    return closed(binding.block->backend) && find_path(binding.block->path) == Path::padding_auto;
  }
  bool lets_reassociate(const term::ExternalBinding& binding) const override {
    return closed(binding.block->backend) && find_path(binding.block->path) == Path::reassociation;
  }
  std::optional<Representation> representation(const ExternalBlock& block,
                                               const std::string& original) const override;
  std::optional<Primitive> primitive(const ExternalBlock& block, const std::string& original,
                                     const std::vector<Representation>& arguments,
                                     const std::optional<Representation>& result) const override;

 private:
  std::optional<std::string> problem_with_required(const Store& store, const ExternalBlock& block,
                                                   Path path, const std::string& original,
                                                   const Symbol& symbol) const;
  std::optional<std::string> missing_requirement(const ExternalBlock& block, Path path) const;

  Scalar real_;
  Numbers numbers_;
};

std::string unknown_path(const ExternalBlock& block) {
  return fmt::format("{} is no path of the backend.", quoted_path(block));
}

std::optional<std::string> Table::problem_with_type(const ExternalBlock& block,
                                                    const std::string& original) const {
  if (!closed(block.backend)) return std::nullopt;
  const std::optional<Path> path = find_path(block.path);
  if (!path) return unknown_path(block);
  const auto declared = std::ranges::find(block.types, original, &ExternalBlock::Type::original);
  if (declared != block.types.end() && declared->required) return std::nullopt;
  const TypeRow* row = find_type_row(original);
  if (row != nullptr && row->path == *path) return std::nullopt;
  // The members of a variadic parameter: types that the program brings along.
  if (is_schedule(*path) && original == "T") return std::nullopt;
  if (*path == Path::array && (original == "E" || row != nullptr)) {
    return fmt::format(
        "{} provides the type Array; {} comes from elsewhere: write "
        "`require type {};`.",
        quoted_path(block), original, original);
  }
  const std::string offered = offered_types(*path);
  if (offered.empty()) {
    return fmt::format(
        "{} provides no types; where `{}` comes from elsewhere, write "
        "`require type {};`.",
        quoted_path(block), original, original);
  }
  return fmt::format("{} provides no type `{}`; it provides {}.", quoted_path(block), original,
                     offered);
}

// The forms of an operation. Those on Number are left out of a block that has no Number, where
// there are others.
std::vector<const OperationRow*> forms_of(Path path, const ExternalBlock& block,
                                          std::string_view name) {
  std::vector<const OperationRow*> forms = rows_of(path);
  std::erase_if(forms, [&](const OperationRow* row) { return !match_name(row->name, name); });
  const auto on_number = [](const OperationRow* row) {
    return row->pattern.find('M') != row->pattern.npos;
  };
  if (!block.type("Number") && !std::ranges::all_of(forms, on_number)) {
    std::erase_if(forms, on_number);
  }
  return forms;
}

std::optional<std::string> Table::problem_with_operation(const Store& store,
                                                         const ExternalBlock& block,
                                                         const std::string& original,
                                                         SymbolId id) const {
  if (!closed(block.backend)) return std::nullopt;
  const std::optional<Path> path = find_path(block.path);
  if (!path) return unknown_path(block);
  const Symbol& symbol = store[id];
  const bool required = std::ranges::any_of(block.operations, [&](const auto& operation) {
    return operation.symbol == id && operation.original == original && operation.required;
  });
  if (required) return problem_with_required(store, block, *path, original, symbol);

  std::vector<std::string> forms;
  std::string reason;
  std::string explanation;
  for (const OperationRow* row : forms_of(*path, block, original)) {
    std::optional<SortId> same;
    const auto problem = misfit(row->pattern, subject_of(store, block, symbol, same));
    if (!problem) return missing_requirement(block, *path);
    forms.push_back(row->name == "*" ? "nullary functions of a scalar type" : form_text(*row));
    reason = misfit_text(store, symbol, *problem);
    explanation += legend(row->pattern);
  }
  if (forms.empty()) {
    return fmt::format("{} provides no operation `{}`; it provides {}.", quoted_path(block),
                       original, offered_operations(*path));
  }
  return fmt::format("{} does not fit what {} provides, which is {}{}{}.",
                     symbol_text(store, original, symbol), quoted_path(block),
                     fmt::join(forms, " and "), explanation,
                     forms.size() == 1 ? ": " + reason : "");
}

// Does `element` take the schedule's arguments and then an index?
bool is_element_of(const ExternalBlock& block, const Symbol& schedule, const Symbol& element) {
  const auto& own = schedule.parameters;
  const auto& its = element.parameters;
  if (its.size() <= own.size() || !std::equal(own.begin(), own.end(), its.begin())) return false;
  if (its.size() == own.size() + 1 && has_name(block, its.back(), "Index")) return true;
  return std::all_of(its.begin() + static_cast<std::ptrdiff_t>(own.size()), its.end(),
                     [&](SortId sort) { return has_name(block, sort, "ScalarIndex"); });
}

std::optional<std::string> Table::problem_with_required(const Store& store,
                                                        const ExternalBlock& block, Path path,
                                                        const std::string& original,
                                                        const Symbol& symbol) const {
  if (is_schedule(path) && original == "element") {
    const bool indexed =
        !symbol.parameters.empty() && (has_name(block, symbol.parameters.back(), "Index") ||
                                       has_name(block, symbol.parameters.back(), "ScalarIndex"));
    if (indexed && symbol.kind == SymbolKind::function) return std::nullopt;
    return fmt::format(
        "{} requires `function element(xs: T..., ix: Index): E` or the same with "
        "ScalarIndex components; {} does not end in an index.",
        quoted_path(block), symbol_text(store, original, symbol));
  }
  if ((path == Path::schedule_padded || path == Path::padding) && original == "padding") {
    if (symbol.kind == SymbolKind::function && symbol.parameters.empty()) return std::nullopt;
    return fmt::format("{} requires `function padding(): Offset`, a constant; {} is none.",
                       quoted_path(block), symbol_text(store, original, symbol));
  }
  return fmt::format("{} has no use for a required operation `{}`.", quoted_path(block), original);
}

// Whether `element` takes the same arguments is seen when it is called: instances of
// variadic declarations may reach the block one after the other.
std::optional<std::string> Table::missing_requirement(const ExternalBlock& block, Path path) const {
  if (is_schedule(path) && !block.operation("element", true)) {
    return fmt::format(
        "{} requires `function element(xs: T..., ix: Index): E` or the same with "
        "ScalarIndex components.",
        quoted_path(block));
  }
  if ((path == Path::schedule_padded || path == Path::padding) &&
      !block.operation("padding", true)) {
    return fmt::format("{} requires `function padding(): Offset`, a constant.", quoted_path(block));
  }
  return std::nullopt;
}

Arithmetic arithmetic_of(ScalarFunction function) {
  switch (function) {
    case ScalarFunction::add:
      return Arithmetic::add;
    case ScalarFunction::subtract:
      return Arithmetic::subtract;
    case ScalarFunction::multiply:
      return Arithmetic::multiply;
    case ScalarFunction::divide:
      return Arithmetic::divide;
    case ScalarFunction::modulo:
      return Arithmetic::modulo;
    case ScalarFunction::negate:
      return Arithmetic::negate;
    case ScalarFunction::minimum:
      return Arithmetic::minimum;
    case ScalarFunction::maximum:
      return Arithmetic::maximum;
    case ScalarFunction::absolute:
      return Arithmetic::absolute;
    case ScalarFunction::less:
      return Arithmetic::less;
    case ScalarFunction::less_equal:
      return Arithmetic::less_equal;
    case ScalarFunction::greater:
      return Arithmetic::greater;
    case ScalarFunction::greater_equal:
      return Arithmetic::greater_equal;
    case ScalarFunction::equal:
      return Arithmetic::equal;
    case ScalarFunction::not_equal:
      return Arithmetic::not_equal;
    case ScalarFunction::and_:
      return Arithmetic::and_;
    case ScalarFunction::or_:
      return Arithmetic::or_;
    case ScalarFunction::not_:
      return Arithmetic::not_;
    default:
      return Arithmetic::none;
  }
}

bool all_integers(const ExternalBlock& block, const Symbol& symbol) {
  return std::ranges::all_of(symbol.parameters, [&](SortId sort) {
    return has_name(block, sort, "Int") || has_name(block, sort, "Int32") ||
           sort_is_index_scalar(block, sort);
  });
}

// The same function on reals.
Arithmetic real_arithmetic_of(ScalarFunction function, const Symbol& symbol) {
  const bool predicate = symbol.kind == SymbolKind::predicate;
  switch (function) {
    case ScalarFunction::add:
      return Arithmetic::real_add;
    case ScalarFunction::subtract:
      return Arithmetic::real_subtract;
    case ScalarFunction::multiply:
      return Arithmetic::real_multiply;
    case ScalarFunction::divide:
      return Arithmetic::real_divide;
    case ScalarFunction::negate:
      return Arithmetic::real_negate;
    case ScalarFunction::minimum:
      return Arithmetic::real_minimum;
    case ScalarFunction::maximum:
      return Arithmetic::real_maximum;
    case ScalarFunction::absolute:
      return Arithmetic::real_absolute;
    case ScalarFunction::less:
      return predicate ? Arithmetic::real_less : Arithmetic::none;
    case ScalarFunction::less_equal:
      return predicate ? Arithmetic::real_less_equal : Arithmetic::none;
    case ScalarFunction::greater:
      return predicate ? Arithmetic::real_greater : Arithmetic::none;
    case ScalarFunction::greater_equal:
      return predicate ? Arithmetic::real_greater_equal : Arithmetic::none;
    default:
      return Arithmetic::none;
  }
}

// A Number that promotes may be an integer: a comparison of two is none of reals then.
bool all_reals(const ExternalBlock& block, const Symbol& symbol, Numbers numbers) {
  return std::ranges::all_of(symbol.parameters, [&](SortId sort) {
    return has_name(block, sort, "Real") || has_name(block, sort, "Float") ||
           has_name(block, sort, "Double") ||
           (numbers == Numbers::real && has_name(block, sort, "Number"));
  });
}

Arithmetic Table::arithmetic(const Store& store, const term::ExternalBinding& binding,
                             SymbolId id) const {
  if (!binding.block || !closed(binding.block->backend)) return Arithmetic::none;
  const std::optional<Path> path = find_path(binding.block->path);
  if (!path || (*path != Path::scalar && *path != Path::index)) return Arithmetic::none;
  const Symbol& symbol = store[id];
  for (const OperationRow* row : rows_of(*path)) {
    const bool length = row->kind == Primitive::Kind::length;
    if ((row->kind != Primitive::Kind::scalar && !length) || row->name != binding.original)
      continue;
    std::optional<SortId> same;
    if (misfit(row->pattern, subject_of(store, *binding.block, symbol, same))) continue;
    if (length) return Arithmetic::length;
    const bool logical = row->pattern.front() == 'B';
    if (!logical && all_reals(*binding.block, symbol, numbers_)) {
      return real_arithmetic_of(row->function, symbol);
    }
    if (!logical && !all_integers(*binding.block, symbol)) return Arithmetic::none;
    return arithmetic_of(row->function);
  }
  return Arithmetic::none;
}

term::ArrayFunction Table::array_function(const Store& store, const term::ExternalBinding& binding,
                                          SymbolId id) const {
  if (!binding.block || !closed(binding.block->backend)) return term::ArrayFunction::none;
  const std::optional<Path> path = find_path(binding.block->path);
  if (path != Path::array && path != Path::index) return term::ArrayFunction::none;
  const Symbol& symbol = store[id];
  for (const OperationRow* row : rows_of(*path)) {
    const bool shape = row->kind == Primitive::Kind::shape;
    const bool component = row->kind == Primitive::Kind::component;
    // An element by one index, which a rule can name; not by components.
    const bool element = row->kind == Primitive::Kind::load && symbol.parameters.size() == 2;
    if ((!shape && !element && !component) || row->name != binding.original) continue;
    std::optional<SortId> same;
    if (misfit(row->pattern, subject_of(store, *binding.block, symbol, same))) continue;
    if (component) return term::ArrayFunction::component;
    return shape ? term::ArrayFunction::shape : term::ArrayFunction::element;
  }
  return term::ArrayFunction::none;
}

std::optional<Representation> Table::representation(const ExternalBlock& block,
                                                    const std::string& original) const {
  if (!closed(block.backend)) return std::nullopt;
  const std::optional<Path> path = find_path(block.path);
  const TypeRow* row = find_type_row(original);
  if (!path || row == nullptr || row->path != *path) return std::nullopt;
  const bool promotes = row->promotes && numbers_ == Numbers::promoting;
  const bool run_real = row->run_real || (row->promotes && !promotes);
  Representation found{row->kind, run_real ? real_ : row->scalar, {}, promotes};
  if (row->kind == Representation::Kind::array) {
    found.scalar = real_;
    if (block.type("E")) found.opaque = "E";
  }
  return found;
}

std::optional<Primitive> Table::primitive(const ExternalBlock& block, const std::string& original,
                                          const std::vector<Representation>& arguments,
                                          const std::optional<Representation>& result) const {
  if (!closed(block.backend)) return std::nullopt;
  const std::optional<Path> path = find_path(block.path);
  if (!path) return std::nullopt;
  std::optional<Representation> number;
  if (block.type("Number")) number = representation(block, "Number");
  for (const OperationRow* row : rows_of(*path)) {
    const std::optional<int> axis = match_name(row->name, original);
    if (axis && resolves(*row, arguments, result, number)) return instantiate(*row, *axis);
  }
  return std::nullopt;
}

}  // namespace

std::unique_ptr<onf::PrimitiveTable> make_table(Scalar real, Numbers numbers) {
  return std::make_unique<Table>(real, numbers);
}

std::optional<SymbolId> element_of(const Store& store, const ExternalBlock& block,
                                   SymbolId schedule) {
  for (const ExternalBlock::Operation& operation : block.operations) {
    if (operation.required && operation.original == "element" &&
        is_element_of(block, store[schedule], store[operation.symbol])) {
      return operation.symbol;
    }
  }
  return std::nullopt;
}

std::optional<SymbolId> padding_of(const ExternalBlock& block) {
  return block.operation("padding", true);
}

}  // namespace rhopsi::primitives
