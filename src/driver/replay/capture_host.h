// CaptureHost: the machine of a capture, for the compiler: the probes that were recorded, the types of their arguments,
// and the facts of the machine. Nothing comes from the machine that replays.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <unordered_map>

#include "capture/capture_info.h"
#include "contract/host.h"
#include "driver/replay/recorded_types.h"

namespace dscope {

class CaptureHost : public Host {
 public:
  // `info` must outlive the host.
  explicit CaptureHost(const CaptureInfo& info);

  std::vector<const Probe*> match(const ProbeDescription& description) override;
  void load_args(const Probe& probe, TypeTable& types) override;
  ProviderAttributes provider_attributes(std::string_view provider) override;
  std::string why_missing(const ProbeDescription& description) override;
  std::optional<TypeId> find_type(TypeTable& types, std::string_view module, std::string_view name) override;
  std::string why_no_type(std::string_view module) override;
  void complete_type(TypeTable& types, TypeId id) override;
  std::optional<KernelSymbol> find_symbol(TypeTable& types, std::string_view module, std::string_view name) override;
  const MachineFacts& facts() override { return facts_; }
  // By index into CaptureInfo::probes: the probe of an earlier recording that is the same one, or the index itself.
  const std::vector<uint32_t>& same_probes() const { return same_probes_; }
  std::vector<CpuFacts> cpus() override { return info_.cpus; }
  std::map<uint32_t, std::string> block_drivers() override { return info_.block_drivers; }

 private:
  void add_fixed_probes();
  void find_same_probes();
  uint32_t free_id(uint32_t wanted) const;
  void add_recorded_probe(uint32_t index);
  const Probe* make_tick(const ProbeDescription& description);
  // The types of this host in a table of the compiler. The parser and the checker have tables of their own, and a
  // program may be checked again, without a part of a library: with a new table.
  struct Imported {
    uint64_t table = 0;                // counts the tables
    std::map<uint32_t, TypeId> types;  // by index into CaptureInfo::types
    std::optional<TypeId> thread;
    std::map<std::string, TypeId, std::less<>> kernel_types;
  };
  Imported& imported(TypeTable& types);
  TypeId thread_type(TypeTable& types);
  std::optional<TypeId> kernel_type(TypeTable& types, std::string_view name);

  const CaptureInfo& info_;
  RecordedTypes types_;
  MachineFacts facts_;
  std::deque<Probe> probes_;  // ascending by id, ticks last
  std::vector<uint32_t> same_probes_;
  std::vector<int64_t> captured_;  // by position in probes_: index into CaptureInfo::probes, -1: none
  std::unordered_map<std::string, uint32_t> types_by_name_;
  std::map<const TypeTable*, Imported> imported_;
  uint64_t table_count_ = 0;
  std::map<const Probe*, uint64_t> loaded_into_;  // Imported::table of the types of the probe's arguments
};

}  // namespace dscope
