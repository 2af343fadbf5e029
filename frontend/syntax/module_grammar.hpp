// Packages, modules and declarations.
#pragma once

#include <charconv>

#include "frontend/syntax/expression_grammar.hpp"

namespace rhopsi::syntax::grammar {

struct TopId {};
struct ModuleExprId {};
struct RenamingBlockId {};
struct TypeDeclId {};
struct CallableId {};
struct UseId {};
struct ModuleDeclId {};
struct RenamingDeclId {};
struct SatisfactionId {};
struct StrategyId {};
struct ScheduleId {};
struct ScheduleItemId {};

// After an error in an item, the body goes on behind it.
struct BodyItemId {
  template <typename Exception, typename Context>
  x3::error_handler_result on_error(Iterator& first, const Iterator& last, const Exception& thrown,
                                    const Context& context) {
    ParseState& state = state_of(context);
    state.report();
    const Resumption next = resume_item(first, thrown.where(), last);
    if (next.lost) return x3::error_handler_result::rethrow;
    state.reported = false;
    first = next.place;
    return x3::error_handler_result::accept;
  }
};

const x3::rule<struct HeadId, Package> head = "package";
const x3::rule<TopId, TopDecl> top_declaration = "declaration";
const x3::rule<ModuleDeclId, ModuleDecl> module_declaration = "module";
const x3::rule<RenamingDeclId, RenamingDecl> renaming_declaration = "renaming";
const x3::rule<SatisfactionId, SatisfactionDecl> satisfaction = "satisfaction";
const x3::rule<ScheduleId, ScheduleDecl> schedule = "schedule";
const x3::rule<ScheduleItemId, ScheduleItem> schedule_item = "step";
const x3::rule<struct StepArgumentId, StepArgument> step_argument = "argument";
const x3::rule<ModuleExprId, ModulePtr> module_expression = "module";
const x3::rule<struct ModuleAtomId, ModulePtr> module_atom = "module";
const x3::rule<struct RewriteId, ModulePtr> rewrite_module = "rewrite";
const x3::rule<StrategyId, StrategyExpr> strategy = "strategy";
const x3::rule<struct ImplementId, ModulePtr> implement_module = "implement";
const x3::rule<struct ExternalId, ModulePtr> external_module = "external";
const x3::rule<struct BodyId, ModulePtr> module_body = "body";
const x3::rule<RenamingBlockId, RenamingBlock> renaming_block = "renaming";
const x3::rule<struct RenamingItemId, RenamingItem> renaming_item = "renaming";
const x3::rule<BodyItemId, BodyItem> body_item = "declaration";
const x3::rule<TypeDeclId, TypeDecl> type_declaration = "type";
const x3::rule<CallableId, CallableDecl> callable = "callable";
const x3::rule<UseId, UseDecl> use_declaration = "use";
const x3::rule<struct ParameterId, Parameter> parameter = "parameter";
const x3::rule<struct ParameterTypeId, TypeRef> parameter_type = "type";

// Actions --------------------------------------------------------------------

template <typename Node>
struct BeginModule {
  template <typename Context>
  void operator()(Context& context) const {
    ModulePtr& result = x3::_val(context);
    result = std::make_shared<ModuleExpr>();
    result->node.emplace<Node>();
  }
};
template <typename Node>
auto begin_module() {
  return nothing[BeginModule<Node>{}];
}

template <auto value, auto field>
struct Assign {
  template <typename Context>
  void operator()(Context& context) const {
    x3::_val(context).*field = value;
  }
};
template <auto value, auto field>
inline constexpr Assign<value, field> assign{};

struct AddRenamingBlock {
  template <typename Context>
  void operator()(Context& context) const {
    x3::_val(context)->renamings.push_back(std::move(x3::_attr(context)));
  }
};

struct AddBodyItem {
  template <typename Context>
  void operator()(Context& context) const {
    ParseState& state = state_of(context);
    if (!state.item_failed) {
      std::get<ModuleBody>(x3::_val(context)->node).items.push_back(std::move(x3::_attr(context)));
    }
    state.item_failed = false;
    state.forget();
  }
};

struct SetBound {
  template <typename Context>
  void operator()(Context& context) const {
    ParseState& state = state_of(context);
    const Name& number = x3::_attr(context);
    Rewrite& rewrite = std::get<Rewrite>(x3::_val(context)->node);
    const char* end = number.text.data() + number.text.size();
    if (std::from_chars(number.text.data(), end, rewrite.bound).ec != std::errc{}) {
      const Iterator where = state.begin + number.span.begin;
      state.fail(where, state.begin + number.span.end, "E0117", "this bound is too large",
                 "it is at most 18446744073709551615");
      throw_failure(where);
    }
    rewrite.bound_span = number.span;
  }
};

struct SetResult {
  template <typename Context>
  void operator()(Context& context) const {
    x3::_val(context).result = TypeRef{std::move(x3::_attr(context))};
  }
};

// A block needs no `;` after it, an expression does.
struct BodyIsBlock {
  template <typename Context>
  void operator()(Context& context) const {
    const ExprPtr& body = x3::_val(context).body;
    x3::_pass(context) = body && std::holds_alternative<Block>(body->node);
  }
};

inline const auto arrow = x3::lit("=>");

// Strategies -----------------------------------------------------------------

inline const auto strategy_argument =
    expect(strategy, expected::strategy_argument)[push_member<&StrategyExpr::arguments>];
inline const auto strategy_def =
    nested(strategy_word[set_member<&StrategyExpr::word>] >>
           -('(' >> (strategy_argument % ',') >> expect(x3::lit(')'), expected::strategy_end)));
inline const auto by_strategy = word("by") >>
                                expect(strategy, expected::strategy)[set<&Rewrite::strategy>] >>
                                expect(digits, expected::steps)[SetBound{}];

// Module expressions ---------------------------------------------------------

inline const auto module_expression_def =
    located(nested(module_atom[take] >> *renaming_block[AddRenamingBlock{}]));

inline const auto module_atom_def =
    '(' >> expect(module_expression, expected::module)[take] >>
        expect(x3::lit(')'), expected::module_close) |
    module_body[take] |
    word("signature") >> '(' >> begin_module<SignatureOf>() >>
        expect(module_expression, expected::module)[set<&SignatureOf::module>] >>
        expect(x3::lit(')'), expected::module_close) |
    rewrite_module[take] | implement_module[take] | external_module[take] |
    begin_module<ModuleName>() >> module_path[set<&ModuleName::name>];

inline const auto rewrite_module_def =
    form(rewrite_form, "rewrite",
         begin_module<Rewrite>() >> module_expression[set<&Rewrite::target>] >>
             want(word("with"), expected::with) >>
             expect(module_expression, expected::module)[set<&Rewrite::rules>] >>
             (by_strategy | expect(digits, expected::passes)[SetBound{}]));
inline const auto implement_module_def =
    form(implement_form, "implement",
         begin_module<Implement>() >> module_expression[set<&Implement::generator>] >>
             want(word("in"), expected::in) >>
             expect(module_expression, expected::module)[set<&Implement::target>]);
inline const auto external_module_def =
    form(external_form, "external",
         begin_module<External>() >> backend[set<&External::backend>] >>
             -('[' >> AttributeTextParser{}[set<&External::attributes>] >>
               expect(x3::lit(']'), expected::attributes_end)) >>
             want(path, expected::external_path)[set<&External::path>] >>
             want(module_expression, expected::external_module)[set<&External::module>]);

inline const auto module_body_def = '{' >> begin_module<ModuleBody>() >>
                                    unlimited(*(body_item[AddBodyItem{}])) >>
                                    expect(x3::lit('}'), expected::body_end);

inline const auto next_item = ',' >>
                              expect(renaming_item,
                                     expected::renaming_item)[push_member<&RenamingBlock::items>];
inline const auto renaming_items =
    -(renaming_item[push_member<&RenamingBlock::items>] >> *next_item);
inline const auto renaming_block_def =
    located("[[" >> nothing[assign<true, &RenamingBlock::partial>] >> renaming_items >>
                expect(x3::lit("]]"), expected::partial_end) |
            '[' >> renaming_items >> expect(x3::lit(']'), expected::renaming_end));
inline const auto renaming_item_def =
    renamed[set_member<&RenamingItem::source>] >>
    -(arrow >> expect(renamed, expected::renaming_target)[set_member<&RenamingItem::target>]);

// Items of a body ------------------------------------------------------------

inline const auto callable_kind =
    word("axiom")[assign<CallableKind::axiom, &CallableDecl::kind>] |
    word("theorem")[assign<CallableKind::theorem, &CallableDecl::kind>] |
    word("function")[assign<CallableKind::function, &CallableDecl::kind>] |
    word("predicate")[assign<CallableKind::predicate, &CallableDecl::kind>] |
    word("procedure")[assign<CallableKind::procedure, &CallableDecl::kind>];
inline const auto callable_word =
    word("axiom") | word("theorem") | word("function") | word("predicate") | word("procedure");

inline const auto literal_kind =
    word("integer")[assign<true, &TypeDecl::integer_literals>] | word("real")[([](auto& context) {
      x3::_val(context).real_literals = x3::_val(context).integer_literals = true;
    })] |
    word("vector")[assign<true, &TypeDecl::vector_literals>];

inline const auto type_declaration_def =
    located(-(word("require") >> nothing[raise_member<&TypeDecl::required>]) >> word("type") >>
            expect(name, expected::declared_name)[set_member<&TypeDecl::name>] >>
            -(x3::lit("...")[raise_member<&TypeDecl::pack>]) >>
            -(word("literals") >> (expect(literal_kind, expected::literal_kind) % ',')) >>
            expect(x3::lit(';'), expected::declaration_end));

inline const auto mode =
    (word("obs") >> &name)[([](auto& context) { x3::_val(context).mode = Mode::obs; })] |
    (word("upd") >> &name)[([](auto& context) { x3::_val(context).mode = Mode::upd; })] |
    (word("out") >> &name)[([](auto& context) { x3::_val(context).mode = Mode::out; })];
inline const auto parameter_type_def = name[set_member<&TypeRef::name>] >>
                                       -(x3::lit("...")[raise_member<&TypeRef::variadic>]);
inline const auto parameter_def = -mode >> name[set_member<&Parameter::name>] >>
                                  expect(x3::lit(':'), expected::parameter_type) >>
                                  expect(parameter_type,
                                         expected::type)[set_member<&Parameter::type>];
inline const auto parameters =
    -(parameter[push_member<&CallableDecl::parameters>] >>
      *(',' >> expect(parameter, expected::parameter)[push_member<&CallableDecl::parameters>]));

inline const auto callable_tail =
    block[set_member<&CallableDecl::body>] |
    symbol("=") >> expect(expression, expected::expression)[set_member<&CallableDecl::body>] >>
        (nothing[BodyIsBlock{}] | expect(x3::lit(';'), expected::body_expression_end)) |
    ';';

inline const auto callable_def =
    located(-(word("require") >> nothing[raise_member<&CallableDecl::required>]) >> callable_kind >>
            expect(operation_name, expected::operation_name)[set_member<&CallableDecl::name>] >>
            expect(x3::lit('('), expected::parameters) >> parameters >>
            expect(x3::lit(')'), expected::parameters_end) >>
            -(':' >> expect(name, expected::type)[SetResult{}]) >>
            -(word("guard") >> limited(expect(expression, expected::guard),
                                       loosest_level)[set_member<&CallableDecl::guard>]) >>
            expect(callable_tail, expected::callable_body));

inline const auto use_declaration_def =
    located((word("use") | word("require")[raise_member<&UseDecl::require>]) >>
            expect(module_expression, expected::module)[set_member<&UseDecl::module>] >>
            expect(x3::lit(';'), expected::use_end));

// `require` and `use` come before a module named `type` or `function` too.
inline const auto type_follows = word("type") | word("require") >> word("type") >> name;
inline const auto callable_follows =
    callable_word | word("require") >> callable_word >> operation_name >> '(';
inline const auto any_item = &type_follows >> type_declaration[take] |
                             &callable_follows >> callable[take] | use_declaration[take];
inline const auto body_item_def = !x3::lit('}') >> expect(any_item, expected::body_item) >>
                                  *x3::lit(';');

// The top level --------------------------------------------------------------

inline const auto head_def = expect(word("package"), expected::package) >>
                             expect(path, expected::package_name)[set_member<&Package::name>] >>
                             -(word("imports") >>
                               (expect(path, expected::imported)[push_member<&Package::imports>] %
                                ',')) >>
                             expect(x3::lit(';'), expected::head_end) >> *x3::lit(';');

inline const auto module_kind =
    word("concept")[assign<ModuleKind::concept_, &ModuleDecl::kind>] |
    word("implementation")[assign<ModuleKind::implementation, &ModuleDecl::kind>] |
    word("signature")[assign<ModuleKind::signature, &ModuleDecl::kind>] |
    word("program")[assign<ModuleKind::program, &ModuleDecl::kind>];
inline const auto equals = expect(symbol("="), expected::definition);

inline const auto module_declaration_def = located(
    module_kind >> expect(name, expected::declared_name)[set_member<&ModuleDecl::name>] >> equals >>
    expect(module_expression, expected::module)[set_member<&ModuleDecl::definition>]);
inline const auto renaming_declaration_def = located(
    word("renaming") >> expect(name, expected::declared_name)[set_member<&RenamingDecl::name>] >>
    equals >> expect(renaming_block, expected::renaming)[set_member<&RenamingDecl::block>]);
inline const auto satisfaction_def = located(
    word("satisfaction") >>
    expect(name, expected::declared_name)[set_member<&SatisfactionDecl::name>] >> equals >>
    expect(module_expression, expected::module)[set_member<&SatisfactionDecl::model>] >>
    -(word("with") >>
      expect(module_expression, expected::module)[set_member<&SatisfactionDecl::with>]) >>
    expect(word("models") | word("approximates")[raise_member<&SatisfactionDecl::approximates>],
           expected::models) >>
    expect(module_expression, expected::module)[set_member<&SatisfactionDecl::specification>]);

inline const auto step_argument_def =
    name[set_member<&StepArgument::name>] >> expect(symbol("="), expected::step_argument) >>
    expect(name, expected::step_value)[set_member<&StepArgument::value>];
inline const auto step_arguments = -(
    '(' >>
    (expect(step_argument, expected::step_argument)[push_member<&ScheduleItem::arguments>] % ',') >>
    expect(x3::lit(')'), expected::step_arguments_end));
inline const auto used_schedule = word("use") >> nothing[raise_member<&ScheduleItem::use>] >>
                                  expect(path,
                                         expected::used_schedule)[set_member<&ScheduleItem::word>];
inline const auto schedule_step =
    -(word("require") >> nothing[raise_member<&ScheduleItem::required>]) >>
    expect(name, expected::step)[set_member<&ScheduleItem::word>] >> step_arguments;
inline const auto schedule_item_def = !x3::lit('}') >> located(used_schedule | schedule_step) >>
                                      expect(x3::lit(';'), expected::step_end);
inline const auto schedule_def = located(
    word("schedule") >> expect(name, expected::declared_name)[set_member<&ScheduleDecl::name>] >>
    -(word("for") >>
      expect(module_path, expected::scheduled_program)[set_member<&ScheduleDecl::program>]) >>
    -(word("on") >>
      expect(operation_name, expected::operation_name)[set_member<&ScheduleDecl::callable>]) >>
    equals >> expect(x3::lit('{'), expected::schedule) >>
    *(schedule_item[push_member<&ScheduleDecl::items>]) >>
    expect(x3::lit('}'), expected::schedule_end));

inline const auto any_declaration =
    module_declaration[take] | renaming_declaration[take] | satisfaction[take] | schedule[take];
inline const auto top_declaration_def = expect(any_declaration, expected::top_declaration) >>
                                        *x3::lit(';');

BOOST_SPIRIT_DEFINE(head, top_declaration, module_declaration, renaming_declaration, satisfaction)
BOOST_SPIRIT_DEFINE(module_expression, module_atom, rewrite_module, implement_module,
                    external_module)
BOOST_SPIRIT_DEFINE(module_body, renaming_block, renaming_item, body_item, type_declaration)
BOOST_SPIRIT_DEFINE(callable, use_declaration, parameter, parameter_type, strategy)
BOOST_SPIRIT_DEFINE(schedule, schedule_item, step_argument)

}  // namespace rhopsi::syntax::grammar
