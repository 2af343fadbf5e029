#include "tests/unit/lower/shaped_fixture.hpp"
namespace rhopsi {
namespace {
TEST_F(Shaped, Probe) {
  std::ifstream in(getenv("PROBE"));
  std::string all((std::istreambuf_iterator<char>(in)), {});
  ASSERT_TRUE(load(all));
  for (const auto& c : theory->callables) {
    if (store[c.symbol].kind != term::SymbolKind::procedure || !c.body) continue;
    std::cout << "=== " << store[c.symbol].name << "\n" << form(store[c.symbol].name) << "\n";
  }
}
}
}
