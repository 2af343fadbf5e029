// The diagnostics of packages and modules. Codes are stable: a message may be worded
// anew, its code keeps its meaning.
#pragma once

namespace rhopsi::elaborate::codes {

// Modules and names.
inline constexpr const char* unknown_module = "E0301";  // no module of that name is visible
inline constexpr const char* ambiguous_name = "E0302";  // several imports declare the name
inline constexpr const char* module_cycle = "E0303";    // a module is defined through itself
inline constexpr const char* declared_twice = "E0304";  // two top-level declarations of one name
inline constexpr const char* wrong_declaration =
    "E0305";  // a renaming where a module is needed, or so
// Renaming.
inline constexpr const char* unknown_source =
    "E0306";                                          // a total block renames what is not declared
inline constexpr const char* source_twice = "E0307";  // a block renames one name twice
inline constexpr const char* renaming_cycle = "E0308";  // a renaming is defined through itself
// Declarations.
inline constexpr const char* unknown_type = "E0309";  // a signature uses an undeclared type
inline constexpr const char* pack_misused = "E0310";  // a pack of types where a type is needed
inline constexpr const char* body_not_allowed =
    "E0311";  // an operation is defined in a concept or signature
inline constexpr const char* axiom_not_allowed = "E0312";   // an axiom stands outside a concept
inline constexpr const char* axiom_without_body = "E0313";  // an axiom states nothing
inline constexpr const char* reserved_type = "E0314";       // a type takes a name of the language
inline constexpr const char* parameter_twice = "E0315";     // two parameters of one name
inline constexpr const char* mode_misplaced =
    "E0316";  // a mode is missing, or has no meaning there
inline constexpr const char* result_misplaced =
    "E0317";  // a result type is missing, or has no meaning there
// Merging.
inline constexpr const char* two_definitions =
    "E0318";  // one operation has two different definitions
inline constexpr const char* modes_disagree =
    "E0319";  // one procedure is declared with different modes
inline constexpr const char* type_bound_twice = "E0320";  // one type is bound to two externals
inline constexpr const char* axiom_twice = "E0321";  // one axiom is declared with different bodies
// Programs.
inline constexpr const char* abstract_type = "E0322";  // a type of a program is not bound
inline constexpr const char* abstract_callable =
    "E0323";  // an operation of a program is not defined
// Externals.
inline constexpr const char* unknown_backend = "E0324";     // no backend of that name
inline constexpr const char* unknown_path = "E0325";        // the backend has no such path
inline constexpr const char* external_type = "E0326";       // the backend cannot bind the type
inline constexpr const char* external_operation = "E0327";  // the backend cannot bind the operation
inline constexpr const char* body_in_external =
    "E0328";  // an operation is defined inside an external block
// Variadics.
inline constexpr const char* several_packs = "E0329";  // more than one variadic parameter in a list
inline constexpr const char* too_many_instances =
    "E0337";  // variadic calls that call for ever more instances
// Transformations.
inline constexpr const char* left_is_variable = "E0330";  // a rule's left side is a variable
inline constexpr const char* unbound_right =
    "E0331";  // a rule's right side has a variable of its own
inline constexpr const char* unbound_condition =
    "E0332";  // a rule's condition has a variable of its own
inline constexpr const char* statements_no_rule =
    "E0349";                                              // statements that cannot stand for others
inline constexpr const char* cannot_implement = "E0333";  // an equation that gives no definition
inline constexpr const char* no_rules =
    "E0334";  // (warning) rewriting with a module without equations
inline constexpr const char* unknown_strategy = "E0345";    // no strategy of that name
inline constexpr const char* strategy_arguments = "E0346";  // arguments that a strategy has not
inline constexpr const char* strategy_name =
    "E0347";  // a strategy names a rule, callable or variable that is not there
inline constexpr const char* cannot_reverse = "E0348";  // an axiom that cannot be turned round
// Schedules.
inline constexpr const char* unknown_step = "E0351";   // no step of that name
inline constexpr const char* step_argument = "E0352";  // an argument that the step has not
inline constexpr const char* step_twice = "E0353";     // one step with two bounds
inline constexpr const char* other_schedule =
    "E0354";  // a schedule of another program, or on another callable
inline constexpr const char* scheduled_callable =
    "E0355";  // a schedule is on a callable that is not there
inline constexpr const char* schedule_name =
    "E0356";  // a schedule called auto, off ..., or one that uses off or tuned
inline constexpr const char* schedule_cycle = "E0357";  // a schedule is defined through itself
// Satisfactions.
inline constexpr const char* missing_type = "E0335";  // the model lacks a type of the specification
inline constexpr const char* missing_operation =
    "E0336";  // the model lacks an operation of the specification

// More of declarations, externals and merging.
inline constexpr const char* required_with_body = "E0338";  // `require` before a definition
inline constexpr const char* external_without_file =
    "E0339";  // the path of an external names no file
inline constexpr const char* nothing_to_bind =
    "E0340";  // an external of what is bound elsewhere already
inline constexpr const char* requirements_differ =
    "E0341";  // one external is used twice with different requirements
inline constexpr const char* too_many_errors = "E0342";  // the rest of a module is not looked at
inline constexpr const char* modules_too_deep =
    "E0343";                                      // too many modules, each defined through the next
inline constexpr const char* no_width = "E0350";  // of pads, for all that rules ask for

// Packages and files.
inline constexpr const char* file_too_large = "E0105";  // more than 64 MiB
inline constexpr const char* unreadable = "E0401";      // a file cannot be read
inline constexpr const char* wrong_package_name =
    "E0402";  // the package's name is not its file's path
inline constexpr const char* import_not_found = "E0403";  // no file for an imported package
inline constexpr const char* import_cycle = "E0404";      // packages import each other in a circle
inline constexpr const char* package_twice = "E0405";     // two files for one package name
inline constexpr const char* unknown_package = "E0406";   // a package that was not loaded
inline constexpr const char* imports_too_deep =
    "E0407";  // too many packages, each imported by the one before

}  // namespace rhopsi::elaborate::codes
