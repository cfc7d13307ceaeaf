#include "runtime/linker_bell.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "runtime/dynamic_linker.h"
#include "runtime/uprobe_links.h"

namespace dscope {
namespace {

// Sends eight bytes that mean nothing to the ring, and wakes who waits for it.
Fd load_program(int ring_fd) {
  constexpr uint8_t move = BPF_ALU64 | BPF_MOV | BPF_X, add = BPF_ALU64 | BPF_ADD | BPF_K,
                    set = BPF_ALU64 | BPF_MOV | BPF_K;
  constexpr int16_t slot = -8;
  const std::array<bpf_insn, 10> code{{
      {.code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .off = slot, .imm = 0},
      {.code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = BPF_REG_1, .src_reg = BPF_PSEUDO_MAP_FD, .imm = ring_fd},
      {},
      {.code = move, .dst_reg = BPF_REG_2, .src_reg = BPF_REG_10},
      {.code = add, .dst_reg = BPF_REG_2, .imm = slot},
      {.code = set, .dst_reg = BPF_REG_3, .imm = -slot},
      {.code = set, .dst_reg = BPF_REG_4, .imm = BPF_RB_FORCE_WAKEUP},
      {.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ringbuf_output},
      {.code = set, .dst_reg = BPF_REG_0, .imm = 0},
      {.code = BPF_JMP | BPF_EXIT},
  }};
  LIBBPF_OPTS(bpf_prog_load_opts, opts);
  opts.expected_attach_type = static_cast<bpf_attach_type>(UprobeLinks::multi_attach_type);
  return Fd{bpf_prog_load(BPF_PROG_TYPE_KPROBE, "ds_linker", "GPL", code.data(), code.size(), &opts)};
}

}  // namespace

std::unique_ptr<LinkerBell> LinkerBell::open(const std::vector<uint32_t>& pids) {
  UprobeLinks links;
  for (uint32_t pid : pids) {
    auto linker = DynamicLinker::find(static_cast<pid_t>(pid));
    auto offset = linker ? linker->file_offset(DynamicLinker::debug_hook) : std::nullopt;
    if (offset) links.add({.path = linker->file, .offset = *offset, .pid = pid}, 0);
  }
  if (links.empty()) return nullptr;
  auto map = BpfMap::create({.name = "ds_bell", .kind = MapKind::RingBuffer, .max_entries = 4096});
  if (!map) return nullptr;
  auto ring = RingReader::open(*map);
  if (!ring) return nullptr;
  std::unique_ptr<LinkerBell> bell{new LinkerBell(std::move(*map), std::move(*ring))};
  bell->program_ = load_program(bell->map_.fd());
  if (!bell->program_) return nullptr;
  auto attached = links.attach(bell->program_.get(), "ds_linker");
  if (!attached) return nullptr;
  bell->links_ = std::move(*attached);
  return bell;
}

void LinkerBell::silence() {
  ring_.consume([](std::span<const std::byte>) { return true; });
}

}  // namespace dscope
