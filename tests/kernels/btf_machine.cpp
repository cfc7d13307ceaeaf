#include "tests/kernels/btf_machine.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "runtime/kernel/btf_index.h"
#include "support/format.h"
#include "support/read_file.h"

namespace dscope {

namespace {

std::string symbols_of(const BtfIndex& types) {
  std::string text;
  uint64_t address = 0xffffffff81000000;
  for (uint32_t id = types.first_id(); id < types.end_id(); ++id) {
    uint32_t kind = btf_kind(types.type(id));
    if (kind != BTF_KIND_FUNC && kind != BTF_KIND_VAR) continue;
    text += fmt::format("{:016x} {} {}\n", address, kind == BTF_KIND_FUNC ? 'T' : 'D', types.name_of(id));
    address += 16;
  }
  return text;
}

bool has_member(const BtfIndex& types, std::string_view structure, std::string_view member) {
  auto found = types.find(BTF_KIND_STRUCT, structure);
  if (!found) return false;
  for (const btf_member& each : types.trailing<btf_member>(*found))
    if (types.name(each.name_off) == member) return true;
  return false;
}

}  // namespace

Result<MachineRecord> machine_of_btf(const std::string& path, const std::string& release) {
  DS_TRY(std::unique_ptr<BtfIndex> types, BtfIndex::open(path));
  MachineRecord record;
  record.facts.kernel_release = release;
  record.facts.kernel_banner = "Linux version " + release;
  record.facts.cpu_count = record.facts.online_cpu_count = 2;
  record.facts.page_count = 1 << 20;
  // The types of the links came with the facilities, or with others of the same release.
  record.facts.has_raw_tp_cookie = record.facts.has_exact_uprobe_pids = has_member(*types, "bpf_raw_tp_link", "cookie");
  record.facts.has_cpu_v4 = types->find(BTF_KIND_STRUCT, "bpf_uprobe_multi_link").has_value();
  record.mechanisms = {.has_trampoline = true,
                       .has_multi = types->find(BTF_KIND_STRUCT, "bpf_kprobe_multi_link").has_value(),
                       .has_kprobe = true};
  record.takes_security_programs = types->find_object(BTF_KIND_FUNC, "bpf_lsm_file_open").has_value();
  record.finds_physical_memory = record.counts_hardware_events = true;
  record.cpus.resize(record.facts.cpu_count);
  DS_TRY(record.files["/sys/kernel/btf/vmlinux"], read_file(path.c_str()));
  record.files["/proc/kallsyms"] = symbols_of(*types);
  record.files["/proc/filesystems"] = "nodev\ttmpfs\n\text4\n";
  record.files["/sys/kernel/security/lsm"] = "capability,bpf";
  return record;
}

Result<RecordInUse> RecordInUse::open(const MachineRecord& record) {
  DS_TRY(std::string bytes, pack_machine(record));
  std::string path = "/tmp/dscope-kernel-XXXXXX";
  int fd = ::mkstemp(path.data());
  if (fd < 0) return fail(Error::from_errno(errno, "cannot create `{}`", path));
  ::close(fd);
  std::ofstream(path, std::ios::binary) << bytes;
  auto machine = MachineInUse::open(path);
  ::unlink(path.c_str());
  if (!machine) return fail(machine.error());
  return RecordInUse(std::move(*machine));
}

}  // namespace dscope
