#include "frontend/driver/run.hpp"

#include "frontend/driver/certificate.hpp"
#include "frontend/driver/generated_inputs.hpp"
#include "frontend/driver/stages.hpp"

namespace rhopsi::driver {

std::optional<RunResult> run(Session& session, RunRequest request, const Listener& listener,
                             syntax::Diagnostics& diagnostics) {
  const bool reference = request.backend == Backend::reference;
  const auto program = driver::program(session, request.file, request.program, diagnostics);
  if (!program) return std::nullopt;
  if (!certified(session, *program, request, diagnostics)) return std::nullopt;
  const auto entry = find_entry(session, *program, request.entry, diagnostics);
  if (!entry) return std::nullopt;
  request.entry = entry->name;
  GeneratedInputs generated;
  generated.write(request.inputs, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  const bool domain = has_arrays(session, *program) && !has_own_shapes(session, *program);
  if (domain) request.shape = shape_of(request);
  check_request(session, request, *program, *entry, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return reference ? run_reference(session, request, *program, *entry, listener, diagnostics)
                   : run_kokkos(session, request, *program, *entry, listener, diagnostics);
}

}  // namespace rhopsi::driver
