// FakeHost: a Host whose machine is described by a text file, so that tests have the same results everywhere. The top
// of fake_host.txt explains the format.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "contract/host.h"

namespace dscope {

class FakeHost : public Host {
 public:
  FakeHost();                                // the machine of fake_host.txt
  explicit FakeHost(std::string_view text);  // another machine; a malformed line aborts the test program

  std::vector<const Probe*> match(const ProbeDescription& description) override;
  void load_args(const Probe& probe, TypeTable& types) override;
  void load_variables(const Probe& probe, TypeTable& types) override;
  const TracedVariable* find_variable(const Probe& probe, TypeTable& types, std::string_view name) override;
  std::string explain_variable(const Probe& probe, std::string_view name) override;
  ProviderAttributes provider_attributes(std::string_view provider) override;
  std::string why_missing(const ProbeDescription& description) override;
  std::string nearest_type(std::string_view name) override;
  std::optional<TypeId> find_type(TypeTable& types, std::string_view module, std::string_view name) override;
  void complete_type(TypeTable& types, TypeId id) override;
  std::optional<KernelSymbol> find_symbol(TypeTable& types, std::string_view module, std::string_view name) override;
  const MachineFacts& facts() override { return facts_; }
  FunctionMechanisms function_mechanisms() override { return mechanisms_; }
  std::vector<CpuFacts> cpus() override { return std::vector<CpuFacts>(facts_.cpu_count); }

  // For tests that depend on facts of the machine.
  MachineFacts& edit_facts() { return facts_; }
  FunctionMechanisms& edit_mechanisms() { return mechanisms_; }
  // Moves the members of all kernel structs, the fields of all tracepoints and all kernel symbols by so many bytes, and
  // adds the number to all enumerators.
  void move_members(uint32_t bytes) { moved_bytes_ = bytes; }

 private:
  struct Member {
    uint32_t offset = 0, bit = 0, width = 0;  // unused for enumerators
    std::string text;
  };
  struct NamedType {
    TypeKind kind = TypeKind::Struct;
    std::string name;  // "struct task_struct", "pid_t"
    uint64_t size = 0;
    std::string base;             // of a typedef, in C
    std::vector<Member> members;  // lines of a struct
    std::vector<TypeEnumerator> enumerators;
  };
  struct Field {
    uint32_t offset = 0, size = 0;
    std::string text;
  };
  struct ProbeSource {
    std::vector<std::string> parameters;
    std::vector<Field> fields;
    std::vector<std::string> variables;
    const TypeTable* loaded_into = nullptr;
    const TypeTable* variables_in = nullptr;
  };
  struct Symbol {
    uint64_t address = 0;
    std::string type;
  };

  void read(std::string_view text);
  void read_line(std::string_view line);
  void read_type_line(std::string_view line);
  void read_fact(std::string_view rest);
  Probe& add_probe(Probe probe);
  Probe& add_probe(Probe probe, ProbeSource source);
  void add_syscall(std::string_view rest);
  void add_tracepoint(std::string_view provider, std::string_view rest);
  void add_derived(std::string_view rest);
  void add_function(std::string_view rest);
  void add_iterator(std::string_view rest);
  void add_traced_line(std::string_view rest);
  void add_forward(std::string_view name);
  void begin_type(TypeKind kind, std::string_view keyword, std::string_view rest);

  const Probe* create_interval(const ProbeDescription& description);
  void load_parameters(Probe& probe, const ProbeSource& source, TypeTable& types);
  void load_derived(Probe& probe, const ProbeSource& source, TypeTable& types);
  void load_fields(Probe& probe, const ProbeSource& source, TypeTable& types);
  std::optional<TypeId> read_type(TypeTable& types, std::string_view text, bool is_userland);
  TypeId import(TypeTable& types, uint32_t row);

  MachineFacts facts_;
  FunctionMechanisms mechanisms_{.has_trampoline = true, .has_multi = true, .has_kprobe = true};
  std::deque<Probe> probes_;  // by id - 1; a deque, because addresses must be stable
  std::deque<ProbeSource> sources_;
  std::vector<NamedType> types_;
  std::map<std::string, uint32_t, std::less<>> type_rows_;
  std::map<std::string, Symbol, std::less<>> symbols_;
  std::unordered_map<const TypeTable*, std::unordered_map<uint32_t, TypeId>> imported_;
  bool is_within_type_ = false;
  uint32_t moved_bytes_ = 0;
};

}  // namespace dscope
