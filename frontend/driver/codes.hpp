// The codes of the driver's diagnostics. docs/cli.md says what each asks of the user.
#pragma once

namespace rhopsi::driver::codes {

// What is run
inline constexpr const char* not_a_program =
    "E0800";  // emit and run need a module declared `program`
inline constexpr const char* unknown_entry =
    "E0801";  // no procedure or function of that name can be run
inline constexpr const char* entry_needed = "E0802";  // several entries (or none), and no --entry
inline constexpr const char* unknown_callable = "E0803";  // -f names nothing in the program
inline constexpr const char* unknown_program_file =
    "E0804";  // a file or folder to check does not exist or holds nothing
inline constexpr const char* unreadable_file = "E0401";  // a file that is there and cannot be read
inline constexpr const char* no_concept = "E0805";       // a file of --with declares no concept
inline constexpr const char* no_cases = "E0807";         // a file of cases that cannot be read
inline constexpr const char* no_term = "E0808";          // normalize has no term
inline constexpr const char* term_too_large = "E0809";   // or one that does not fit into memory
inline constexpr const char* library_missing =
    "E0806";  // eval does not find the library of operations

// What modules say
inline constexpr const char* contradiction =
    "E0344";  // (warning) two axioms say differently what the shape or the element of an operation
              // is
inline constexpr const char* axiom_twice = "E0321";  // one axiom with different bodies

// What expressions do

// What is handed in
inline constexpr const char* malformed_option =
    "E0810";                                         // a value that cannot be read: --set nu=abc
inline constexpr const char* given_twice = "E0811";  // one name twice in --in, --out or --set
inline constexpr const char* unknown_argument = "E0812";   // --in or --out names no such argument
inline constexpr const char* missing_input = "E0813";      // an argument that is read has no --in
inline constexpr const char* unknown_parameter = "E0814";  // --set names no run-time parameter
inline constexpr const char* missing_parameter = "E0815";  // a run-time parameter without --set
inline constexpr const char* bad_shape =
    "E0816";  // --shape is missing, or does not fit the program, or has no meaning for it
inline constexpr const char* array_unreadable = "E0820";  // no such file, or not an array file
inline constexpr const char* array_shape =
    "E0821";  // the file's shape is not the run's, or its rank not the argument's
inline constexpr const char* array_type =
    "E0822";  // the file's element type does not fit the argument
inline constexpr const char* checkpoint_unusable =
    "E0823";  // a checkpoint that is damaged, or of another program or run

// What is written
inline constexpr const char* unwritable =
    "E0830";  // the folder of an output does not exist or is not writable
inline constexpr const char* foreign_folder =
    "E0831";  // emit's folder holds what emit did not write
inline constexpr const char* write_failed =
    "E0832";  // writing failed half-way: nothing was left behind
inline constexpr const char* checkpoint_unwritten =
    "E0833";  // a checkpoint could not be written; the run went on

// Certificates
inline constexpr const char* certificate_unreadable =
    "E0850";  // no such file, or no certificate that this command reads
inline constexpr const char* step_does_not_hold = "E0851";  // a step that the checker refuses
inline constexpr const char* condition_assumed =
    "E0852";  // with --no-assume: a condition that rests on a guard that nothing has shown
inline constexpr const char* unknown_rule =
    "E0853";  // --why-not names a rule that no transformation of the program has
inline constexpr const char* no_such_rule = "E0855";  // `rules show` names nothing
inline constexpr const char* no_such_code = "E0856";  // of `explain-error`
inline constexpr const char* unknown_step = "E0854";  // no such step or position in the derivation

// Choosing a schedule
inline constexpr const char* machine_unreadable =
    "E0860";  // the description of a machine that RHOPSI_MACHINE names
inline constexpr const char* kept_damaged =
    "E0861";  // (warning) what tune has kept cannot be read, and is ignored
inline constexpr const char* nothing_kept = "E0862";  // --schedule tuned, and nothing was tuned
inline constexpr const char* nothing_to_tune =
    "E0863";  // the entry has one form under any schedule

// Compiling and running
inline constexpr const char* target_missing = "E0840";  // the Kokkos at hand lacks the target
inline constexpr const char* run_failed = "E0842";      // the program ended in an error
inline constexpr const char* not_lowered = "E0845";     // the program has no operational form
inline constexpr const char* header_missing =
    "E0846";  // the header of an external C++ block is nowhere
inline constexpr const char* nested_too_deep = "E0847";  // a body nested too deep to be printed

}  // namespace rhopsi::driver::codes
