#include "frontend/elaborate/widths.hpp"

#include "engine/rewrite/widths.hpp"
#include "frontend/elaborate/elaborate.hpp"
#include "frontend/elaborate/module_codes.hpp"

namespace rhopsi::elaborate {

std::vector<term::SymbolId> found_widths(const ModuleContext& context, const term::Theory& theory) {
  std::vector<term::SymbolId> found;
  for (const term::Callable& callable : theory.callables) {
    if (callable.external && context.table.is_found_width(*callable.external)) {
      found.push_back(callable.symbol);
    }
  }
  return found;
}

bool state_widths(const ModuleContext& context, Module& module, const syntax::Name& program) {
  term::Theory& theory = module.theory;
  const std::vector<term::SymbolId> widths = found_widths(context, theory);
  if (widths.empty()) return true;
  // A width may have had another name where it was asked for. One number is the bound for all.
  std::vector<term::WidthNeed> needs;
  for (const auto& derivation : term::derivations_of(theory)) {
    needs.insert(needs.end(), derivation->widths.begin(), derivation->widths.end());
  }
  const auto width =
      rewrite::common_width(context.store, context.oracle,
                            interpretation_of(context.store, theory, context.table), needs);
  if (!width) {
    context.error(codes::no_width, program.span,
                  "no pads of a width up to " + std::to_string(rewrite::greatest_width) +
                      " are what every rule of program " + in_quotes(program.text) + " asks for",
                  "state a width, as in `function padding(): Offset = 1;`; rules that need another "
                  "one then do not fire");
    return false;
  }
  for (term::SymbolId symbol : widths) {
    term::Callable* callable = theory.find(symbol);
    callable->external.reset();
    callable->body =
        context.store.make(context.store.integer_literal(*width, context.store[symbol].result), {},
                           {}, callable->location);
  }
  return true;
}

}  // namespace rhopsi::elaborate
