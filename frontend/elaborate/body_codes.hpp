// The codes of what can be wrong with a body, a guard or an expression.
//
// A code keeps its meaning for ever; a new kind of mistake gets a new code.
#pragma once

namespace rhopsi::elaborate::code {

// Names.
inline constexpr const char* unknown_variable = "E0201";   // no variable of that name is in scope
inline constexpr const char* unknown_operation = "E0202";  // no operation of that name is declared
inline constexpr const char* unknown_type = "E0203";       // a cast or `var` names no type
inline constexpr const char* used_too_early = "E0204";     // a variable is used before its `var`
inline constexpr const char* shadowing = "E0205";  // the name is taken by a variable in scope
inline constexpr const char* unknown_pack =
    "E0206";  // `xs...` where xs is no variadic parameter, or not in a call

// Overloads and sorts.
inline constexpr const char* argument_count =
    "E0210";  // every overload takes another number of arguments
inline constexpr const char* no_overload = "E0211";  // no overload takes arguments of these sorts
inline constexpr const char* ambiguous = "E0212";    // several readings are equally good
inline constexpr const char* wrong_sort =
    "E0213";  // the expression cannot have the sort that its place needs
inline constexpr const char* different_branches =
    "E0214";  // the branches of an `if` have no sort in common, or only one has a value
inline constexpr const char* fold_operation =
    "E0215";  // no function S x S -> S for the element's sort S
inline constexpr const char* forall_sort =
    "E0216";  // the array sort that a `forall` makes is not known
inline constexpr const char* bound_sort =
    "E0217";  // a loop bound has no sort with integer literals
inline constexpr const char* procedure_as_value =
    "E0218";  // a procedure is called inside an expression
inline constexpr const char* not_a_procedure = "E0219";  // `call` of a function or predicate

// Literals.
inline constexpr const char* literal_range =
    "E0220";  // an integer beyond 64 bits, or a real beyond the doubles
inline constexpr const char* literal_sort =
    "E0221";  // no type (or not the one asked for) declares such literals
inline constexpr const char* vector_component =
    "E0222";  // the components of `[...]` have no common sort of numbers

// Modes and effects.
inline constexpr const char* argument_not_variable =
    "E0230";  // an upd or out argument is not a variable
inline constexpr const char* not_assignable =
    "E0231";  // an obs parameter, a constant or an index is changed
inline constexpr const char* changes_outer =
    "E0232";                                     // a value block changes a variable from outside
inline constexpr const char* aliased = "E0233";  // a variable is passed twice, once to be changed
inline constexpr const char* read_before_set =
    "E0234";  // a variable is read where it may not have a value
inline constexpr const char* out_not_set =
    "E0235";  // a path leaves an out parameter without a value

// Statements.
inline constexpr const char* missing_value =
    "E0240";  // a function's block, or a block used as a value, has no `value`
inline constexpr const char* after_value = "E0241";      // a statement stands after `value`
inline constexpr const char* misplaced_value = "E0242";  // `value` where no value is expected
inline constexpr const char* unused_value =
    "E0243";  // (warning) an expression stands as a statement
inline constexpr const char* misplaced_declaration =
    "E0244";                                                 // `var` as a branch or as a whole body
inline constexpr const char* untyped_declaration = "E0245";  // `var x;` with neither type nor value
inline constexpr const char* constant_without_value = "E0246";  // `var obs x: T;`
inline constexpr const char* statement_as_value =
    "E0247";  // a statement stands where a value is needed
inline constexpr const char* iterate_call =
    "E0248";                                     // `iterate n` is not followed by a procedure call
inline constexpr const char* nesting = "E0249";  // blocks are nested too deep

}  // namespace rhopsi::elaborate::code
