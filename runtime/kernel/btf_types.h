// KernelTypes: imports the types of the kernel and its modules from BTF into a TypeTable, on demand. Structs, unions
// and enums have no members until complete() is called.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "contract/types/type.h"
#include "runtime/kernel/btf_index.h"
#include "runtime/kernel/machine_record.h"

namespace dscope {

// The number of pointers, arrays, qualifiers and names around a type. Longer chains are circular: whoever built a
// module wrote its types.
inline constexpr uint32_t max_btf_chain = 128;

class KernelTypes {
 public:
  // `directory`: has one BTF blob per module, named after it. `module_files`: the directory of the modules' .ko files;
  // empty for that of the running kernel.
  explicit KernelTypes(std::string directory = machine_path("/sys/kernel/btf"), std::string module_files = {})
      : directory_(std::move(directory)), module_files_(std::move(module_files)) {}

  // Imports "struct x", "union x", "enum x" or a typedef. Searches `module`, then the kernel itself; with an empty
  // `module`, the kernel itself, then all modules by name.
  std::optional<TypeId> find(TypeTable& types, std::string_view module, std::string_view name);
  // The name of the kernel's type of the same kind that is spelled most like `name`; empty if none is similar.
  std::string nearest(std::string_view name);
  // Adds members or enumerators to an imported type.
  void complete(TypeTable& types, TypeId id);
  // The type of a kernel variable or function.
  std::optional<TypeId> find_object(TypeTable& types, std::string_view module, std::string_view name);

  // The names of the kernel's tracepoints, sorted: a tracepoint X has a typedef btf_trace_X.
  std::vector<std::string> tracepoint_names();
  struct Parameter {
    std::string name;
    TypeId type;
    std::string type_text;  // the type in C, with the qualifiers that a TypeTable lacks
  };
  // The parameters of a tracepoint; nothing if BTF has no such tracepoint.
  std::optional<std::vector<Parameter>> tracepoint_parameters(TypeTable& types, std::string_view tracepoint);

  // The number of these parameters, without importing their types.
  std::optional<size_t> count_tracepoint_parameters(std::string_view tracepoint);

  // The prototype of the function with BTF id `id` in `module`; no parameters and void if there is none.
  struct Prototype {
    std::vector<Parameter> parameters;
    TypeId result;
    std::string result_text;  // the result type in C
  };
  Prototype function_prototype(TypeTable& types, std::string_view module, uint32_t id);

  // The index of the kernel itself; null if its BTF cannot be read. Indexes are valid as long as this object.
  const BtfIndex* vmlinux();
  // The index of a loaded module, or of "vmlinux"; null if it has no BTF.
  const BtfIndex* blob(std::string_view module);
  // The loaded modules that have BTF, sorted.
  const std::vector<std::string>& modules();
  // The index of a module that may not be loaded yet: until it is, the types are those in its .ko file.
  const BtfIndex* expected_blob(std::string_view module);
  // To be called when a module has been loaded: its BTF is read again at the next use.
  void loaded(const std::string& module);

 private:
  // A type of one blob; module 0 is the kernel itself. Both numbers fit into Type::origin without its highest bit.
  struct Reference {
    uint32_t module = 0, id = 0;
    uint32_t origin() const { return module << id_bits | id; }
    static Reference from_origin(uint32_t origin) { return {origin >> id_bits, origin & ((1U << id_bits) - 1)}; }
    static constexpr uint32_t id_bits = 20;  // BTF_MAX_TYPE is 2^20 - 1
  };
  using Imported = std::unordered_map<uint32_t, TypeId>;  // by origin

  std::optional<uint32_t> module_number(std::string_view module);
  std::optional<Reference> find_in_modules(uint32_t kind, std::string_view name);
  const BtfIndex& index(uint32_t module) const { return *blobs_[module].index; }
  const btf_type& record(Reference reference) const { return index(reference.module).type(reference.id); }
  std::string_view name(Reference reference) const { return index(reference.module).name_of(reference.id); }
  Reference target(Reference reference, uint32_t id) const;
  Reference skip_qualifiers(Reference reference) const;
  std::optional<Reference> tracepoint_prototype(std::string_view tracepoint);
  std::optional<Reference> tracepoint_caller(uint32_t module, std::string_view tracepoint);
  std::optional<Reference> find_reference(uint32_t module, uint32_t kind, std::string_view name) const;

  Parameter parameter(TypeTable& types, Reference prototype, const btf_param& record);
  std::string spell(TypeTable& types, Reference reference);
  std::string spell_qualified(TypeTable& types, Reference reference);
  TypeId import(TypeTable& types, Reference reference);
  TypeId import_unguarded(TypeTable& types, Reference reference);
  TypeId import_once(TypeTable& types, Reference reference);
  TypeId import_integer(TypeTable& types, Reference reference);
  TypeId import_pointer(TypeTable& types, Reference reference);
  TypeId import_forward(TypeTable& types, Reference reference);
  TypeId import_typedef(TypeTable& types, Reference reference);
  TypeId import_function(TypeTable& types, Reference reference);
  TypeId add(TypeTable& types, Reference reference, Type type);
  void complete_members(TypeTable& types, TypeId id, Reference reference);
  void complete_enumerators(TypeTable& types, TypeId id, Reference reference);
  std::optional<TypeMember> old_style_bit_field(Reference member_type) const;

  struct Blob {
    std::string module;
    std::unique_ptr<BtfIndex> index;  // null if there is none
    bool is_final = true;             // false if the module was not loaded, so that the next use looks for it again
    std::vector<std::byte> bytes;     // of the module's .ko file, if the index is over them
    // By tracepoint, the function that calls its probes; filled by the first tracepoint_caller().
    std::unordered_map<std::string_view, uint32_t> callers;
  };
  void look_for(Blob& blob);
  std::string directory_, module_files_;
  std::vector<Blob> blobs_;  // that of the kernel itself first
  std::vector<std::string> modules_;
  bool are_modules_listed_ = false;
  std::unordered_map<const TypeTable*, Imported> imported_;
  uint32_t depth_ = 0;                    // of import() and spell()
  std::vector<uint32_t> open_functions_;  // origins of the function types that are being imported
  std::vector<Blob> past_;  // of .ko files that a loaded module has replaced; callers may still hold names in them
};

}  // namespace dscope
