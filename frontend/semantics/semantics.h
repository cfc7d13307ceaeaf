// Semantics: what checking adds to the tree, kept beside it: the type, place and meaning of every expression, the
// variables, aggregations and inlines of the program, and one ClauseInstance per clause and probe description, because
// args[] may be typed differently for each. Made by check(), read by plan_builder and codegen.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "catalog/catalog.h"
#include "contract/defined_provider.h"
#include "contract/host.h"
#include "contract/program_plan.h"
#include "contract/type.h"
#include "frontend/syntax/ast.h"

namespace dscope {

// Where an object lies, or where a pointer value points (d-language.md 3.3).
enum class Space : uint8_t {
  None,     // a plain value; for pointers made from integers: treated as Kernel when dereferenced
  Storage,  // D variables, array elements, string results: directly addressable by the program
  Scratch,  // alloca()/copyin() memory
  Mixed,    // Scratch or another space, found out when it runs: `c ? alloca(8) : p`
  Loaded,   // the same of a pointer that scratch memory holds: `list->next`
  Kernel,   // kernel address: checked copy
  Trusted,  // kernel object reached from curthread by members only: the verifier allows direct loads
  User,     // user address: checked copy from the current process
};

// Is what a pointer means known only when it runs to be scratch memory, or always to be?
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
// A parameter of an inline or the input of a translator; only while the definition itself is typed. In a use, the name
// stands for the argument (ExprInfo::stands_for).
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
struct FormatId {
  uint32_t index = 0;
};
struct SymbolAddress {
  uint64_t address = 0;
};  // kernel symbol: an lvalue in Kernel space at this address

// What a name, call, index or member node stands for.
using Binding = std::variant<std::monostate, BuiltinVariable, RawArgument, ArgsArray, TypedArgument, UserRegister,
                             VariableId, AggregationId, InlineId, DefinitionParameter, Subroutine, Action,
                             AggregationFunction, SymbolAddress, MemberPlace>;

struct Translator {
  TypeId output, input;
  const TranslatorDefinition* definition = nullptr;
};

// A member of a translated object that is evaluated as part of the whole object.
struct TranslatedMember {
  MemberPlace place;
  const Expr* value = nullptr;
};

// What xlate gives: an object that exists only by its members. Each use of a member is an expression of its own.
struct TranslatedObject {
  TypeId type;  // of the object, also if this is a pointer to it
  bool is_pointer = false;
  uint32_t translator = 0;  // index into Semantics::translators
  const Expr* operand = nullptr;
  std::vector<TranslatedMember> members;  // filled where the whole object is wanted: `x = xlate <T> (e)`
};

struct ExprInfo {
  TypeId type;
  // For pointer and string-compatible values: where they point. For lvalues (arrays, structs, dereferences): where the
  // object is. Strings of D are always Storage.
  Space space = Space::None;
  bool is_lvalue = false;
  bool is_writable = false;
  bool is_checked = false;  // false: not typed (callee names, dead parts)
  bool is_bitfield = false;
  // Integer constant after folding, narrowed to `type` and sign- or zero-extended to 64 bits. When set, nothing below
  // this node needs to be emitted.
  std::optional<uint64_t> constant;
  Binding binding;
  Attributes attributes;  // the lowest of all that the expression names
  // What is emitted in place of this node, converted to `type`: the value of an inline, the argument of a parameter,
  // the expression of a translated member. Nothing below this node is emitted then.
  const Expr* stands_for = nullptr;
  // Of a translated member: what is evaluated once, before it, because it is named more often. Null: nothing.
  const Expr* operand = nullptr;
  // Of type Dynamic, unless the whole object is wanted.
  const TranslatedObject* translated = nullptr;
};

struct Variable {
  std::string name;
  VariableScope scope{};
  TypeId type;  // of the value (of the element for associative arrays)
  bool is_associative = false;
  std::vector<TypeId> keys;     // key types of an associative array
  Space pointee = Space::None;  // pointers: where they point, joined over all assignments
  bool is_explicit = false;     // declared
  Attributes attributes;
};

// Whether there is a process of -c or -p.
enum class TargetProcess : uint8_t { None, Given };

// A key of an aggregation: an ordinary value, or the result of stack(), sym() and the like.
struct AggregationKey {
  TypeId type;
  std::optional<Action> action;  // stack ustack jstack sym func mod usym ufunc umod uaddr
};

struct Aggregation {
  std::string name;
  AggregationFunction function{};
  std::vector<AggregationKey> keys;
  int64_t parameters[4] = {};  // as AggregationPlan::parameters
  bool is_defined = false;     // some statement assigns it
  uint32_t line = 0;           // of its first definition
};

struct Inline {
  std::string name;
  TypeId type;
  const Expr* value = nullptr;
  bool has_parameters = false;
  std::vector<std::string> parameter_names;
  std::vector<TypeId> parameter_types;
  std::optional<uint64_t> constant;
  std::optional<Attributes> attributes;  // of a pragma; else those of the value
};

// A printf-like call: fields of `plan` count the value arguments after the format (argument 1 is field 0); in printa,
// the keys of the first aggregation.
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
  uint32_t number = 0;  // running number over all units: dt_clause_<number>
  const Clause* clause = nullptr;
  uint32_t specifier = 0;   // index in clause->probes
  std::string description;  // prov:mod:func:name as written, expanded
  std::vector<const Probe*> probes;
  std::vector<ExprInfo> infos;  // by node id minus clause->first_node
  bool is_destructive = false;
  bool has_record = false;        // data-recording: prints a row (consumer-and-actions.md 1.6)
  bool gains_probes = false;      // of programs that the process executes later: what their names need is not known
  const Expr* untyped = nullptr;  // of a probe that is yet to come; because of it the clause is left out
  bool never_runs = false;        // its predicate is the constant 0: nothing of it gets into the program

  // What the clause names of its probes; a probe given by its number is that probe.
  ProbeDescription bound_to() const {
    const ProbeSpecifier& written = clause->probes[specifier];
    if (!written.id) return description_of(written);
    if (probes.empty()) return {};
    const Probe& probe = *probes.front();
    return {
        .id = {}, .provider = probe.provider, .module = probe.module, .function = probe.function, .name = probe.name};
  }
};

// One of Probe::derivations, typed on the probe it is made of.
struct DerivedProbe {
  const Probe* probe = nullptr;
  const Derivation* derivation = nullptr;
  ClauseInstance instance;                 // of no number; its predicate may be missing
  std::vector<const Expr*> arguments;      // args[0]...
  std::vector<const Expr*> raw_arguments;  // arg0...; parallel

  const Probe& base() const { return *instance.probes.front(); }
};

struct Semantics {
  bool is_solaris_mode = false;  // option compat=solaris: the program, not the libraries, is meant as there
  std::unique_ptr<TypeTable> types;
  std::vector<Variable> variables;
  std::vector<Aggregation> aggregations;  // in order of first appearance
  std::vector<Inline> inlines;
  std::vector<DefinedProvider> providers;  // of the program and of libraries
  std::vector<Translator> translators;     // in order of definition
  std::deque<TranslatedObject> translated_objects;
  // Copies of definitions, one for each use of an inline with parameters or of a translated member. Their ids follow
  // those of the program; their meaning is in global_infos.
  std::deque<Expr> expansions;
  std::deque<CheckedFormat> formats;
  std::vector<ClauseInstance> clauses;
  std::deque<DerivedProbe> derived_probes;  // that clauses are bound to
  // Expressions outside clauses (inline values, array sizes, expansions): by node id.
  std::vector<ExprInfo> global_infos;
  // Format of a printf/printa/... call node; by node id, -1: none. (The same for all instances of a clause.)
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
