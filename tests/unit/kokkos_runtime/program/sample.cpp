// A program as emission writes them: rank 3, pad 1, entries of every kind.
#include "rhopsi_driver.hpp"
#include "rhopsi_exec.hpp"

namespace {

struct Program {
  rhopsi::Domain<3> domain;
  float dt = 0;

  void step(rhopsi::Field<float, 3>& u, const rhopsi::Field<float, 3>& source, float nu);
  double total(const rhopsi::Field<float, 3>& u) const;
  rhopsi::Field<std::int32_t, 3> rank_of_row() const;
};

void Program::step(rhopsi::Field<float, 3>& u, const rhopsi::Field<float, 3>& source, float nu) {
  const float scale = dt * nu;
  rhopsi::Field<float, 3> next("next", domain);
  const auto next_ = next.overwrite();
  const auto u_ = u.read();
  const auto source_ = source.read();
  rhopsi::for_each_nested(
      "step: program.mg:3:5", domain,
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t j, std::int64_t k) {
        RHOPSI_SITE("program.mg:4:9");
        next_(i, j, k) =
            u_(i, j, k) + source_(i, j, k) +
            scale * (u_(i + 1, j, k) + u_(i - 1, j, k) + u_(i, j + 1, k) + u_(i, j - 1, k) +
                     u_(i, j, k + 1) + u_(i, j, k - 1) - 6.0F * u_(i, j, k));
      });
  u = next;
}

double Program::total(const rhopsi::Field<float, 3>& u) const {
  const auto u_ = u.read();
  double sum = 0;
  const rhopsi::Domain<3> shape = domain;
  Kokkos::parallel_reduce(
      "total", Kokkos::RangePolicy<rhopsi::Exec>(0, shape.size()),
      KOKKOS_LAMBDA(std::int64_t p, double& partial) {
        const std::int64_t k = p % shape.extent[2], ij = p / shape.extent[2];
        partial += u_(ij / shape.extent[1], ij % shape.extent[1], k);
      },
      sum);
  return sum;
}

rhopsi::Field<std::int32_t, 3> Program::rank_of_row() const {
  rhopsi::Field<std::int32_t, 3> result("rows", domain);
  const auto out = result.overwrite();
  rhopsi::for_each_flat(
      "rows", domain, KOKKOS_LAMBDA(const rhopsi::Index<3>& ix) {
        out(ix) = static_cast<std::int32_t>(100 * ix[0] + 10 * ix[1] + ix[2]);
      });
  return result;
}

using rhopsi::driver::Argument;
using rhopsi::driver::Arguments;
using rhopsi::driver::Mode;

Program& of(void* program) { return *static_cast<Program*>(program); }

const rhopsi::driver::Parameter parameters[] = {{"dt", "float32", [](void* program, double value) {
                                                   of(program).dt = static_cast<float>(value);
                                                 }}};

const Argument of_step[] = {{"u", "array float32", Mode::upd},
                            {"source", "array float32", Mode::obs},
                            {"nu", "float32", Mode::obs},
                            {"count", "int64", Mode::upd}};
const Argument of_total[] = {{"u", "array float32", Mode::obs},
                             {"result", "float64", Mode::result}};
const Argument of_rows[] = {{"result", "array int32", Mode::result}};
const Argument of_quotient[] = {
    {"a", "int64", Mode::obs}, {"b", "int64", Mode::obs}, {"result", "int64", Mode::result}};
const Argument of_one[] = {{"u", "array float32", Mode::upd}};

const rhopsi::driver::Entry entries[] = {
    {"step", of_step,
     [](void* program, Arguments& a) {
       of(program).step(a.fresh<float, 3>(0), a.fresh<float, 3>(1), a.scalar<float>(2));
       a.scalar<std::int64_t>(3) += 1;
     }},
    {"total", of_total,
     [](void* program, Arguments& a) {
       a.scalar<double>(1) = of(program).total(a.fresh<float, 3>(0));
     }},
    {"rows", of_rows,
     [](void* program, Arguments& a) { a.array<std::int32_t, 3>(0) = of(program).rank_of_row(); }},
    {"quotient", of_quotient,
     [](void*, Arguments& a) {
       a.scalar<std::int64_t>(2) =
           rhopsi::divide(a.scalar<std::int64_t>(0), a.scalar<std::int64_t>(1));
     }},
    {"stale", of_one,
     [](void* program, Arguments& a) {
       rhopsi::Field<float, 3>& u = a.array<float, 3>(0);
       (void)u.write();
       of(program).step(u, u, 1.0F);
     }},
    {"outside", of_one,
     [](void* program, Arguments& a) {
       const auto u_ = a.array<float, 3>(0).write();
       rhopsi::for_each_nested(
           "outside: program.mg:9:1", of(program).domain,
           KOKKOS_LAMBDA(std::int64_t i, std::int64_t j, std::int64_t k) { u_(i + 2, j, k) = 0; });
     }},
    {"not_a_number", of_one, [](void* program, Arguments& a) {
       const rhopsi::Domain<3>& domain = of(program).domain;
       a.array<float, 3>(0) = rhopsi::pointwise<rhopsi::function::sqrt>(
           "root", domain,
           rhopsi::pointwise<rhopsi::function::subtract>("minus", domain, a.array<float, 3>(0),
                                                         1e9F));
     }}};

}  // namespace

int main(int argc, char** argv) {
  rhopsi::driver::Program program = rhopsi::driver::program_of<Program, 3>();
  program.name = "sample";
  program.element = "float32";
  program.pad = 1;
  program.parameters = parameters;
  program.entries = entries;
  return rhopsi::driver::run(argc, argv, program);
}
