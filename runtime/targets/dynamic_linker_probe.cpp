#include "runtime/targets/dynamic_linker_probe.h"

#include <bpf/bpf.h>
#include <signal.h>

#include <array>
#include <utility>

#include "runtime/attach/uprobe_links.h"
#include "runtime/kernel/bpf_instructions.h"
#include "runtime/targets/dynamic_linker.h"
#include "support/format.h"

namespace dscope {
namespace {

constexpr uint32_t max_processes = 4096;

// The program: if the current process is in the map, writes eight bytes without meaning to the ring, wakes its reader,
// and sends the signal to the current thread. bpf_send_signal_thread() with number 0 sends none
// (kernel/trace/bpf_trace.c, Linux 5.5).
Fd load_program(int ring_fd, int signal_number_fd, int pids_fd) {
  using namespace instructions;
  constexpr int16_t slot = -8;
  auto ring = load_map(1, ring_fd);
  auto number = load_map_value(1, signal_number_fd);
  auto pids = load_map(1, pids_fd);
  constexpr int16_t to_the_end = 11;
  const std::array code{
      call(BPF_FUNC_get_current_pid_tgid),
      shift_right(0, 32),
      store_register(10, slot, 0),
      pids[0],
      pids[1],
      move_register(2, 10),
      add_immediate(2, slot),
      call(BPF_FUNC_map_lookup_elem),
      skip_if_equal(0, 0, to_the_end),
      ring[0],
      ring[1],
      move_register(2, 10),
      add_immediate(2, slot),
      move_immediate(3, -slot),
      move_immediate(4, BPF_RB_FORCE_WAKEUP),
      call(BPF_FUNC_ringbuf_output),
      number[0],
      number[1],
      load_register(1, 1, 0),
      call(BPF_FUNC_send_signal_thread),
      move_immediate(0, 0),
      exit_program(),
  };
  LIBBPF_OPTS(bpf_prog_load_opts, opts);
  opts.expected_attach_type = static_cast<bpf_attach_type>(UprobeLinks::multi_attach_type);
  return Fd{bpf_prog_load(BPF_PROG_TYPE_KPROBE, "ds_linker", "GPL", code.data(), code.size(), &opts)};
}

}  // namespace

std::unique_ptr<DynamicLinkerProbe> DynamicLinkerProbe::open(const std::vector<uint32_t>& pids, Scope scope) {
  UprobeLinks links;
  std::vector<Fd> files;  // open until the probe is attached
  for (uint32_t pid : pids) {
    auto linker = DynamicLinker::find(static_cast<pid_t>(pid));
    auto offset = linker ? linker->file_offset(DynamicLinker::debug_hook) : std::nullopt;
    if (!offset) continue;
    links.add({.path = fmt::format("/proc/self/fd/{}", linker->file.get()),
               .offset = *offset,
               .pid = scope == Scope::GivenProcesses ? pid : 0},
              0);
    files.push_back(std::move(linker->file));
  }
  if (links.empty()) return nullptr;
  auto map = BpfMap::create({.name = "ds_linker_ring", .kind = MapKind::RingBuffer, .max_entries = 4096});
  if (!map) return nullptr;
  auto ring = RingReader::open(*map);
  if (!ring) return nullptr;
  auto number = BpfMap::create(
      {.name = "ds_linker_signal", .kind = MapKind::Array, .key_size = 4, .value_size = 8, .max_entries = 1});
  if (!number) return nullptr;
  auto reported_pids = BpfMap::create(
      {.name = "ds_linker_pids", .kind = MapKind::Hash, .key_size = 8, .value_size = 1, .max_entries = max_processes});
  if (!reported_pids) return nullptr;
  std::unique_ptr<DynamicLinkerProbe> probe{
      new DynamicLinkerProbe(std::move(*map), std::move(*ring), std::move(*number), std::move(*reported_pids))};
  for (uint32_t pid : pids) probe->add(pid);
  probe->program_ = load_program(probe->map_.fd(), probe->signal_number_.fd(), probe->pids_.fd());
  if (!probe->program_) return nullptr;
  auto attached = links.attach(probe->program_.get(), "ds_linker");
  if (!attached) return nullptr;
  probe->links_ = std::move(*attached);
  return probe;
}

// A process that does not fit into the map is only noticed by the regular passes over mapping events.
void DynamicLinkerProbe::add(uint32_t pid) {
  uint64_t key = pid;
  uint8_t value = 1;
  bpf_map_update_elem(pids_.fd(), &key, &value, BPF_ANY);
}

void DynamicLinkerProbe::remove(uint32_t pid) {
  uint64_t key = pid;
  bpf_map_delete_elem(pids_.fd(), &key);
}

void DynamicLinkerProbe::acknowledge() {
  ring_.consume([](std::span<const std::byte>) { return true; });
}

bool DynamicLinkerProbe::stop_threads(bool stops) {
  uint32_t key = 0;
  uint64_t number = stops ? signal : 0;
  return bpf_map_update_elem(signal_number_.fd(), &key, &number, BPF_ANY) == 0;
}

}  // namespace dscope
