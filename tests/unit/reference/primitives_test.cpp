#include "backends/primitives/primitives.hpp"

#include <gtest/gtest.h>

#include "engine/term/operations.hpp"
#include "frontend/elaborate/elaborate.hpp"
#include "tests/unit/reference/program_fixture.hpp"

namespace rhopsi::primitives {
namespace {

using onf::Primitive;
using onf::Representation;
using onf::Scalar;
using onf::ScalarFunction;
using term::Arithmetic;
using term::SymbolKind;

// A block of one path, with its types, and operations declared in it.
class Table : public ::testing::Test {
 protected:
  void block_of(const std::string& path, const std::vector<std::string>& types,
                const std::vector<std::string>& required = {}) {
    block = {};
    block.backend = "Kokkos";
    block.path = path;
    for (const auto& type : types) block.types.push_back({type, store.sort(type + "'"), false});
    for (const auto& type : required) block.types.push_back({type, store.sort(type + "'"), true});
  }

  term::SymbolId declare(const std::string& name, const std::vector<std::string>& sorts,
                         const std::string& result, bool required = false) {
    std::vector<term::SortId> parameters;
    for (const auto& sort : sorts) parameters.push_back(store.sort(sort + "'"));
    const bool predicate = result == "Predicate";
    const auto symbol =
        store.operation(predicate ? SymbolKind::predicate : SymbolKind::function, name, parameters,
                        predicate ? store.predicate_sort() : store.sort(result + "'"));
    block.operations.push_back({name, symbol, required});
    return symbol;
  }

  std::string problem(const std::string& name, const std::vector<std::string>& sorts,
                      const std::string& result, bool required = false) {
    const auto symbol = declare(name, sorts, result, required);
    return table->problem_with_operation(store, block, name, symbol).value_or("");
  }

  Arithmetic arithmetic(const std::string& name, const std::vector<std::string>& sorts,
                        const std::string& result) {
    const auto symbol = declare(name, sorts, result);
    const term::ExternalBinding binding{std::make_shared<term::ExternalBlock>(block), name};
    return table->arithmetic(store, binding, symbol);
  }

  term::Store store;
  term::ExternalBlock block;
  std::unique_ptr<onf::PrimitiveTable> table = make_table(Scalar::float32);
  std::unique_ptr<onf::PrimitiveTable> promoting = make_table(Scalar::float32, Numbers::promoting);
};

const Representation axis{Representation::Kind::scalar, Scalar::int64, {}};
const Representation real{Representation::Kind::scalar, Scalar::float32, {}};
const Representation truth{Representation::Kind::scalar, Scalar::boolean, {}};
const Representation index{Representation::Kind::index, Scalar::int64, {}};
const Representation number{Representation::Kind::scalar, Scalar::float64, {}, true};
const Representation array{Representation::Kind::array, Scalar::float32, {}};

TEST_F(Table, KnowsItsPaths) {
  EXPECT_TRUE(table->closed("Kokkos"));
  EXPECT_FALSE(table->closed("C++"));
  EXPECT_TRUE(table->has_path("C++", "anything.at.all"));
  for (const char* path :
       {"scalar", "index", "array", "schedule.flat", "schedule.nested", "schedule.padded",
        "padding", "padding.auto", "reassociation", "parameters", "parameters.fluid"}) {
    EXPECT_TRUE(table->has_path("Kokkos", path)) << path;
  }
  for (const char* path : {"", "schedule", "scalar.x", "parameters.", "parametersx", "arrays"}) {
    EXPECT_FALSE(table->has_path("Kokkos", path)) << path;
  }
  EXPECT_EQ(table->paths("Kokkos").size(), 11u);
}

TEST_F(Table, RepresentsTypes) {
  block_of("scalar", {"Real", "Float", "Double", "Int", "Int32", "Bool"});
  EXPECT_EQ(table->representation(block, "Real")->scalar, Scalar::float32);
  EXPECT_EQ(make_table(Scalar::float64)->representation(block, "Real")->scalar, Scalar::float64);
  EXPECT_EQ(table->representation(block, "Double")->scalar, Scalar::float64);
  EXPECT_EQ(table->representation(block, "Int32")->scalar, Scalar::int32);
  EXPECT_EQ(table->representation(block, "Bool")->scalar, Scalar::boolean);
  EXPECT_FALSE(table->representation(block, "Axis"));
  block_of("scalar", {"Number"});
  EXPECT_EQ(promoting->representation(block, "Number"), number);
  EXPECT_EQ(table->representation(block, "Number"), real);
  block_of("index", {"Index", "Axis"});
  EXPECT_EQ(table->representation(block, "Index")->kind, Representation::Kind::index);
  EXPECT_EQ(table->representation(block, "Axis")->scalar, Scalar::int64);
  block.backend = "C++";
  EXPECT_FALSE(table->representation(block, "Index"));
}

TEST_F(Table, SaysWhatIsWrongWithATypes) {
  block_of("scalar", {"Complex"}, {"Offset"});
  EXPECT_EQ(*table->problem_with_type(block, "Complex"),
            "`Kokkos scalar` provides no type `Complex`; it provides Real, Float, Double, Int, "
            "Int32, Bool, Number.");
  EXPECT_FALSE(table->problem_with_type(block, "Offset"));
  block_of("array", {"E", "Array"});
  EXPECT_NE(table->problem_with_type(block, "E")->find("`require type E;`"), std::string::npos);
  EXPECT_FALSE(table->problem_with_type(block, "Array"));
  block_of("parameters", {"Real"});
  EXPECT_NE(table->problem_with_type(block, "Real")->find("provides no types"), std::string::npos);
  block.backend = "C++";
  EXPECT_FALSE(table->problem_with_type(block, "Real"));
}

TEST_F(Table, AcceptsWhatItOffers) {
  block_of("scalar", {"Real", "Int", "Bool"}, {"Offset"});
  EXPECT_EQ(problem("_+_", {"Real", "Real"}, "Real"), "");
  EXPECT_EQ(problem("_%_", {"Int", "Int"}, "Int"), "");
  EXPECT_EQ(problem("_<_", {"Int", "Int"}, "Predicate"), "");
  EXPECT_EQ(problem("convert", {"Int"}, "Real"), "");
  EXPECT_EQ(problem("convert", {"Offset"}, "Real"), "");
  EXPECT_EQ(problem("or", {"Bool", "Bool"}, "Bool"), "");
  EXPECT_EQ(problem("tanh", {"Real"}, "Real"), "");
  block_of("scalar", {"Number"}, {"Int"});
  EXPECT_EQ(problem("_+_", {"Number", "Number"}, "Number"), "");
  EXPECT_EQ(problem("sqrt", {"Number"}, "Number"), "");
  EXPECT_EQ(problem("_<=_", {"Number", "Number"}, "Number"), "");
  EXPECT_EQ(problem("_<=_", {"Number", "Number"}, "Predicate"), "");
  EXPECT_EQ(problem("_==_", {"Number", "Number"}, "Number"), "");
  EXPECT_EQ(problem("_||_", {"Number", "Number"}, "Number"), "");
  EXPECT_EQ(problem("!_", {"Number"}, "Number"), "");
  EXPECT_EQ(problem("select", {"Number", "Number", "Number"}, "Number"), "");
  EXPECT_EQ(problem("convert", {"Int"}, "Number"), "");
  EXPECT_EQ(problem("convert", {"Number"}, "Int"), "");
  block_of("array", {"Array"}, {"E", "Index"});
  EXPECT_EQ(problem("shape", {"Array"}, "Index"), "");
  block_of("index", {"Index", "Axis", "Offset", "ScalarIndex", "AxisLength"});
  EXPECT_EQ(problem("len", {"Index"}, "AxisLength"), "");
  EXPECT_EQ(problem("at", {"Index", "Axis"}, "ScalarIndex"), "");
  EXPECT_EQ(problem("_%_", {"ScalarIndex", "AxisLength"}, "ScalarIndex"), "");
  EXPECT_EQ(problem("ix5", {"Index"}, "ScalarIndex"), "");
  EXPECT_EQ(problem("mkIx", {"ScalarIndex", "ScalarIndex"}, "Index"), "");
  EXPECT_EQ(problem("inside", {"Index"}, "Predicate"), "");
  block_of("schedule.padded", {}, {"Array", "E", "Index", "Offset"});
  declare("element", {"Array", "Index"}, "E", true);
  declare("padding", {}, "Offset", true);
  EXPECT_EQ(problem("schedule", {"Array"}, "Array"), "");
  block_of("parameters.fluid", {}, {"Real"});
  EXPECT_EQ(problem("viscosity", {}, "Real"), "");
}

TEST_F(Table, SaysWhatDoesNotFit) {
  block_of("scalar", {"Real", "Int"});
  EXPECT_EQ(problem("_+_", {"Real", "Int"}, "Real"),
            "`_+_(Real', Int'): Real'` does not fit what `Kokkos scalar` provides, which is "
            "_+_(T, T): T, T one numeric type of the block: argument 2 is Int' where T stands.");
  EXPECT_NE(problem("sqrt", {"Int"}, "Int").find("R one of Real, Float and Double"),
            std::string::npos);
  EXPECT_NE(problem("_+_", {"Real"}, "Real").find("1 arguments are not"), std::string::npos);
  EXPECT_NE(problem("_<_", {"Real", "Real"}, "Real").find("the result is Real'"),
            std::string::npos);
  EXPECT_NE(problem("_&&_", {"Real", "Real"}, "Real").find("argument 1 is Real' where Number"),
            std::string::npos);
  EXPECT_NE(problem("fma", {"Real"}, "Real").find("provides no operation `fma`; it provides _+_"),
            std::string::npos);
  block_of("scalar", {"Number", "Int"});
  EXPECT_NE(problem("_<_", {"Number", "Int"}, "Number")
                .find("_<_(T, T): Predicate and _<_(Number, Number): Number"),
            std::string::npos);
  block_of("array", {"Array"}, {"Offset"});
  EXPECT_NE(problem("shape", {"Array"}, "Offset").find("the result is Offset' where Index"),
            std::string::npos);
  block_of("index", {"Index", "Axis", "Offset", "ScalarIndex", "AxisLength"});
  EXPECT_NE(problem("at", {"Index", "Index"}, "Axis").find("argument 2 is Index' where S"),
            std::string::npos);
  EXPECT_NE(problem("rotateIx", {"Index", "Offset", "Axis"}, "Index").find("argument 2 is Offset'"),
            std::string::npos);
  EXPECT_NE(problem("ix6", {"Index"}, "ScalarIndex").find("no operation `ix6`"), std::string::npos);
  block_of("array", {"Array"}, {"E", "Index"});
  EXPECT_NE(
      problem("psi", {"Array", "Index"}, "E").find("psi(Index, Array): E and psi(ScalarIndex"),
      std::string::npos);
  block_of("schedule.flat", {}, {"Array", "E", "Index"});
  EXPECT_NE(problem("schedule", {"Array"}, "Array").find("requires `function element"),
            std::string::npos);
  EXPECT_NE(problem("elements", {"Array"}, "E", true).find("has no use for"), std::string::npos);
  EXPECT_NE(problem("element", {"Array"}, "E", true).find("does not end in an index"),
            std::string::npos);
  block_of("padding", {}, {"Array"});
  const auto refill =
      store.operation(SymbolKind::procedure, "refillPadding", {{store.sort("Array'")}},
                      store.statement_sort(), {{term::Mode::obs}});
  const auto message = table->problem_with_operation(store, block, "refillPadding", refill);
  EXPECT_NE(message->find("upd Array"), std::string::npos);
}

TEST_F(Table, ResolvesOperations) {
  block_of("array", {"Array"}, {"E"});
  const auto add = table->primitive(block, "_+_", {real, array}, array);
  ASSERT_TRUE(add);
  EXPECT_EQ(add->kind, Primitive::Kind::pointwise);
  EXPECT_EQ(add->function, ScalarFunction::add);
  EXPECT_FALSE(table->primitive(block, "_+_", {real, real}, real));
  EXPECT_FALSE(table->primitive(block, "_+_", {axis, array}, array));
  EXPECT_EQ(table->primitive(block, "rotate", {array, axis, axis}, array)->spelling, "rotate");
  EXPECT_EQ(table->primitive(block, "psi", {axis, axis, array}, real)->kind, Primitive::Kind::load);
  const Representation integers{Representation::Kind::array, Scalar::int64, {}};
  EXPECT_FALSE(table->primitive(block, "sqrt", {integers}, integers));
  EXPECT_TRUE(table->primitive(block, "abs", {integers}, integers));
  block_of("index", {"Index"});
  EXPECT_EQ(table->primitive(block, "ix2", {index}, axis)->axis, 2);
  EXPECT_EQ(table->primitive(block, "shape1", {}, axis)->kind, Primitive::Kind::extent);
  EXPECT_TRUE(table->primitive(block, "rotateIxPadded", {index, axis, axis}, index)->padded);
  EXPECT_EQ(table->primitive(block, "_<_", {axis, axis}, truth)->function, ScalarFunction::less);
  EXPECT_EQ(table->primitive(block, "len", {index}, axis)->kind, Primitive::Kind::length);
  EXPECT_EQ(table->primitive(block, "at", {index, axis}, axis)->kind, Primitive::Kind::component);
  EXPECT_FALSE(table->primitive(block, "at", {axis, index}, axis));
  block_of("array", {"Array"}, {"E", "Index"});
  EXPECT_EQ(table->primitive(block, "shape", {array}, index)->kind, Primitive::Kind::shape);
  block_of("scalar", {"Number"}, {"Int"});
  for (const bool promotes : {true, false}) {
    const auto& numbers = promotes ? promoting : table;
    const Representation& n = promotes ? number : real;
    const Representation& other = promotes ? real : number;
    EXPECT_EQ(numbers->primitive(block, "_&&_", {n, n}, n)->function, ScalarFunction::and_);
    EXPECT_EQ(numbers->primitive(block, "_<_", {n, n}, n)->function, ScalarFunction::less);
    EXPECT_EQ(numbers->primitive(block, "_<_", {n, n}, truth)->function, ScalarFunction::less);
    EXPECT_FALSE(numbers->primitive(block, "_&&_", {other, other}, other));
    EXPECT_EQ(numbers->primitive(block, "convert", {n}, axis)->function, ScalarFunction::convert);
  }
  block_of("scalar", {"Real"});
  EXPECT_FALSE(table->primitive(block, "_&&_", {real, real}, real));
  block_of("schedule.padded", {});
  const auto schedule = table->primitive(block, "schedule", {array, real, index}, array);
  EXPECT_TRUE(schedule->padded && schedule->nested);
  block_of("padding", {});
  EXPECT_TRUE(table->primitive(block, "refillPadding", {array}, std::nullopt)->refills);
  block_of("parameters", {});
  EXPECT_EQ(table->primitive(block, "nu", {}, real)->kind, Primitive::Kind::parameter);
  EXPECT_FALSE(table->primitive(block, "nu", {real}, real));
}

TEST_F(Table, GivesIntegersTheirMeaning) {
  block_of("scalar", {"Real", "Int", "Int32", "Bool"});
  EXPECT_EQ(arithmetic("_+_", {"Int", "Int"}, "Int"), Arithmetic::add);
  EXPECT_EQ(arithmetic("_%_", {"Int32", "Int32"}, "Int32"), Arithmetic::modulo);
  EXPECT_EQ(arithmetic("_<=_", {"Int", "Int"}, "Predicate"), Arithmetic::less_equal);
  EXPECT_EQ(arithmetic("_+_", {"Real", "Real"}, "Real"), Arithmetic::real_add);
  EXPECT_EQ(arithmetic("_%_", {"Real", "Real"}, "Real"), Arithmetic::none);
  EXPECT_EQ(arithmetic("_<_", {"Real", "Real"}, "Predicate"), Arithmetic::real_less);
  EXPECT_EQ(arithmetic("and", {"Bool", "Bool"}, "Bool"), Arithmetic::and_);
  EXPECT_EQ(arithmetic("convert", {"Int"}, "Real"), Arithmetic::none);
  block_of("index", {"Index", "Axis", "Offset", "ScalarIndex", "AxisLength"});
  EXPECT_EQ(arithmetic("-_", {"Offset"}, "Offset"), Arithmetic::negate);
  EXPECT_EQ(arithmetic("max", {"Offset", "Offset"}, "Offset"), Arithmetic::maximum);
  EXPECT_EQ(arithmetic("inside", {"Index"}, "Predicate"), Arithmetic::none);
  EXPECT_EQ(arithmetic("len", {"Index"}, "AxisLength"), Arithmetic::length);
  EXPECT_EQ(arithmetic("at", {"Index", "Axis"}, "ScalarIndex"), Arithmetic::none);
  EXPECT_EQ(arithmetic("rotateIx", {"Index", "Axis", "Offset"}, "Index"), Arithmetic::none);
}

// In a program a Number is a real; one that promotes may be an integer.
TEST_F(Table, GivesNumbersTheMeaningOfRealsWhereTheyAreReals) {
  block_of("scalar", {"Number"});
  EXPECT_EQ(arithmetic("_<=_", {"Number", "Number"}, "Predicate"), Arithmetic::real_less_equal);
  EXPECT_EQ(arithmetic("_/_", {"Number", "Number"}, "Number"), Arithmetic::real_divide);
  EXPECT_EQ(arithmetic("_<_", {"Number", "Number"}, "Number"), Arithmetic::none);
  table = make_table(Scalar::float64, Numbers::promoting);
  EXPECT_EQ(arithmetic("_<=_", {"Number", "Number"}, "Predicate"), Arithmetic::none);
}

// Every external operation of the modules of a package whose sorts are all represented.
std::size_t resolved_operations(const std::string& package_file, Scalar real_type) {
  term::Store store;
  const auto table = make_table(real_type);
  rewrite::IntervalOracle oracle;
  const std::string rules = std::string(RHOPSI_SOURCE_DIR) + "/rules";
  elaborate::Workspace workspace(store, *table, oracle, {});
  syntax::Diagnostics diagnostics;
  const auto package = workspace.load(rules + package_file, diagnostics);
  if (!package) return 0;
  workspace.check(*package, diagnostics);
  for (const auto& each : diagnostics.all()) ADD_FAILURE() << render(each);
  std::size_t count = 0;
  for (const auto& [name, kind] : workspace.modules(*package)) {
    const auto theory = workspace.evaluate(*package, name, diagnostics);
    EXPECT_NE(theory, nullptr) << name;
    if (theory == nullptr) continue;
    for (const auto& callable : theory->callables) {
      bool resolvable = callable.external.has_value();
      for (const term::SortId sort : store[callable.symbol].parameters) {
        resolvable = resolvable && onf::representation_of(store, *theory, sort, *table);
      }
      if (resolvable && store[callable.symbol].kind == SymbolKind::function) {
        resolvable = onf::representation_of(store, *theory, store[callable.symbol].result, *table)
                         .has_value();
      }
      if (!resolvable) continue;
      ++count;
      EXPECT_TRUE(onf::primitive_of(store, *theory, callable, *table))
          << name << ' ' << term::to_string(store, callable.symbol);
    }
  }
  return count;
}

TEST(TableOverTheLibrary, EveryDeclarationIsAccepted) {
  for (Scalar real_type : {Scalar::float32, Scalar::float64}) {
    EXPECT_GT(resolved_operations("/backend/kokkos.mg", real_type), 0U);
    EXPECT_GT(resolved_operations("/moa/library.mg", real_type), 0U);
  }
}

using Constants = reference::Programs;

TEST_F(Constants, IntegerExpressionsOverConstants) {
  load(R"(program P = {
    use Integers; use Reals[Real => R];
    function one(): Int = 1;
    function width(): Int = { value (one() + 6) % 4 - -2; };
    function loop(): Int = loop() + 1;
    function zero(): Int = one() / (one() - one());
    function half(): R = 0.5;
    function plus(a: Int): Int = a;
    function called(): Int = plus(1);
  };)");
  const auto value = [&](const std::string& name) {
    return onf::constant_value(store, *program, *program->find(symbol(name))->body, *table);
  };
  EXPECT_EQ(value("one"), 1);
  EXPECT_EQ(value("width"), 5);
  EXPECT_FALSE(value("loop"));
  EXPECT_FALSE(value("zero"));
  EXPECT_FALSE(value("half"));
  EXPECT_FALSE(value("called"));
}

}  // namespace
}  // namespace rhopsi::primitives
