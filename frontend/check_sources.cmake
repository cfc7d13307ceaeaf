set(DSCOPE_CHECK_SOURCES
  alike.cpp check.cpp check_action.cpp check_aggregation.cpp check_arithmetic.cpp check_assignment.cpp check_call.cpp
  check_clause.cpp check_conversion.cpp check_declaration.cpp check_derivation.cpp check_expansion.cpp check_expression.cpp check_format.cpp check_idle.cpp
  check_inline.cpp
  check_member.cpp check_names.cpp check_operator.cpp check_pragma.cpp check_provider.cpp check_quantize.cpp check_space.cpp check_stability.cpp
  check_translator.cpp check_type.cpp
  compatibility.cpp format_string.cpp prototype.cpp
  advice.cpp advice_syntax.cpp foreign_probe.cpp source_context.cpp)
