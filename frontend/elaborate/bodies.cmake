# The sources that turn expressions and statements into terms, and theories back into syntax.
set(RHOPSI_ELABORATE_BODY_SOURCES
  body.cpp
  calls.cpp
  environment.cpp
  expression_errors.cpp
  expressions.cpp
  leaves.cpp
  literals.cpp
  raise.cpp
  raise_expression.cpp
  raise_casts.cpp
  raise_external.cpp
  raise_statement.cpp
  readings.cpp
  readings_build.cpp
  scope.cpp
  statements.cpp)
