// Expressions and statements. The alternatives of an atom are tried in the order of
// the language's definition; a form that begins with a word is given up for a plain
// name where the whole of it does not fit, since no word is reserved.
#pragma once

#include "frontend/syntax/expectations.hpp"
#include "frontend/syntax/expression_actions.hpp"

namespace rhopsi::syntax::grammar {

enum FormId {
  assert_form,
  var_form,
  if_form,
  call_form,
  value_form,
  for_form,
  iterate_form,
  while_form,
  fold_form,
  forall_form,
  rewrite_form,
  implement_form,
  external_form
};

inline const MalformedNumberParser malformed_number;
inline const BinaryOperatorParser binary_operator;
inline const PrefixOperatorParser prefix_operator;
inline const ResultFollowsParser result_follows;
inline const OperatorFollowsParser operator_follows;
inline const AssignmentAllowedParser assignment_allowed;

struct ExpressionId {};
struct ChainId {};
struct OperandId {};
struct AtomId {};
struct ArgumentsId {};
struct StatementId {};

// After an error in a statement, the block goes on behind it.
struct BlockItemId {
  template <typename Exception, typename Context>
  x3::error_handler_result on_error(Iterator& first, const Iterator& last, const Exception& thrown,
                                    const Context& context) {
    ParseState& state = state_of(context);
    state.report();
    const Resumption next = resume_statement(first, thrown.where(), last);
    if (next.lost) return x3::error_handler_result::rethrow;
    state.reported = false;
    first = next.place;
    return x3::error_handler_result::accept;
  }
};

template <int number>
struct NodeRuleId {};

const x3::rule<ExpressionId, ExprPtr> expression = "expression";
const x3::rule<ChainId, Chain> chain = "chain";
const x3::rule<OperandId, Operand> operand = "operand";
const x3::rule<AtomId, ExprPtr> atom = "atom";
const x3::rule<ArgumentsId, std::vector<ExprPtr>> arguments = "arguments";
const x3::rule<StatementId, ExprPtr> statement = "statement";
const x3::rule<BlockItemId, ExprPtr> block_item = "statement";
const x3::rule<NodeRuleId<0>, ExprPtr> name_form_rule = "name";
const x3::rule<NodeRuleId<1>, ExprPtr> block = "block";
const x3::rule<NodeRuleId<2>, ExprPtr> vector_literal = "vector";
const x3::rule<NodeRuleId<3>, ExprPtr> real_literal = "real";
const x3::rule<NodeRuleId<4>, ExprPtr> pack_expansion = "pack";
const x3::rule<NodeRuleId<5>, ExprPtr> assert_expression = "assert";
const x3::rule<NodeRuleId<6>, ExprPtr> declaration = "var";
const x3::rule<NodeRuleId<7>, ExprPtr> if_expression = "if";
const x3::rule<NodeRuleId<8>, ExprPtr> if_statement = "if";
const x3::rule<NodeRuleId<9>, ExprPtr> procedure_call = "call";
const x3::rule<NodeRuleId<10>, ExprPtr> value_expression = "value";
const x3::rule<NodeRuleId<11>, ExprPtr> value_statement = "value";
const x3::rule<NodeRuleId<12>, ExprPtr> skip_statement = "skip";
const x3::rule<NodeRuleId<13>, ExprPtr> for_statement = "for";
const x3::rule<NodeRuleId<14>, ExprPtr> iterate_statement = "iterate";
const x3::rule<NodeRuleId<15>, ExprPtr> while_statement = "while";
const x3::rule<NodeRuleId<16>, ExprPtr> fold_expression = "fold";
const x3::rule<NodeRuleId<17>, ExprPtr> forall_expression = "forall";
const x3::rule<NodeRuleId<18>, ExprPtr> plain_call = "call";
const x3::rule<NodeRuleId<19>, ExprPtr> symbolic_call = "call";
const x3::rule<struct CountId, ExprPtr> count = "count";
const x3::rule<struct ArgumentId, ExprPtr> argument = "argument";
const x3::rule<struct RepeatedId, ExprPtr> repeated_call = "call";

inline const auto cast = ':' >> expect(name, expected::type);

// Chains of operators --------------------------------------------------------

inline const auto expression_def = nested(chain[FinishChain{}]);
inline const auto chain_def = operand[AddOperand{}] >>
                              *(binary_operator[AddOperator{}] >>
                                expect(operand, expected::operand)[AddOperand{}]);
inline const auto operand_def =
    located(prefix_operator[set_member<&Operand::prefix>] >>
                expect(atom, expected::operand)[set_member<&Operand::expression>] |
            atom[set_member<&Operand::expression>]);

// Atoms ----------------------------------------------------------------------

// `if(a, b)` and `if()` are calls: what cannot be one expression in parentheses is
// not insisted on here.
inline const auto parenthesis_end = !(x3::lit(',') | "...") >>
                                        expect(x3::lit(')'), expected::parenthesis_end) |
                                    want(x3::lit(')'), expected::parenthesis_end);
inline const auto parenthesis = '(' >> !x3::lit(')') >>
                                unlimited(expect(kept(expression), expected::expression))[take] >>
                                parenthesis_end;

inline const auto atom_def = parenthesis | block[take] | vector_literal[take] | real_literal[take] |
                             malformed_number | symbolic_call[take] | assert_expression[take] |
                             declaration[take] | if_expression[take] | procedure_call[take] |
                             value_expression[take] | skip_statement[take] | for_statement[take] |
                             iterate_statement[take] | while_statement[take] |
                             fold_expression[take] | forall_expression[take] | name_form_rule[take];

inline const auto argument_def = pack_expansion[take] | kept(expression)[take];
inline const auto arguments_def =
    -(argument[push] >> *(',' >> expect(argument, expected::argument)[push]));
inline const auto argument_list = unlimited(arguments) >>
                                  expect(x3::lit(')'), expected::arguments_end);

inline const auto name_form_rule_def =
    located(name[BeginVariable{}] >> (assignment_allowed >> symbol("=") >>
                                          expect(expression, expected::assigned)[ToAssignment{}] |
                                      '(' >> argument_list[ToCall{}] >> -(cast[SetCast{}]) |
                                      nothing[FinishVariable{}] >> -(cast[SetCast{}])));

// `_+_(a, b) : T`.
inline const auto symbolic_call_def =
    located(symbol_name[BeginVariable{}] >> '(' >> argument_list[ToCall{}] >> -(cast[SetCast{}]));

inline const auto vector_literal_def = located(
    '[' >> begin_node<VectorLiteral>() >> unlimited(arguments)[set<&VectorLiteral::elements>] >>
    expect(x3::lit(']'), expected::elements_end) >> -(cast[SetCast{}]));
inline const auto real_literal_def = located(real[BeginReal{}] >> -(cast[SetCast{}]));
inline const auto pack_expansion_def = located(name[BeginPack{}] >> "...");

// Forms that begin with a word -----------------------------------------------

inline const auto assert_expression_def = located(
    form(assert_form, "assert", begin_node<Assert>() >> expression[set<&Assert::condition>]));

inline const auto declaration_def = located(
    form(var_form, "var",
         begin_node<Declaration>() >>
             -(word("obs") >> &name >> nothing[RaiseField<&Declaration::is_constant>{}]) >>
             name[set<&Declaration::name>] >> -(':' >> expect(name, expected::type)[([](auto& c) {
                                                  std::get<Declaration>(x3::_val(c)->node).type =
                                                      TypeRef{std::move(x3::_attr(c))};
                                                })]) >>
             -(symbol("=") >> expect(expression, expected::initial)[set<&Declaration::initial>])));

inline const auto if_head = begin_node<If>() >>
                            tentative(unlimited(expression))[set<&If::condition>] >>
                            want(word("then"), expected::then_word);
inline const auto else_word = expect(word("else"), expected::else_word);

inline const auto if_expression_def = located(
    form(if_form, "if",
         if_head >> unlimited(expect(expression, expected::then_branch))[set<&If::then_branch>] >>
             else_word >> expect(expression, expected::else_branch)[set<&If::else_branch>]));

inline const auto procedure_call_def = located(
    form(call_form, "call",
         begin_node<Call>() >> operation_name[set<&Call::callee>] >>
             want(x3::lit('('), expected::procedure_call) >> argument_list[set<&Call::arguments>] >>
             nothing[RaiseField<&Call::is_procedure_call>{}]));

// `value(x)` is a call, and `value + 1` has an operand.
inline const auto value_expression_def = located(form(
    value_form, "value",
    !x3::lit('(') >> !operator_follows >> begin_node<Value>() >> expression[set<&Value::result>]));

inline const auto skip_statement_def = located(word("skip") >> !x3::lit('(') >> !x3::lit(':') >>
                                               !operator_follows >> begin_node<Skip>());

inline const auto for_statement_def = located(
    form(for_form, "for",
         begin_node<For>() >> name[set<&For::variable>] >> word("in") >>
             limited(expect(expression, expected::low_bound), range_level - 1)[set<&For::low>] >>
             expect(x3::lit(".."), expected::range) >>
             limited(expect(expression, expected::high_bound), range_level - 1)[set<&For::high>] >>
             expect(block, expected::loop_body)[set<&For::body>]));

inline const auto plain_call_def =
    located(name[BeginVariable{}] >> want(x3::lit('('), expected::repeated_call) >>
            argument_list[ToCall{}]);
inline const auto repeated_call_def = procedure_call[take] | plain_call[take];
inline const auto count_def = parenthesis | real_literal[take] | malformed_number |
                              limited(symbolic_call, loosest_level)[take] |
                              limited(name_form_rule, loosest_level)[take];
inline const auto iterate_statement_def =
    located(form(iterate_form, "iterate",
                 begin_node<Iterate>() >> tentative(count)[set<&Iterate::count>] >>
                     want(repeated_call, expected::repeated_call)[set<&Iterate::call>]));

inline const auto while_statement_def =
    located(form(while_form, "while",
                 begin_node<While>() >> tentative(unlimited(expression))[set<&While::condition>] >>
                     want(word("bound"), expected::bound_word) >>
                     unlimited(expect(expression, expected::bound))[set<&While::bound>] >>
                     expect(block, expected::loop_body)[set<&While::body>]));

inline const auto fold_expression_def =
    located(form(fold_form, "fold",
                 begin_node<Fold>() >> operation_name[set<&Fold::operation>] >> '(' >>
                     name[set<&Fold::variable>] >> want(less, expected::binder) >>
                     unlimited(expect(expression, expected::expression))[set<&Fold::count>] >>
                     expect(x3::lit(')'), expected::binder_end) >>
                     expect(expression, expected::binder_body)[set<&Fold::body>]));

inline const auto forall_expression_def = located(
    form(forall_form, "forall",
         begin_node<Forall>() >> '(' >> name[set<&Forall::variable>] >> less >>
             tentative(unlimited(kept(expression)))[set<&Forall::shape>] >>
             want(x3::lit(')'), expected::one_index) >>
             want(expression, expected::binder_body)[set<&Forall::body>] >> -(cast[SetCast{}])));

// Statements -----------------------------------------------------------------

inline const auto if_statement_def = located(
    nested(form(if_form, "if",
                if_head >> expect(statement, expected::then_branch)[set<&If::then_branch>] >>
                    else_word >> expect(statement, expected::else_branch)[set<&If::else_branch>])));
inline const auto value_statement_def = located(
    word("value") >> &result_follows >> begin_node<Value>() >> expression[set<&Value::result>]);
inline const auto statement_def = value_statement[take] | if_statement[take] | expression[take];

inline const auto block_item_def = !x3::lit('}') >> expect(statement, expected::statement)[take] >>
                                   expect(x3::lit(';'), expected::statement_end);
inline const auto block_def =
    located('{' >> begin_node<Block>() >> unlimited(*(block_item[AddStatement{}])) >>
            expect(x3::lit('}'), expected::block_end));

BOOST_SPIRIT_DEFINE(expression, chain, operand, atom, arguments, statement, block_item, count,
                    argument, repeated_call)
BOOST_SPIRIT_DEFINE(name_form_rule, block, vector_literal, real_literal, pack_expansion)
BOOST_SPIRIT_DEFINE(assert_expression, declaration, if_expression, if_statement, procedure_call)
BOOST_SPIRIT_DEFINE(value_expression, value_statement, skip_statement, for_statement)
BOOST_SPIRIT_DEFINE(iterate_statement, while_statement, fold_expression, forall_expression,
                    plain_call, symbolic_call)

}  // namespace rhopsi::syntax::grammar
