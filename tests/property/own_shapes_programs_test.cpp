// Random programs whose arrays have shapes of their own: compiled for Kokkos against the reference.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>
#include <limits>
#include <regex>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "backends/io/npy.hpp"
#include "backends/kokkos/build/build.hpp"
#include "backends/kokkos/emit/emit.hpp"
#include "backends/reference/evaluator.hpp"
#include "engine/lower/lower.hpp"
#include "engine/onf/verify.hpp"
#include "engine/schedule/schedule.hpp"
#include "frontend/driver/stages.hpp"
#include "tests/exec/process.hpp"
#include "tests/property/own_shapes_program.hpp"
#include "tests/property/seeds.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi::property {
namespace {

using Shape = std::vector<std::int64_t>;

// What a procedure leaves, or the code of what went wrong.
struct Result {
  std::string code;
  reference::Array u, v;
  std::int64_t n = 0;
  double total = 0;
};

std::string described(const reference::Array& array) {
  return reference::describe(reference::Value(array));
}

std::string described(const Result& result) {
  if (!result.code.empty()) return result.code;
  return "u " + described(result.u) + "\nv " + described(result.v) + "\nn " +
         std::to_string(result.n) + ", total " + std::to_string(result.total);
}

bool same(double left, double right) {
  return (std::isnan(left) && std::isnan(right)) || left == right;
}
bool same(const reference::Array& left, const reference::Array& right) {
  if (left.shape != right.shape) return false;
  const auto& a = std::get<std::vector<double>>(*left.elements);
  const auto& b = std::get<std::vector<double>>(*right.elements);
  return std::ranges::equal(a, b, [](double x, double y) { return same(x, y); });
}
bool same(const Result& left, const Result& right) {
  if (!left.code.empty() || !right.code.empty()) return left.code == right.code;
  return same(left.u, right.u) && same(left.v, right.v) && left.n == right.n &&
         same(left.total, right.total);
}

reference::Array counting(const Shape& shape, double first) {
  std::size_t count = 1;
  for (const std::int64_t length : shape) count *= std::size_t(length);
  std::vector<double> elements(count);
  for (double& each : elements) each = first++;
  return reference::make_array(shape, std::move(elements));
}

class OwnShapesPrograms : public testing::Test {
 protected:
  void load(const std::vector<OwnShapesProcedure>& procedures) {
    const std::string file = folder_.write("own.mg", own_shapes_program(procedures));
    syntax::Diagnostics diagnostics;
    program_ = driver::program(session_, file, "P", diagnostics);
    ASSERT_TRUE(program_) << support::text_of(diagnostics);
    evaluator_ = std::make_unique<reference::Evaluator>(session_.store(), *program_,
                                                        session_.table(), reference::Options());
  }

  Result by_reference(const OwnShapesProcedure& given) {
    std::vector<reference::Value> values = {counting(given.u, 1), counting(given.v, -2), given.n,
                                            0.0};
    const auto callable = program_->overloads(session_.store(), given.name).front();
    const auto outcome = evaluator_->call(callable->symbol, values);
    Result result;
    if (!outcome) {
      result.code = outcome.error().code;
      return result;
    }
    result.u = std::get<reference::Array>(values[0]);
    result.v = std::get<reference::Array>(values[1]);
    result.n = std::get<std::int64_t>(values[2]);
    result.total = std::get<double>(values[3]);
    return result;
  }

  std::optional<onf::Module> lowered(std::vector<std::string> entries,
                                     std::vector<onf::Problem>& problems) {
    problems.clear();
    lower::Options options;
    options.entries = std::move(entries);
    if (one_shape_) {
      auto module = lower::lower_over_domain(session_.store(), *program_, session_.table(), options,
                                             *one_shape_);
      return module ? std::optional(std::move(*module)) : std::nullopt;
    }
    return lower::lower(session_.store(), *program_, session_.table(), options, problems);
  }

  // Indices have 32 bits only where `greatest_narrow` bounds them, so that small arrays go both
  // ways.
  // With a recipe it is scheduled.
  void build(const std::vector<std::string>& entries, int greatest_narrow,
             const schedule::Recipe& recipe = {}) {
    std::vector<onf::Problem> problems;
    auto module = lowered(entries, problems);
    ASSERT_TRUE(module);
    if (!recipe.steps.empty()) count(schedule::apply(*module, recipe));
    for (const onf::Problem& problem : onf::verify(*module)) {
      EXPECT_FALSE(problem.error) << problem.code << ": " << problem.message;
    }
    kokkos::Options options;
    options.target = kokkos::Target::serial;
    std::vector<kokkos::File> files = kokkos::emit(session_.store(), *module, options);
    const auto& runtime = kokkos::runtime_files();
    files.insert(files.end(), runtime.begin(), runtime.end());
    kokkos::BuildOptions build;
    build.cache = RHOPSI_TEST_CACHE;
    build.native = false;
    build.flags = {"-O0", "-DRHOPSI_GREATEST_NARROW=" + std::to_string(greatest_narrow)};
    const auto executable = kokkos::build(files, build);
    ASSERT_TRUE(executable) << executable.error().message << "\n" << executable.error().note;
    executable_ = *executable;
    std::cout << entries.size() << " procedures built in " << executable_.seconds << " s\n";
  }

  // The share of places where a step was tried at which it was taken.
  void count(const schedule::Outcome& outcome) {
    for (const schedule::Step& step : outcome.steps) {
      ++tried_[step.name];
      taken_[step.name] += step.holds ? 1 : 0;
      if (!step.holds && step.site.find(": ") != std::string::npos)
        ++refused_[step.name + ", " + step.condition.substr(0, 40)];
    }
    for (const auto& [name, tried] : tried_) {
      std::cout << name << ": taken at " << taken_[name] << " of " << tried << " places\n";
    }
    for (const auto& [why, times] : refused_)
      std::cout << "  " << times << " refused: " << why << "\n";
  }

  // Those that have a form, built and compared.
  void compare(const std::vector<OwnShapesProcedure>& procedures, const schedule::Recipe& recipe) {
    std::vector<OwnShapesProcedure> whole;
    std::vector<std::string> entries;
    for (const OwnShapesProcedure& each : procedures) {
      std::vector<onf::Problem> problems;
      if (!lowered({each.name}, problems)) continue;
      whole.push_back(each);
      entries.push_back(each.name);
    }
    EXPECT_GT(whole.size(), procedures.size() * 3 / 4);
    ASSERT_NO_FATAL_FAILURE(build(entries, 12, recipe));
    std::size_t values = 0;
    for (const OwnShapesProcedure& each : whole) {
      const Result expected = by_reference(each), found = by_kokkos(each);
      values += expected.code.empty() ? 1 : 0;
      EXPECT_TRUE(same(expected, found))
          << each.text << "n = " << each.n << ", u " << described(counting(each.u, 1)) << ", v "
          << described(counting(each.v, -2)) << "\nthe reference gives " << described(expected)
          << "\nKokkos gives " << described(found);
    }
    std::cout << values << " of them have values on what they are called with\n";
    EXPECT_GT(values, whole.size() / 2);
  }

  Result by_kokkos(const OwnShapesProcedure& given) {
    const auto put = [&](const std::string& name, const reference::Array& array) {
      const std::string path = folder_ / (name + ".npy");
      io::write_npy(path, array.shape, std::get<std::vector<double>>(*array.elements).data());
      return name + "=" + path;
    };
    const std::string out = folder_ / "out.txt", err = folder_ / "err.txt";
    for (const std::string& file : {out, err}) std::filesystem::remove(file);
    const auto status = kokkos::run(
        executable_,
        {"--entry", given.name, "--repeat", "1", "--in", put("u", counting(given.u, 1)), "--in",
         put("v", counting(given.v, -2)), "--set", "n=" + std::to_string(given.n), "--out",
         "u=" + (folder_ / "u2.npy"), "--out", "v=" + (folder_ / "v2.npy"), "--quiet"},
        {{}, out, err});
    Result result;
    if (!status || *status != 0) {
      static const std::regex code("error\\[(E[0-9]+)\\]");
      const std::string text = exec::read(err) + exec::read(out);
      std::smatch found;
      result.code = std::regex_search(text, found, code) ? found[1].str() : "?: " + text;
      return result;
    }
    const auto array = [&](const std::string& name) {
      const auto read = io::read_npy<double>(folder_ / name);
      return reference::make_array(Shape(read.shape.begin(), read.shape.end()), read.data);
    };
    result.u = array("u2.npy");
    result.v = array("v2.npy");
    const std::string text = exec::read(out);
    static const std::regex number("(n|total): (\\S+)");
    for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at) {
      if ((*at)[1] == "n") result.n = std::stoll((*at)[2]);
      if ((*at)[1] == "total") result.total = std::strtod((*at)[2].str().c_str(), nullptr);
    }
    return result;
  }

  const exec::Folder folder_;
  driver::Session session_{{{std::string(RHOPSI_SOURCE_DIR) + "/rules"}}};
  std::shared_ptr<const term::Theory> program_;
  std::unique_ptr<reference::Evaluator> evaluator_;
  kokkos::Executable executable_;
  std::optional<Shape> one_shape_;  // of all arrays, over whose domain the program is put
  std::map<std::string, std::size_t> tried_, taken_, refused_;  // of steps
};

// By hand: stencils, products, positions that are divided, moved by a number, or read from an
// array; and lengths that 64 bits do not hold.
const std::vector<std::pair<std::string, std::string>> both_widths = {
    {"differences", "u = u + rotate(u, 0, 1) - 2 * rotate(u, 1, -1);"},
    {"multiply", "u = matmul(u, transpose(u)); v = matmul(u, v);"},
    {"divided",
     "u = reshape(u, [at(shape(u), 1), at(shape(u), 0)]); v = ravel(transpose(lift(v, 0, 1)));"},
    {"moved", "v = rotate(v, 0, n); u = drop(u, 0, 1);"},
    {"scanned", "v = cumsum(v, 0); u = cumsum(u, 1);"},
    {"gathered", "u = gather(u, 0, rotate(iota(at(shape(u), 0)), 0, n));"},
    {"padded", "v = pad_constant(v, 0, n, 1, 7); n = n + at(shape(v), 0);"},
    {"counted", "v = iota(n * at(shape(v), 0)); n = n * n * 3;"},
};

TEST_F(OwnShapesPrograms, IndicesOfBothWidths) {
  std::vector<OwnShapesProcedure> procedures;
  std::vector<std::string> entries;
  for (const auto& [name, statements] : both_widths) {
    OwnShapesProcedure made;
    made.name = name;
    made.text = "  procedure " + name +
                "(upd u: Array, upd v: Array, upd n: Int, out total: Number)\n"
                "      guard dim(u) == 2 && dim(v) == 1 {\n    " +
                statements + "\n    total = psi([], sum(ravel(u), 0));\n  };\n";
    procedures.push_back(std::move(made));
    entries.push_back(name);
  }
  ASSERT_NO_FATAL_FAILURE(load(procedures));
  std::vector<onf::Problem> problems;
  const auto module = lowered(entries, problems);
  ASSERT_TRUE(module) << (problems.empty() ? "" : problems[0].message);
  const std::string text = kokkos::emit_header(session_.store(), *module).text;
  EXPECT_NE(text.find("<std::int32_t>("), std::string::npos);
  EXPECT_NE(text.find("<std::int64_t>("), std::string::npos);
  ASSERT_NO_FATAL_FAILURE(build(entries, 12));
  std::size_t values = 0;
  std::set<std::string> codes;
  for (OwnShapesProcedure each : procedures) {
    // On either side of 12 elements, at it, and without any.
    for (const auto& [rows, length] :
         {std::pair(2, 2), {3, 3}, {4, 4}, {12, 12}, {13, 13}, {0, 5}}) {
      for (const std::int64_t n : {std::int64_t{3}, std::int64_t{-14}, std::int64_t{3000000001},
                                   std::numeric_limits<std::int64_t>::max()}) {
        if (each.name == "multiply") {
          each.u = {length, length};
        } else {
          each.u = {rows, length == 3 ? 4 : length == 12 ? 1 : length};
        }
        each.v = {length};
        each.n = n;
        const Result expected = by_reference(each);
        // Of a length it matters whether 64 bits hold it, of an offset whether 32 do.
        const bool lengths = each.name == "padded" || each.name == "counted";
        const bool greatest = n == std::numeric_limits<std::int64_t>::max();
        if (n > 3 && lengths != greatest) continue;
        const Result found = by_kokkos(each);
        if (expected.code.empty())
          ++values;
        else
          codes.insert(expected.code);
        EXPECT_TRUE(same(expected, found))
            << each.name << " with n = " << n << ", u " << described(counting(each.u, 1)) << ", v "
            << described(counting(each.v, -2)) << "\nthe reference gives " << described(expected)
            << "\nKokkos gives " << described(found);
      }
    }
  }
  EXPECT_GT(values, 80U);
  EXPECT_TRUE(codes.contains("E0613"));
}

constexpr unsigned of_one_program = 60;

class OwnShapesSeeds : public OwnShapesPrograms, public testing::WithParamInterface<unsigned> {};

TEST_P(OwnShapesSeeds, AgreeWithTheReference) {
  std::vector<OwnShapesProcedure> procedures;
  for (unsigned k = 0; k < of_one_program; ++k) {
    procedures.push_back(own_shapes_procedure(GetParam() * of_one_program + k));
  }
  ASSERT_NO_FATAL_FAILURE(load(procedures));
  for (const OwnShapesProcedure& each : procedures) {
    std::vector<onf::Problem> problems;
    if (lowered({each.name}, problems)) continue;
    // Never right, wherever it stands in the procedure; so it may be where no run goes.
    for (const onf::Problem& problem : problems) {
      EXPECT_TRUE(problem.code == "E0608" || problem.code == "E0523")
          << problem.code << ": " << problem.message << "\n"
          << each.text;
    }
  }
  compare(procedures, {});
}

schedule::Recipe with_interchange() {
  schedule::Recipe recipe = schedule::standard_recipe();
  recipe.steps.push_back({schedule::StepKind::interchange});
  return recipe;
}

TEST_P(OwnShapesSeeds, AgreeWithTheReferenceUnderASchedule) {
  std::vector<OwnShapesProcedure> procedures;
  for (unsigned k = 0; k < of_one_program; ++k) {
    procedures.push_back(own_shapes_procedure(GetParam() * of_one_program + k));
  }
  ASSERT_NO_FATAL_FAILURE(load(procedures));
  compare(procedures, with_interchange());
}

TEST_P(OwnShapesSeeds, SweepsAgreeWithTheReferenceUnderASchedule) {
  std::vector<OwnShapesProcedure> procedures;
  for (unsigned k = 0; k < of_one_program / 2; ++k) {
    const unsigned seed = GetParam() * of_one_program + k;
    procedures.push_back(k % 5 == 0 ? own_shapes_boxes(seed) : own_shapes_sweeps(seed));
  }
  ASSERT_NO_FATAL_FAILURE(load(procedures));
  compare(procedures, with_interchange());
  for (const char* step : {"fuse", "in_place", "bind", "tile"}) EXPECT_GT(taken_[step], 0u) << step;
}

std::string name_of(const testing::TestParamInfo<unsigned>& info) {
  return "program_" + std::to_string(info.param);
}
const Seeds programs = seeds(1, 2);
INSTANTIATE_TEST_SUITE_P(Random, OwnShapesSeeds, testing::Range(programs.begin, programs.end),
                         name_of);

// Of one shape, by their rank.
class OneShapeSeeds : public OwnShapesPrograms,
                      public testing::WithParamInterface<std::tuple<unsigned, std::size_t>> {};

// The form of one shape is that of all for which it tests the same.
TEST_P(OneShapeSeeds, AgreeWithTheReferenceOverADomain) {
  static const std::vector<std::vector<Shape>> shapes = {
      {{6}, {1}, {2}, {40}}, {{5, 3}, {1, 4}, {2, 1}, {9, 17}}, {{3, 4, 5}, {1, 2, 1}, {6, 5, 9}}};
  const auto [seed, rank] = GetParam();
  const std::vector<Shape>& tried = shapes[rank - 1];
  std::vector<OwnShapesProcedure> procedures;
  for (unsigned k = 0; k < of_one_program / 4; ++k) {
    procedures.push_back(own_shapes_circular(seed * of_one_program + k, tried.front()));
  }
  ASSERT_NO_FATAL_FAILURE(load(procedures));
  for (const Shape& shape : tried) {
    one_shape_ = shape;
    for (OwnShapesProcedure& each : procedures) each.u = each.v = shape;
    ASSERT_NO_FATAL_FAILURE(compare(procedures, schedule::standard_recipe()));
  }
  for (const char* step : {"fuse", "pipeline", "pad"}) EXPECT_GT(taken_[step], 0u) << step;
}

std::string name_of_rank(const testing::TestParamInfo<std::tuple<unsigned, std::size_t>>& info) {
  return "program_" + std::to_string(std::get<0>(info.param)) + "_rank_" +
         std::to_string(std::get<1>(info.param));
}
INSTANTIATE_TEST_SUITE_P(Random, OneShapeSeeds,
                         testing::Combine(testing::Range(programs.begin, programs.end),
                                          testing::Range<std::size_t>(1, 4)),
                         name_of_rank);

}  // namespace
}  // namespace rhopsi::property
