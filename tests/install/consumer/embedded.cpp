// Rewrites a term by the engine alone, and emits a program of a specification by the driver.
#include <cstdio>

#include "engine/term/store.hpp"
#include "frontend/driver/run.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  using namespace rhopsi;
  driver::Session session({});
  driver::EmitRequest request;
  request.file = argv[1];
  request.program = "DNF";
  request.rank = 1;
  syntax::Diagnostics diagnostics;
  const auto emitted = driver::emit(session, request, diagnostics);
  if (!emitted) return 1;
  std::printf("%zu files\n", emitted->files.size());
  return emitted->files.empty() ? 1 : 0;
}
