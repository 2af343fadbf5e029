// What the grammar can insist on, in the words the user reads. Codes are stable.
#pragma once

#include "frontend/syntax/parse_state.hpp"

namespace rhopsi::syntax::grammar::expected {

// E0110: the head of the package.
inline constexpr Expectation package{
    "E0110", "expected 'package'",
    "a file begins with 'package NAME;' or 'package NAME imports A, B;'"};
inline constexpr Expectation package_name{"E0110", "expected the package's name",
                                          "it is the file's path with dots, such as specs.heat"};
inline constexpr Expectation imported{"E0110", "expected the name of an imported package",
                                      "imports are written 'imports A, B'"};
inline constexpr Expectation head_end{"E0114", "expected ';' after the package's head",
                                      "add ';'; imports are written 'imports A, B'", true};

// E0111: the top level.
inline constexpr Expectation top_declaration{
    "E0111", "expected a declaration",
    "at the top level stand concept, implementation, signature, program, renaming, satisfaction, "
    "schedule"};

// E0112: the items of a module's body.
inline constexpr Expectation body_item{
    "E0112", "expected a declaration or '}'",
    "a body holds type, function, predicate, procedure, axiom, theorem, use, require"};
inline constexpr Expectation body_end{"E0112", "expected '}' at the end of the body", "add '}'"};

// E0113: parts of declarations and module expressions.
inline constexpr Expectation declared_name{"E0113", "expected the declared name",
                                           "names consist of letters, digits and '_'"};
inline constexpr Expectation definition{"E0113", "expected '=' and the definition",
                                        "write '=' after the name"};
inline constexpr Expectation module{"E0113", "expected a module",
                                    "a name, a body in braces, signature(M), rewrite, implement, "
                                    "external, or one of these in parentheses"};
inline constexpr Expectation module_close{"E0113", "expected ')' after this module", "add ')'",
                                          true};
inline constexpr Expectation with{"E0113", "expected 'with' and the rules of this rewrite",
                                  "write 'rewrite TARGET with RULES PASSES'"};
inline constexpr Expectation passes{"E0113", "expected the number of passes of this rewrite",
                                    "write it after the rules: 'rewrite TARGET with RULES 20'"};
inline constexpr Expectation steps{
    "E0113", "expected the number of steps of this rewrite",
    "write it after the strategy: 'rewrite TARGET with RULES by innermost 1000'"};
// E0120: strategies.
inline constexpr Expectation strategy{"E0120", "expected a strategy",
                                      "such as innermost, or seq(once(rule(a)), repeat(rules))"};
inline constexpr Expectation strategy_argument{
    "E0120", "expected an argument of this strategy",
    "a strategy, a number or a name; without arguments it has no parentheses"};
inline constexpr Expectation strategy_end{
    "E0120", "expected ',' or ')' after this argument of a strategy", "add ')'", true};
// E0121: schedules.
inline constexpr Expectation scheduled_program{
    "E0121", "expected the program of this schedule",
    "write 'schedule NAME for PROGRAM on PROCEDURE = { ... }', or leave 'for' out"};
inline constexpr Expectation schedule{"E0121", "expected '{' and the steps of this schedule",
                                      "write 'schedule NAME = { fuse; in_place; }'"};
inline constexpr Expectation schedule_end{"E0121", "expected '}' at the end of this schedule",
                                          "add '}'"};
inline constexpr Expectation used_schedule{"E0121", "expected the name of a schedule",
                                           "write 'use NAME;'"};
inline constexpr Expectation step{"E0121", "expected a step",
                                  "such as 'fuse;', 'pipeline(max_planes = 4);' or 'use NAME;'"};
inline constexpr Expectation step_argument{"E0121", "expected an argument 'name = value'",
                                           "such as 'pipeline(max_planes = 4);'; without "
                                           "arguments a step has no parentheses"};
inline constexpr Expectation step_value{"E0121", "expected the value of this argument",
                                        "a number or a word: 'pipeline(max_planes = 4);'"};
inline constexpr Expectation step_arguments_end{
    "E0121", "expected ',' or ')' after this argument of a step", "add ')'", true};
inline constexpr Expectation step_end{"E0114", "expected ';' after this step", "add ';'", true};
inline constexpr Expectation in{"E0113", "expected 'in' and the module to implement in",
                                "write 'implement GENERATOR in TARGET'"};
inline constexpr Expectation external_path{"E0113", "expected the path of this external module",
                                           "write 'external BACKEND path.name { ... }'"};
inline constexpr Expectation external_module{"E0113",
                                             "expected the declarations of this external module",
                                             "write 'external BACKEND path.name { ... }'"};
inline constexpr Expectation attributes_end{"E0113", "expected ']' after the backend's attributes",
                                            "add ']'"};
inline constexpr Expectation models{
    "E0113", "expected 'models' or 'approximates'",
    "write 'satisfaction NAME = MODEL [with ASSUMPTION] models SPECIFICATION'"};
inline constexpr Expectation renaming{
    "E0113", "expected a renaming block",
    "write '[a => b, c => d]', or '[[a => b]]' for a partial one"};
inline constexpr Expectation renaming_item{"E0113", "expected a renaming",
                                           "a renaming is 'old => new' or the name of a renaming"};
inline constexpr Expectation renaming_target{"E0113", "expected the new name",
                                             "a renaming is 'old => new'"};
inline constexpr Expectation renaming_end{"E0113", "expected ',' or ']' in this renaming block",
                                          "a renaming is 'old => new'; they are separated by ','"};
inline constexpr Expectation partial_end{"E0113", "expected ',' or ']]' in this renaming block",
                                         "what begins with '[[' ends with ']]'"};
inline constexpr Expectation operation_name{"E0113", "expected the operation's name",
                                            "a name, or an operator such as _+_ or -_"};
inline constexpr Expectation parameters{"E0113", "expected '(' and the parameters",
                                        "an operation without parameters has '()'"};
inline constexpr Expectation parameter{
    "E0113", "expected a parameter",
    "a parameter is 'name: Type'; in procedures with obs, upd or out before it"};
inline constexpr Expectation parameter_type{"E0113", "expected ':' and the parameter's type",
                                            "a parameter is 'name: Type'"};
inline constexpr Expectation parameters_end{"E0113", "expected ',' or ')' after this parameter",
                                            "parameters are separated by ','"};
inline constexpr Expectation type{"E0113", "expected a type", "write the name of a type after ':'"};
inline constexpr Expectation literal_kind{"E0113", "expected integer, real or vector",
                                          "write 'type T literals integer, real, vector;'"};
inline constexpr Expectation callable_body{
    "E0113", "expected a body or ';'",
    "a declaration ends with ';', a definition has '{ ... }' or '= EXPRESSION;'"};

// E0114: `;`.
inline constexpr Expectation declaration_end{"E0114", "expected ';' after this declaration",
                                             "add ';'", true};
inline constexpr Expectation use_end{"E0114", "expected ';' after this module", "add ';'", true};
inline constexpr Expectation body_expression_end{"E0114", "expected ';' after this expression",
                                                 "add ';'", true};
inline constexpr Expectation statement_end{
    "E0114", "expected ';' after this statement",
    "every statement ends with ';', also after an inner block or an 'if'", true};

// Of a `forall` that is read as a call, which what follows does not fit.
inline constexpr Expectation one_index{
    "E0114", "expected ')' after the shape",
    "forall (p < shape) ELEMENT has one index, a vector: at(p, 0) is its first component", false,
    true};

// E0115: parts of expressions and statements.
inline constexpr Expectation expression{"E0115", "expected an expression", "write one here"};
inline constexpr Expectation statement{"E0115", "expected a statement or '}'",
                                       "a block holds statements, each ended by ';'"};
inline constexpr Expectation block_end{"E0115", "expected '}' at the end of this block", "add '}'"};
inline constexpr Expectation operand{"E0115", "expected an operand",
                                     "write one after the operator"};
inline constexpr Expectation assigned{"E0115", "expected the value to assign",
                                      "write it after '='"};
inline constexpr Expectation initial{"E0115", "expected the variable's initial value",
                                     "write it after '='"};
inline constexpr Expectation guard{"E0115", "expected the guard's condition",
                                   "write it after 'guard'"};
inline constexpr Expectation argument{"E0115", "expected an argument", "remove the ',' before it"};
inline constexpr Expectation arguments_end{"E0115", "expected ',' or ')' after this argument",
                                           "arguments are separated by ','"};
inline constexpr Expectation element{"E0115", "expected an element", "remove the ',' before it"};
inline constexpr Expectation elements_end{"E0115", "expected ',' or ']' after this element",
                                          "elements are separated by ','"};
inline constexpr Expectation parenthesis_end{"E0115", "expected ')'", "add ')'"};
inline constexpr Expectation then_word{"E0115", "expected 'then'",
                                       "write 'if CONDITION then ... else ...'"};
inline constexpr Expectation then_branch{"E0115", "expected an expression after 'then'",
                                         "write 'skip' where nothing is to be done"};
inline constexpr Expectation else_word{
    "E0115", "expected 'else'",
    "every 'if' has an 'else'; write 'else skip' where nothing is to be done"};
inline constexpr Expectation else_branch{"E0115", "expected an expression after 'else'",
                                         "write 'skip' where nothing is to be done"};
inline constexpr Expectation procedure_call{"E0115", "expected '(' and the procedure's arguments",
                                            "write 'call p(a, b)'"};
inline constexpr Expectation repeated_call{"E0115", "expected the procedure to repeat",
                                           "write 'iterate N p(a, b)'"};
inline constexpr Expectation range{"E0115", "expected '..' and the upper bound",
                                   "write 'for i in low .. high { ... }'"};
inline constexpr Expectation low_bound{"E0115", "expected the lower bound",
                                       "write 'for i in low .. high { ... }'"};
inline constexpr Expectation high_bound{"E0115", "expected the upper bound",
                                        "write 'for i in low .. high { ... }'"};
inline constexpr Expectation loop_body{"E0115", "expected '{' and the loop's body",
                                       "a loop's body is a block"};
inline constexpr Expectation bound_word{"E0115",
                                        "expected 'bound' and the largest number of rounds",
                                        "write 'while CONDITION bound N { ... }'"};
inline constexpr Expectation bound{"E0115", "expected the largest number of rounds",
                                   "write 'while CONDITION bound N { ... }'"};
inline constexpr Expectation binder{"E0115", "expected 'variable < bound'",
                                    "write 'fold op (k < n) e' or 'forall (i < shape) e'"};
inline constexpr Expectation binder_end{"E0115", "expected ')' after the bound", "add ')'"};
inline constexpr Expectation binder_body{"E0115", "expected the body of this binder",
                                         "write 'fold op (k < n) e' or 'forall (i < shape) e'"};
inline constexpr Expectation expression_end{"E0115", "expected the end of the expression",
                                            "remove what follows, or join it by an operator"};

}  // namespace rhopsi::syntax::grammar::expected
