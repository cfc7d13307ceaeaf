// class Checker: all rules that need names and types, one method per rule; private to the files of this folder. A program
// is checked unit by unit: first its definitions, then each clause once per probe description. A clause is typed
// first (check(...), nothing but types and names), then its actions are checked (actions see only typed expressions).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "catalog/option_values.h"
#include "catalog/version.h"
#include "contract/header_types.h"
#include "frontend/check/actions/format_string.h"
#include "frontend/check/prototype.h"
#include "frontend/semantics/compatibility.h"
#include "frontend/semantics/semantics.h"
#include "support/diagnostic.h"

namespace dscope {

class Checker {
 public:
  Checker(const Program& program, Host& host, const OptionValues& options, Diagnostics& diagnostics, Semantics& meaning,
          HeaderTypes* headers, TargetProcess target);
  void run();

 private:
  struct EnumConstant {
    TypeId type;
    int64_t value = 0;
  };
  using GlobalName = std::variant<VariableId, InlineId, EnumConstant>;
  struct FunctionName {};
  // What a name stands for; monostate: nothing.
  using Meaning = std::variant<std::monostate, VariableId, InlineId, EnumConstant, DefinitionParameter, BuiltinVariable,
                               RawArgument, ArgsArray, FunctionName>;
  using Function = std::variant<std::monostate, Subroutine, Action, AggregationFunction>;

  // Where a call of an action is in its place; anywhere else it is D_CG_EXPR.
  enum class ActionPlace : uint8_t { None, Statement, Key, FormatArgument };

  // What has been created so far, so that a failed attempt can be undone (d-language.md 5.3).
  struct Checkpoint {
    size_t variables = 0, aggregations = 0, pointees = 0;
  };
  struct PointeeChange {
    VariableId variable;
    Space before = Space::None;
  };

  // A mistake in a statement whose turn comes when the statement's actions are checked.
  struct Deferred {
    const Statement* statement = nullptr;
    Diagnostic diagnostic;
  };

  // What earlier statements of a clause forbid (d-language.md 7.4).
  struct ClauseState {
    bool has_recorded = false;       // a recording action or an aggregation
    bool has_recorded_here = false;  // in this block
    bool has_speculated = false;
    bool has_committed = false;
    bool may_have_committed = false;  // in a branch: the clause's record, which was begun before, would come too early
    bool is_live = true;              // false in a branch that is never taken

    // A commit() in a branch may follow what the clause has recorded, as if the branch were a clause of its own.
    ClauseState in_branch() const {
      ClauseState branch = *this;
      branch.has_recorded_here = false;
      return branch;
    }
    // Behind a branch, what it has done may have been done.
    void add_branch(const ClauseState& branch) {
      has_recorded |= branch.has_recorded;
      has_speculated |= branch.has_speculated;
      may_have_committed |= branch.has_committed || branch.may_have_committed;
    }
  };

  // What the words of a unit mean, whoever is asked: that of the unit at work.
  struct UnitMeaning {
    UnitKind kind{};
    UnitRules rules;
    HeaderTypes* headers = nullptr;  // null where a library is checked, which comes before all headers
  };
  // Of a unit, where its clauses end and what their names mean, to type them again.
  struct UnitNames {
    size_t clauses_end = 0;
    std::unordered_map<std::string, VariableId> thises;
    UnitMeaning meaning;
  };
  // How much was defined before the unit at work.
  struct UnitStart {
    size_t variables = 0, inlines = 0;
  };
  struct PendingPragma {
    Position at;
    const Pragma* pragma = nullptr;
  };
  struct DefinedInline {
    InlineId id;
    const InlineDefinition* definition = nullptr;
    UnitMeaning unit;  // that it is defined in
    bool is_typed = false;
    bool is_being_typed = false;  // where it is used
  };

  // A probe of a provider definition. `output` is the translated view of its arguments, made of the arguments with
  // these indices; without one, all arguments as they are.
  struct ProbeInterface {
    std::string name;  // with dashes
    std::vector<TypeId> input, output;
    std::vector<uint32_t> sources;  // parallel to output
  };

  // The names that a definition has for its arguments, in scope while it or a copy of it is typed.
  struct Parameters {
    std::span<const std::string> names;
    std::span<const TypeId> types;
    std::span<const Expr* const> arguments;  // of one use; empty while the definition itself is typed
  };

  enum class ParameterRules : uint8_t { Tuple, Function, ProbeInput, ProbeOutput };
  struct DeclaredType {
    TypeId type;
    const KeysPart* keys = nullptr;  // an associative array of `type`
  };

  // --- errors and places
  template <typename... Args>
  ExprInfo fail(Tag tag, const Position& at, fmt::format_string<Args...> text, Args&&... args) {
    diagnostics_.error(tag, at, "{}", as_scripts_say(fmt::format(text, std::forward<Args>(args)...)));
    return {};
  }
  std::string as_scripts_say(std::string message) const;
  bool failed() const { return diagnostics_.has_errors(); }
  void suggest_type(TypeId incomplete);
  void suggest(std::string_view name, const std::vector<std::string_view>& candidates);
  void defer(Tag tag, const Position& at, std::string message);
  void report_deferred(const Statement* statement);
  void not_available(const Position& at, std::string message);
  void report_unavailable();
  static Position place(const Expr& whole, const Expr& part);

  // --- program (check.cpp)
  void check_unit(const ProgramUnit& unit);
  void define(const External& external);
  void add_unit_plan(const ProgramUnit& unit, size_t first_clause);
  void check_function_names(const Clause& clause);
  void check_constants(const Clause& clause);
  void settle_pointees();
  void complete_error_types();
  void leave_out_idle_clauses();  // idle_clauses.cpp
  UnitMeaning unit_meaning() const { return {.kind = unit_kind_, .rules = unit_rules_, .headers = headers_}; }
  void enter(const UnitMeaning& unit);
  void define_null();
  void define_machine();

  // --- pragmas (pragmas.cpp)
  void check_pragma(const External& external, const Pragma& pragma);
  void apply_pending_pragmas();
  void check_unused_pragmas();
  bool apply_pragma(const Position& at, const Pragma& pragma);
  bool apply_attributes(const Position& at, const Attributes& attributes, const std::string& name);
  bool apply_binding(const Position& at, const std::string& text, const std::string& name);
  bool apply_provider_attributes(const Position& at, const Attributes& attributes, std::string_view word,
                                 const std::string& provider, std::string_view field);
  std::optional<GlobalName> find_own_global(const Position& at, std::string_view pragma, const std::string& name);

  // --- stability (stability.cpp)
  ProviderAttributes bound_provider() const;
  Attributes builtin_attributes(BuiltinVariable id) const;
  Attributes translated_attributes(const TranslatedObject& object, const ExprInfo& member) const;
  Attributes own_attributes(const Expr& expr, const ExprInfo& info) const;
  const Expr* dead_branch(const Expr& expr) const;
  Attributes attributes_of(const Expr& expr, const ExprInfo& info) const;
  void require_attributes(const Expr& expr, const Attributes& attributes);
  void require_attributes(const ProbeSpecifier& specifier, const ClauseInstance& instance);

  // --- clauses (clause_checker.cpp)
  void check_clause(const External& external, const Clause& clause);
  bool check_some(const External& external, ClauseInstance instance);
  ClauseInstance rest_of(const ClauseInstance& instance);
  bool bind_probes(const Clause& clause, const ProbeSpecifier& specifier, ClauseInstance& instance);
  void no_probes(const ProbeSpecifier& specifier, const ProbeDescription& description);
  bool may_match_nothing() const;
  void leave_unavailable(const ProbeSpecifier& specifier, ClauseInstance& instance);
  void check_instance(ClauseInstance& instance, const Position& end);
  void type_instance(const Clause& clause, const Position& end);
  void type_again(ClauseInstance& instance);
  void start_typing();
  void type_body(const Clause& clause);
  void type_predicate(const Clause& clause, const Position& end);
  void type_statements(const std::vector<Statement*>& body);
  void type_statement(const Statement& statement);
  ExprInfo type_statement_expr(const Expr& expr);
  ExprInfo type_statement_ternary(const Expr& expr, const Ternary& ternary);
  ExprInfo type_branch(const Expr& expr);
  bool is_action_call(const Expr& expr) const;
  bool has_bare_action(const Expr& comma) const;
  bool acts(const Expr& expr) const;
  Checkpoint checkpoint() const;
  void roll_back(const Checkpoint& checkpoint);
  template <typename F>
  bool tried(F check);
  void check_statements(const std::vector<Statement*>& body, ClauseState& state);
  void check_statement(const Statement& statement, ClauseState& state);
  void check_effects(const Expr& expr, ClauseState& state);
  void check_order(const Position& at, ActionEffect effect, Action action, ClauseState& state);
  void check_aggregation_order(const Position& at, ClauseState& state);

  // --- expressions: types, constants, spaces
  ExprInfo check(const Expr& expr);
  ExprInfo info(const Expr& expr) const;
  const ExprInfo* known_info(const Expr& expr) const;  // null: it has not been typed
  ExprInfo store(const Expr& expr, ExprInfo info);
  ExprInfo value(TypeId type) const;
  ExprInfo constant(TypeId type, uint64_t number) const;
  bool is_error(const ExprInfo& info) const { return info.type == TypeTable::error_type(); }
  bool is_zero(const ExprInfo& info) const;
  bool is_compatible_value(TypeId formal, const ExprInfo& actual) const;

  ExprInfo check(const Expr& expr, const IntLiteral& form);
  ExprInfo check(const Expr& expr, const StringLiteral& form);
  ExprInfo check(const Expr& expr, const Name& form);
  ExprInfo check(const Expr& expr, const SymbolRef& form);
  ExprInfo check(const Expr& expr, const AggregationRef& form);
  ExprInfo check(const Expr& expr, const Index& form);
  ExprInfo check(const Expr& expr, const Call& form);
  ExprInfo check(const Expr& expr, const Member& form);
  ExprInfo check(const Expr& expr, const Unary& form);
  ExprInfo check(const Expr& expr, const SizeofExpr& form);
  ExprInfo check(const Expr& expr, const SizeofType& form);
  ExprInfo check(const Expr& expr, const Offsetof& form);
  ExprInfo check(const Expr& expr, const Stringof& form);
  ExprInfo check(const Expr& expr, const Cast& form);
  ExprInfo check(const Expr& expr, const Xlate& form);
  ExprInfo check(const Expr& expr, const Binary& form);
  ExprInfo check(const Expr& expr, const Assign& form);
  ExprInfo check(const Expr& expr, const Ternary& form);
  ExprInfo check(const Expr& expr, const Comma& form);
  ExprInfo check(const Expr& expr, const Alternative& form);

  // --- names (name_typer.cpp)
  Meaning find_name(const Name& name) const;
  Meaning find_global(const std::string& name) const;
  bool is_global_name(const std::string& name) const;
  ExprInfo meaning_of(const Expr& expr, const Name& name, const Meaning& meaning);
  ExprInfo variable_info(const Expr& expr, const Name& name, VariableId id);
  ExprInfo inline_info(const Expr& expr, InlineId id);
  ExprInfo alias_info(const Inline& definition, const ExprInfo& value);
  ExprInfo builtin_info(const Expr& expr, BuiltinVariable id);
  ExprInfo parameter_info(const DefinitionParameter& parameter);
  ExprInfo undefined_name(const Expr& expr, const Name& name);
  std::vector<std::string_view> names_like(const Name& name) const;
  std::unordered_map<std::string, VariableId>& locals(VariableScope scope);
  VariableId add_variable(Variable variable);
  bool create_variable(const Expr& expr, const Name& name, TypeId type);
  Space read_pointee(VariableId id);
  static std::string spell(const Name& name);

  // --- operators (operator_typer.cpp, arithmetic_typer.cpp, conversion_typer.cpp)
  ExprInfo operand_error(Tag tag, const Expr& expr, std::string_view op, std::string_view wanted, const ExprInfo& left,
                         const ExprInfo* right = nullptr);
  ExprInfo incompatible(const Expr& expr, std::string_view op, const ExprInfo& left, const ExprInfo& right);
  std::string incompatibility_hint(std::string_view op, const ExprInfo& left, const ExprInfo& right) const;
  ExprInfo check_sign(const Expr& expr, UnaryOp op, const ExprInfo& operand);
  ExprInfo check_not(const Expr& expr, const ExprInfo& operand);
  ExprInfo check_deref(const Expr& expr, const Unary& form, const ExprInfo& operand);
  ExprInfo check_address_of(const Expr& expr, const Unary& form, const ExprInfo& operand);
  ExprInfo check_step(const Expr& expr, const Unary& form);
  ExprInfo check_arithmetic(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right);
  ExprInfo check_additive(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right);
  ExprInfo check_offset(const Expr& expr, const Binary& form, const ExprInfo& base, const ExprInfo& offset);
  ExprInfo check_difference(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right);
  ExprInfo check_comparison(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right);
  ExprInfo check_logical(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right);
  ExprInfo check_shift(const Expr& expr, const Binary& form, const ExprInfo& left, const ExprInfo& right);
  ExprInfo integer_result(BinaryOp op, const ExprInfo& left, const ExprInfo& right);
  bool divides_by_zero(const Expr& expr, BinaryOp op, const ExprInfo& right);
  ExprInfo check_right_operand(const Binary& form, const ExprInfo& left);
  std::optional<ExprInfo> enumerator_operand(const Expr& operand, const ExprInfo& left);
  ExprInfo check_taken(const Expr& expr, const Expr& taken, const Expr& other);
  bool check_branch_kind(const Expr& expr, const ExprInfo& branch);
  ExprInfo check_branches(const Expr& expr, const ExprInfo& first, const ExprInfo& second);
  bool check_constant_index(const Expr& expr, const ExprInfo& array, const ExprInfo& index);
  ExprInfo check_cast(TypeId type, const ExprInfo& operand);
  bool can_cast(TypeId type, const ExprInfo& operand) const;
  ExprInfo size_constant(const Expr& expr, TypeId type);

  // --- spaces (address_spaces.cpp)
  static Space derived(Space space);
  static Space joined(Space a, Space b);
  static bool is_own_memory(Space space) { return space == Space::Storage || may_be_scratch(space); }
  Space loaded_space(const Expr& object, TypeId type, Space object_space, bool within_union);
  Space object_space(const Expr& expr, const ExprInfo& info) const;
  std::optional<VariableId> root_variable(const Expr& expr) const;
  bool record_pointee(const Expr& target, const ExprInfo& target_info, const Expr& source, const ExprInfo& source_info);
  bool join_pointee(const Expr& target, VariableId id, Space space);

  // --- assignment (assignment_typer.cpp)
  bool needs_creation(const Expr& target) const;
  TypeId new_type(const ExprInfo& source) const;
  ExprInfo create_target(const Expr& target, TypeId type);
  ExprInfo create_element(const Expr& target, const Index& form, const Name& name, TypeId type);
  bool can_be_stored(const Expr& expr, const ExprInfo& source);
  bool is_dynamic_storage(const Expr& target) const;
  bool check_writable(const Expr& expr, std::string_view op, const Expr& target, const ExprInfo& info);
  ExprInfo check_plain_assignment(const Expr& expr, const Assign& form);
  ExprInfo check_compound_assignment(const Expr& expr, const Assign& form);
  bool check_compound_operands(const Expr& expr, BinaryOp op, const ExprInfo& left, const ExprInfo& right);

  // --- derived probes (derivations.cpp)
  void derive(const Probe& probe);
  void derive(const Probe& probe, const Derivation& derivation, const Clause& clause);
  void type_derivation(DerivedProbe& derived);

  // --- members and elements (member_typer.cpp)
  bool is_text_of_record(const ProbeArg& argument) const;
  const Expr* named_argument(const Member& form);
  void hint_at_argument(const Expr& base, const std::string& member);
  ExprInfo unknown_member(Tag tag, const Expr& expr, TypeId type, const std::string& member);
  TypeId complete(TypeId type);
  uint64_t size_of(TypeId type);
  ExprInfo check_element(const Expr& expr, const Index& form);
  ExprInfo check_named_index(const Expr& expr, const Index& form, const Name& name, const Meaning& meaning);
  ExprInfo check_associative(const Expr& expr, const Index& form, VariableId id);
  ExprInfo check_inline_call(const Expr& expr, const Index& form, InlineId id);
  std::optional<uint64_t> constant_key(const Expr& expr, const Index& form, std::string_view name);
  ExprInfo check_uregs(const Expr& expr, const Index& form);
  ExprInfo check_args(const Expr& expr, const Index& form);
  ExprInfo expected_args(const Expr& expr, uint64_t index);
  ExprInfo leave_out(const Expr& expr);
  void hint_at_untyped(const Probe& probe);
  ExprInfo typed_argument(const Expr& expr, uint64_t index, const std::vector<ProbeArg>& arguments);
  bool load_signature(const Expr& expr);
  void hint_at_emulated(const std::string& member, TypeId emulated);
  const ExprInfo* derived_argument(const Probe& probe, uint64_t index) const;
  bool check_keys(const Expr& expr, const std::string& name, const Index& form, const std::vector<TypeId>& expected);
  std::optional<std::vector<TypeId>> new_keys(const Index& form, std::string_view what);

  // --- uses of definitions (expansions.cpp)
  Expr* copy_of(const Expr& original);
  // An expression that the program does not have, at the place of one that it has.
  Expr* made(const Position& at, decltype(Expr::form) form);
  const Expr* expand(const Expr& definition, const Parameters& parameters, const Expr& use);
  struct Extent {
    uint64_t size = 1;    // nodes
    uint32_t height = 1;  // the longest way from the expression to a leaf
  };
  Extent extent_of(const Expr& expr);
  bool fits(const Expr& definition, const Expr& use);
  uint64_t emitted_nodes(const Expr& expr) const;
  const Position& place_of_use(const Expr& use) const;
  uint64_t uses_of(const Expr& operand, const Expr& expr) const;
  ExprInfo standing_for(const Expr& value, TypeId type);

  // --- providers (provider_definitions.cpp)
  void check_provider(const External& external, const ProviderDefinition& provider);
  std::optional<ProbeInterface> define_probe(const ProviderProbe& probe);
  bool check_translated_view(const ProviderProbe& probe, ProbeInterface& defined);
  const ProbeInterface* defined_interface(const Probe& probe) const;
  std::vector<ProbeArg> arguments_of(const ProbeInterface& defined);
  TypeId in_user_memory(TypeId type);
  DefinedProbe plain_probe(const ProbeInterface& probe) const;
  DefinedArgument plain_argument(TypeId type) const;
  bool is_same_interface(const std::vector<ProbeInterface>& known, const std::vector<ProbeInterface>& probes) const;

  // --- translators (translators.cpp)
  void define_translator(const External& external, const TranslatorDefinition& form);
  void type_translator(uint32_t index);
  bool check_member_value(const TranslatorMember& member, TypeId type, const ExprInfo& value);
  bool is_exact_type(TypeId a, TypeId b) const;
  bool is_solaris_mode() const { return unit_kind_ != UnitKind::Library && meaning_.is_solaris_mode; }
  std::optional<InlineId> find_solaris(const std::string& name) const;
  void hint_at_symbol(const std::string& name);
  void hint_at_variables();
  ExprInfo fail_without_address(const Expr& expr, const SymbolRef& form);
  std::optional<InlineId> find_inline(const std::string& name) const;
  std::optional<ExprInfo> solaris_member(const Expr& expr, const Member& form, const ExprInfo& base);
  std::optional<ExprInfo> emulated_member(const Expr& expr, const Member& form, const ExprInfo& base,
                                          const char* object_name, const char* members_name);
  std::optional<uint32_t> find_translator(TypeId source, bool is_zero_source, TypeId target) const;
  TypeId type_of_object(const TranslatedObject& object);
  ExprInfo translated(TranslatedObject object);
  // Of an expression that is compared, or asked for its truth.
  ExprInfo check_condition(const Expr& expr) { return as_original(expr, check(expr)); }
  ExprInfo as_original(const Expr& expr, ExprInfo meaning);
  const Expr* expand_member(const Expr& use, const TranslatedObject& object, const TranslatorMember& member,
                            TypeId type);
  ExprInfo translated_member(const Expr& expr, const Member& form, const TranslatedObject& object);
  ExprInfo whole_object(const Expr& expr, const TranslatedObject& object);
  ExprInfo translated_argument(const Expr& expr, const ProbeArg& argument, const ExprInfo& native);

  // --- calls (call_typer.cpp)
  Function find_function(const Expr& expr, const Call& form);
  Function lookup_function(std::string_view name) const;
  const Prototype& prototype_of(std::string_view text);
  ExprInfo check_function(const Expr& expr, const Call& form, const Function& function, std::string_view name,
                          std::string_view prototype);
  bool type_arguments(const Call& form, const Function& function);
  static std::string count_hint(const Function& function, std::string_view name, std::string_view prototype_text);
  bool check_argument_count(const Expr& expr, const Call& form, std::string_view name, const Prototype& prototype);
  bool check_argument_types(const Expr& expr, const Call& form, std::string_view name, const Prototype& prototype);
  bool check_subroutine(const Expr& expr, const Call& form, Subroutine id);
  bool check_scratch_size(const Expr& expr, const Call& form, Subroutine id, size_t argument);
  bool check_scratch_target(const Expr& expr, const Call& form, Subroutine id, size_t argument);
  void bad_argument(const Expr& expr, const Expr& argument, Tag tag, std::string_view name, size_t number,
                    std::string_view wanted, std::string_view found);
  bool is_running_thread(const Expr& expr) const;
  void misplaced_call(const Expr& expr, std::string_view kind, std::string_view name);

  // --- actions (action_checker.cpp, format_checker.cpp)
  void check_action(const Expr& expr, const Call& form, Action action);
  void check_trace(const Expr& expr, const Call& form);
  void check_tracemem(const Expr& expr, const Call& form);
  void print_whole(const Call& form);
  bool is_plain_constant(const Expr& expr) const;
  void check_print(const Expr& expr, const Call& form);
  void check_stack(const Expr& expr, const Call& form, Action action);
  void check_stack_count(const Expr& expr, const Call& form, Tag tag, size_t argument, std::string_view what,
                         bool may_be_zero);
  bool check_aggregation_argument(const Expr& expr, const Call& form, std::string_view name, size_t argument, Tag kind,
                                  Tag undefined);
  void check_normalize(const Expr& expr, const Call& form);
  void check_printf(const Expr& expr, const Call& form, Action action);
  void check_printa(const Expr& expr, const Call& form);
  void check_matching_keys(const Expr& expr, const Expr& first, const Expr& other);
  struct FormatArgument {
    const Expr* expr = nullptr;  // place of errors
    TypeId type;
  };
  struct FormatCall {
    const Expr* expr = nullptr;
    std::string_view name;
    std::vector<FormatArgument> arguments;
    std::optional<TypeId> aggregation_value;  // printa
    bool is_exact = true;                     // all arguments must be used
  };
  void check_format(const FormatCall& call, const StringLiteral& text);
  bool check_conversion(const FormatCall& call, FormatConversion& conversion, size_t number, size_t& next);
  bool check_dynamic(const FormatCall& call, const FormatConversion& conversion, size_t number, bool is_precision,
                     size_t& next, int32_t& field);
  bool format_accepts(const FormatConversion& conversion, TypeId type) const;
  std::string conversion_hint(FormatAccepts accepts, TypeId type) const;
  void keep_format(const Expr& expr, const ParsedFormat& format);

  // --- aggregations (aggregation_typer.cpp, aggregation_checker.cpp)
  static const AggregationRef* aggregation_target(const Expr& target);
  ExprInfo type_aggregation(const Expr& expr, const Assign& form, const AggregationRef& reference);
  bool type_aggregation_keys(const Expr& target, Aggregation& aggregation, bool is_new);
  bool same_key_signature(const Expr& target, const Index& form, const Aggregation& aggregation);
  std::optional<AggregationKey> aggregation_key(const Expr& key, size_t number);
  ExprInfo aggregation_element(const Expr& expr, const Index& form);
  void check_aggregating(const Expr& expr, const Assign& form, ClauseState& state);
  void check_increment(const Expr& expr, const Call& form, std::string_view name, size_t position);
  void check_lquantize(const Expr& expr, const Call& form, Aggregation& aggregation, bool is_first);
  void check_llquantize(const Expr& expr, const Call& form, Aggregation& aggregation, bool is_first);
  bool check_llquantize_steps(const Expr& expr, const uint64_t (&parameters)[4]);
  bool match_parameter(const Expr& expr, Tag tag, std::string_view what, int64_t expected, int64_t found);
  std::optional<int64_t> integer_argument(const Call& form, size_t argument) const;

  // --- declarations (declarations.cpp, type_builder.cpp, inlines.cpp)
  void declare(const Declaration& declaration);
  void declare_name(const DeclSpecifiers& specifiers, TypeId base, const Declarator& declarator);
  void declare_typedef(const Declarator& declarator, TypeId type);
  void declare_extern(const Declarator& declarator, TypeId type);
  void declare_variable(const DeclSpecifiers& specifiers, const Declarator& declarator, const DeclaredType& declared);
  bool check_object_type(const Position& at, TypeId type);
  bool is_same_variable(const Variable& a, const Variable& b) const;
  std::optional<TypeId> type_of(const DeclSpecifiers& specifiers);
  std::optional<TypeId> basic_type(const DeclSpecifiers& specifiers);
  std::nullopt_t unknown_type(const DeclSpecifiers& specifiers, const std::string& module, const std::string& shown);
  TypeId add_program_type(const std::string& name);
  std::optional<TypeId> named_type(const DeclSpecifiers& specifiers, const NamedType& name);
  std::optional<TypeId> tagged_type(const DeclSpecifiers& specifiers, const TagSpecifier& tag);
  std::optional<TypeId> find_type(const std::string& module, const std::string& name);
  std::optional<TypeId> find_program_type(const std::string& name) const;
  std::optional<TypeId> find_header_type(const std::string& name) const;
  std::optional<TypeId> find_solaris_type(const std::string& name) const;
  std::optional<TypeId> find_own_type(const std::string& name) const;
  void define_own_type(const std::string& name, TypeId type);
  std::optional<TypeId> define_struct(const DeclSpecifiers& specifiers, const TagSpecifier& tag);
  std::optional<TypeId> define_enum(const DeclSpecifiers& specifiers, const TagSpecifier& tag);
  std::optional<TypeId> new_tag(const DeclSpecifiers& specifiers, const TagSpecifier& tag);
  bool add_enumerator(const Enumerator& enumerator, TypeId id, int64_t& next);
  std::optional<TypeMember> layout_member(const MemberDecl& member, bool is_union, uint64_t& end_bits,
                                          uint32_t& alignment);
  TypeId complete_member(TypeId type);
  std::optional<uint32_t> bit_field_width(const MemberDecl& member, TypeId type);
  std::optional<TypeId> type_of(const TypeName& name);
  std::optional<DeclaredType> declared_type(TypeId base, const Declarator& declarator, bool is_userland,
                                            bool may_lack_size);
  std::optional<TypeId> array_type(TypeId base, const Declarator& declarator, const ArrayPart& part,
                                   bool may_lack_size);
  std::optional<TypeId> function_type(TypeId result, const FunctionPart& part);
  std::optional<std::vector<TypeId>> parameter_types(const std::vector<Parameter>& parameters, bool has_varargs,
                                                     const Position& at, ParameterRules rules);
  bool check_parameter(const Parameter& parameter, TypeId type, bool is_only, ParameterRules rules);
  void define_inline(const InlineDefinition& definition);
  bool check_inline_name(const InlineDefinition& definition);
  bool is_typed_late(const Position& at, const Expr& value) const;
  static bool names_members(const Expr& expr);
  void type_inline(DefinedInline& defined);
  void type_late(InlineId id, const Expr& use);
  void check_inline_value(DefinedInline& defined, const ExprInfo& found);
  ExprInfo type_definition(const Expr& value, const Parameters* parameters);
  TypeId catalogue_type(std::string_view name);

  const Program& program_;
  Host& host_;
  const OptionValues& options_;
  Diagnostics& diagnostics_;
  Semantics& meaning_;
  TypeTable& types_;
  const Version version_;                     // later built-in names are not there
  std::optional<Attributes> min_attributes_;  // option amin
  UnitStart unit_start_;
  UnitKind unit_kind_{};
  UnitRules unit_rules_;
  std::vector<PendingPragma> pending_pragmas_;
  bool is_next_translator_hidden_ = false;  // #pragma D binding "..." translator
  HeaderTypes* const program_headers_;      // may be null
  TargetProcess target_;
  HeaderTypes* headers_ = nullptr;  // the same; null where a library is checked, which comes before all headers

  std::unordered_map<std::string, GlobalName> globals_;
  std::unordered_map<std::string, VariableId> selves_, thises_;
  std::unordered_map<std::string, AggregationId> aggregations_;
  std::unordered_set<std::string> parameters_known_;  // aggregations whose parameters a use has fixed
  std::unordered_map<std::string, TypeId> extern_types_;
  std::unordered_map<std::string, std::vector<ProbeInterface>> providers_;  // that the program defines
  std::unordered_map<const TypeName*, TypeId> type_names_;
  std::unordered_map<std::string_view, Prototype> prototypes_;

  // Variables whose pointee space was read, and whether one changed later: then everything is typed again.
  std::vector<bool> pointee_read_;
  bool is_pointee_stale_ = false;
  bool takes_unknown_types_ = false;  // in a provider definition that -h or -G reads
  std::vector<PointeeChange> pointee_changes_;

  bool in_header_ = false;                 // at a declaration in an included header (C scope)
  std::unordered_set<uint32_t> defining_;  // structs whose closing brace has not been reached
  uint64_t declared_bytes_ = 0;            // of declared variables
  std::vector<UnitNames> unit_names_;
  std::vector<DefinedInline> inline_definitions_;

  // The clause at work, or null outside clauses.
  ClauseInstance* instance_ = nullptr;
  std::optional<bool> signature_;  // of instance_'s args[]: usable or not, once asked
  // Probes whose args[] are made of other things than those of the instance: they get an instance of their own.
  std::vector<const Probe*> put_off_;
  const Statement* statement_ = nullptr;
  std::vector<Deferred> deferred_;
  const Expr* addressed_ = nullptr;  // the operand of &
  bool has_alternative_ = false;     // another expression stands in for one that fails: nobody sees why it did
  std::optional<Diagnostic> unavailable_;
  std::vector<const Statement*> destructive_calls_;  // statements that call copyout() and its like
  const Expr* placed_call_ = nullptr;                // the call that may be an action
  ActionPlace action_place_ = ActionPlace::None;
  const Parameters* parameters_ = nullptr;  // of the definition that is typed
  uint32_t expansion_depth_ = 0;
  const Expr* outermost_use_ = nullptr;              // of the expansions at work
  std::unordered_map<const Expr*, Extent> extents_;  // of what nodes stand for
  uint32_t depth_ = 0;
};

// Whether `check` went well; whatever it complained about or created is as_untracked_scalar.
template <typename F>
bool Checker::tried(F check) {
  if (failed()) return false;
  Checkpoint before = checkpoint();
  size_t deferred = deferred_.size(), destructive = destructive_calls_.size();
  std::optional<Diagnostic> unavailable = unavailable_;
  bool is_good = check() && !failed();
  diagnostics_.clear();
  roll_back(before);
  deferred_.resize(deferred);
  destructive_calls_.resize(destructive);
  unavailable_ = std::move(unavailable);
  return is_good;
}

}  // namespace dscope
