// Semantics: the results of checking, in tables beside the tree: the type, address space and binding of every
// expression, and the variables, aggregations and inlines of the program. Each clause has one ClauseInstance per probe
// description, because the types of args[] may differ between them. check() returns it; plan_builder and codegen read
// it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/dialect.h"
#include "catalog/number_names.h"
#include "contract/defined_provider.h"
#include "contract/probe.h"
#include "contract/program_plan.h"
#include "contract/types/member.h"
#include "contract/types/type.h"
#include "frontend/syntax/ast.h"

namespace dscope {

// The address space of an object, or of a pointer's target (d-language.md 3.3).
enum class Space : uint8_t {
  None,     // a plain value; a pointer made from an integer, which a dereference treats as Kernel
  Storage,  // D variables, array elements, string results: directly addressable by the program
  Scratch,  // alloca()/copyin() memory
  Mixed,    // Scratch or another space, decided at run time: `c ? alloca(8) : p`
  Loaded,   // as Mixed, for a pointer loaded from scratch memory: `list->next`
  Kernel,   // kernel address: checked copy
  Trusted,  // kernel object reached from curthread by members only: the verifier allows direct loads
  User,     // user address: checked copy from the current process
};

// Whether a pointer of this space points to scratch memory, always or depending on the run.
inline bool may_be_scratch(Space space) {
  return space == Space::Scratch || space == Space::Mixed || space == Space::Loaded;
}

struct VariableId {
  uint32_t index = 0;
};
struct AggregationId {
  uint32_t index = 0;
};
struct InlineId {
  uint32_t index = 0;
};
// A parameter of an inline or the input of a translator, bound only while the checker types the definition itself. In a
// use of the definition, the name stands for the argument (ExprInfo::stands_for).
struct DefinitionParameter {
  uint32_t index = 0;
};
struct RawArgument {
  uint32_t index = 0;
};  // arg0..arg9
struct ArgsArray {};  // args, in args[n]
struct TypedArgument {
  uint32_t index = 0;
};  // bound to the Index node args[n]
struct UserRegister {
  uint32_t index = 0;
};  // bound to the Index node uregs[n]
struct TracedName {
  uint32_t index = 0;
};  // $x: index into Semantics::traced_names
struct FormatId {
  uint32_t index = 0;
};
struct SymbolAddress {
  uint64_t address = 0;
};  // kernel symbol: an lvalue in Kernel space at this address

// The entity that a name, call, index or member node refers to.
using Binding = std::variant<std::monostate, BuiltinVariable, RawArgument, ArgsArray, TypedArgument, UserRegister,
                             TracedName, VariableId, AggregationId, InlineId, DefinitionParameter, Subroutine, Action,
                             AggregationFunction, SymbolAddress, ResolvedMember>;

struct Translator {
  TypeId output, input;
  const TranslatorDefinition* definition = nullptr;
};

// A member of a translated object, for uses of the whole object.
struct TranslatedMember {
  ResolvedMember target;
  const Expr* value = nullptr;
  const Expr* condition = nullptr;  // without it, the member is 0 and its value is not evaluated; null: none
};

// The result of xlate: an object that exists only through its members. Each use of a member is a separate expression.
struct TranslatedObject {
  TypeId type;  // of the object, also if `is_pointer`
  bool is_pointer = false;
  uint32_t translator = 0;  // index into Semantics::translators
  const Expr* operand = nullptr;
  std::vector<TranslatedMember> members;  // only where the program uses the whole object: `x = xlate <T> (e)`
};

struct ExprInfo {
  TypeId type;
  // For pointer and string-compatible values: the space of the target. For lvalues (arrays, structs, dereferences): the
  // space of the object. D strings are always Storage.
  Space space = Space::None;
  bool is_lvalue = false;
  bool is_writable = false;
  bool is_checked = false;  // false: not typed (callee names, dead parts)
  uint32_t bit_size = 0;    // of a bit-field; 0 for everything else
  // The integer constant after folding, with 64 bits: like other values it is not narrowed to `type` before it is cast,
  // stored or recorded. If set, codegen emits nothing below this node.
  std::optional<uint64_t> constant;
  Binding binding;
  Attributes attributes;  // the lowest of all names in the expression
  // The expression that codegen emits in place of this node, converted to `type`: the value of an inline, the argument
  // of a parameter, the expression of a translated member. If set, codegen emits nothing below this node.
  const Expr* stands_for = nullptr;
  // For a translated member that names its operand several times: the operand, which codegen evaluates once, before the
  // member. Otherwise null.
  const Expr* operand = nullptr;
  // Set for the result of xlate. `type` is then Dynamic, unless the program uses the whole object.
  const TranslatedObject* translated = nullptr;
};

struct Variable {
  std::string name;
  VariableScope scope{};
  TypeId type;  // of the value (of the element for associative arrays)
  bool is_associative = false;
  std::vector<TypeId> keys;     // key types of an associative array
  Space pointee = Space::None;  // for pointers: the space of the target, joined over all assignments
  bool is_explicit = false;     // declared
  // self->: where a goroutine fires the probe, the variable belongs to the goroutine (option threads).
  bool follows_goroutines = false;
  Attributes attributes;
};

// Whether -c or -p names a target process.
enum class TargetProcess : uint8_t { None, Given };

// A key of an aggregation: an ordinary value, or the result of stack(), sym() and the like.
struct AggregationKey {
  TypeId type;
  std::optional<Action> action;  // stack ustack jstack sym func mod usym ufunc umod uaddr
  // The group of the numbers, if they are of the same one in all statements: %s then prints their names.
  std::optional<NumberGroup> numbers;
};

struct Aggregation {
  std::string name;
  AggregationFunction function{};
  std::vector<AggregationKey> keys;
  int64_t parameters[4] = {};                 // as AggregationPlan::parameters
  std::vector<PercentileNumber> percentiles;  // as AggregationPlan::percentiles
  uint32_t line = 0;                          // of its first definition
};

struct Inline {
  std::string name;
  TypeId type;
  const Expr* value = nullptr;
  bool has_parameters = false;
  std::vector<std::string> parameter_names;
  std::vector<TypeId> parameter_types;
  std::optional<uint64_t> constant;
  std::optional<Attributes> attributes;  // from a pragma; if empty, those of the value apply
};

// The format of a printf-like call. The fields of `plan` count the value arguments after the format (argument 1 is
// field 0), or the keys of the first aggregation for printa.
struct CheckedFormat {
  FormatPlan plan;
};

inline ProbeDescription description_of(const ProbeSpecifier& written) {
  return {.id = written.id,
          .provider = written.provider,
          .module = written.module,
          .function = written.function,
          .name = written.name};
}

// One clause typed for one of its probe descriptions.
struct ClauseInstance {
  uint32_t number = 0;  // counts the instances of all units: dt_clause_<number>
  const Clause* clause = nullptr;
  uint32_t specifier = 0;   // index in clause->probes
  std::string description;  // prov:mod:func:name as written, after macro expansion
  std::vector<const Probe*> probes;
  std::vector<ExprInfo> infos;  // by node id minus clause->first_node
  bool is_destructive = false;
  bool has_record = false;        // data-recording: prints a row (consumer-and-actions.md 1.6)
  bool gains_probes = false;      // the process may execute further programs, whose probe names may be longer
  const Expr* untyped = nullptr;  // has no type because its probe does not exist yet; dscope then omits the clause
  bool never_runs = false;        // its predicate is the constant 0, so dscope emits no code for it

  // Returns the probe description of this instance. For a probe given by its id, the description of that probe.
  ProbeDescription bound_to() const {
    if (clause->probes.empty()) return {};
    const ProbeSpecifier& written = clause->probes[specifier];
    if (!written.id) return description_of(written);
    if (probes.empty()) return {};
    const Probe& probe = *probes.front();
    return {
        .id = {}, .provider = probe.provider, .module = probe.module, .function = probe.function, .name = probe.name};
  }
};

// One of Probe::derivations, typed against its base probe.
struct DerivedProbe {
  const Probe* probe = nullptr;
  const Derivation* derivation = nullptr;
  ClauseInstance instance;                 // has no number and perhaps no predicate
  std::vector<const Expr*> arguments;      // args[0]...
  std::vector<const Expr*> raw_arguments;  // arg0...; parallel

  const Probe& base() const { return *instance.probes.front(); }
};

struct Semantics {
  Dialect dialect;  // of the program; libraries are always written for Linux
  std::unique_ptr<TypeTable> types;
  std::vector<Variable> variables;
  std::vector<Aggregation> aggregations;  // in order of first appearance
  std::vector<Inline> inlines;
  std::vector<std::string> traced_names;   // of the variables of traced programs that clauses use
  std::optional<uint32_t> goroutine_name;  // index of goroutine_number in traced_names, if variables follow goroutines
  std::vector<DefinedProvider> providers;  // of the program and the libraries
  std::vector<Translator> translators;     // in order of definition
  std::deque<TranslatedObject> translated_objects;
  // Copies of definitions, one for each use of an inline with parameters or of a translated member. Their ids follow
  // those of the program; their infos are in global_infos.
  std::deque<Expr> expansions;
  std::deque<CheckedFormat> formats;
  std::vector<ClauseInstance> clauses;
  std::deque<DerivedProbe> derived_probes;  // those with clauses
  // The infos of expressions outside clauses (inline values, array sizes, expansions), by node id.
  std::vector<ExprInfo> global_infos;
  // The format of a printf/printa/... call, by node id; -1: none. All instances of a clause share it.
  std::vector<int32_t> format_of_node;
  std::vector<UnitPlan> units;

  const ExprInfo& info(const ClauseInstance& instance, const Expr& expr) const {
    const Clause& clause = *instance.clause;
    if (expr.id.index >= clause.first_node.index && expr.id.index < clause.end_node.index)
      return instance.infos[expr.id.index - clause.first_node.index];
    return global_infos[expr.id.index];
  }
};

}  // namespace dscope
