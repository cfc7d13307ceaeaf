// KernelTypes: the kernel's types as rows of a TypeTable, taken from BTF when they are asked for. Structs, unions and
// enums come without their members until complete() is called.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "contract/type.h"
#include "runtime/kernel/btf_index.h"

namespace dscope {

class KernelTypes {
 public:
  // `directory`: where the blobs are, by name of module. `module_files`: where the files of modules are; empty: where
  // those of the running kernel are.
  explicit KernelTypes(std::string directory = "/sys/kernel/btf", std::string module_files = {})
      : directory_(std::move(directory)), module_files_(std::move(module_files)) {}

  // "struct x", "union x", "enum x" or a typedef; of a module and then of the kernel proper or, without a module, of
  // the kernel proper and then of all modules.
  std::optional<TypeId> find(TypeTable& types, std::string_view module, std::string_view name);
  // The name of the kernel's type of the same kind that looks most like `name`; empty if none does.
  std::string nearest(std::string_view name);
  // Fills in members or enumerators.
  void complete(TypeTable& types, TypeId id);
  // Type of a kernel variable or function.
  std::optional<TypeId> find_object(TypeTable& types, std::string_view module, std::string_view name);

  // Names X of typedefs btf_trace_X, sorted: the kernel's tracepoints.
  std::vector<std::string> tracepoint_names();
  struct Parameter {
    std::string name;
    TypeId type;
    std::string type_text;  // in C, with the qualifiers that a TypeTable does not know
  };
  // Of tracepoint X; nothing if it is not described.
  std::optional<std::vector<Parameter>> tracepoint_parameters(TypeTable& types, std::string_view tracepoint);

  // How many it has; nothing if there is no such tracepoint.
  std::optional<size_t> count_tracepoint_parameters(std::string_view tracepoint);

  // Of a function by its id among the types of its module; no parameters and void if it is not described.
  struct Prototype {
    std::vector<Parameter> parameters;
    TypeId result;
    std::string result_text;
  };
  Prototype function_prototype(TypeTable& types, std::string_view module, uint32_t id);

  // The kernel's own index, null if it cannot be read.
  const BtfIndex* vmlinux();
  // That of a module or of "vmlinux".
  const BtfIndex* blob(std::string_view module);
  // Loaded modules that have types, sorted.
  const std::vector<std::string>& modules();
  // That of a module which may not be loaded yet: its types are those in its file then, until it is.
  const BtfIndex* expected_blob(std::string_view module);
  // The module has been loaded since they were listed or asked for.
  void loaded(const std::string& module);

 private:
  // A type of one blob; module 0 is the kernel. Type::origin holds both, but for its highest bit.
  struct Reference {
    uint32_t module = 0, id = 0;
    uint32_t origin() const { return module << id_bits | id; }
    static Reference from_origin(uint32_t origin) { return {origin >> id_bits, origin & ((1U << id_bits) - 1)}; }
    static constexpr uint32_t id_bits = 20;  // the kernel's BTF_MAX_TYPE
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
  std::optional<Reference> find_reference(uint32_t module, uint32_t kind, std::string_view name) const;

  Parameter parameter(TypeTable& types, Reference prototype, const btf_param& record);
  std::string spell(TypeTable& types, Reference reference);
  TypeId import(TypeTable& types, Reference reference);
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
    std::unique_ptr<BtfIndex> index;  // null: not there
    bool is_final = true;             // false: the module was not loaded, it is to be looked for again
    std::vector<std::byte> bytes;     // what the index is over, if that is the file of the module
  };
  void look_for(Blob& blob);
  std::string directory_, module_files_;
  std::vector<Blob> blobs_;  // the kernel first
  std::vector<std::string> modules_;
  bool are_modules_listed_ = false;
  std::unordered_map<const TypeTable*, Imported> imported_;
  std::vector<Blob> past_;  // of files, which may still be referred to
};

}  // namespace dscope
