#include "frontend/machine/machine_tables.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "contract/process_provider.h"
#include "support/check.h"

namespace dscope {

namespace {

template <typename Number>
MachineTableContent numbers(const std::vector<Number>& values) {
  std::string bytes(values.size() * sizeof(Number), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return {.bytes = std::move(bytes), .element_size = sizeof(Number)};
}

template <typename Layout>
MachineTableContent object_layout(const std::optional<Layout>& layout) {
  Layout content = layout.value_or(Layout{});
  std::string bytes((sizeof content + 7) / 8 * 8, '\0');
  std::memcpy(bytes.data(), &content, sizeof content);
  return {.bytes = std::move(bytes)};
}

// Returns the first addresses (begins) or the ends of the ranges of tracer code, padded to the number of ranges.
MachineTableContent tracer_ranges(const ProgramLayout& layout, TableSize size, bool begins) {
  std::vector<std::pair<uint64_t, uint64_t>> ranges = layout.tracer_code;
  std::ranges::sort(ranges);
  std::vector<uint64_t> words(std::max(tracer_range_count(layout, size), std::bit_ceil(ranges.size())),
                              begins ? UINT64_MAX : 0);
  for (size_t i = 0; i < ranges.size(); ++i)
    words[i] = begins ? ranges[i].first : std::max(ranges[i].second, i > 0 ? words[i - 1] : 0);
  return numbers(words);
}

MachineTableContent probe_ids(const ProgramPlan& plan) {
  std::vector<uint32_t> ids;
  for (const ProbePlan& probe : plan.probes) ids.push_back(probe.id);
  return numbers(ids);
}

MachineTableContent probe_texts(const ProgramPlan& plan, ProbePart part, TableSize size) {
  uint32_t width = probe_text_width(plan, part, size);
  auto strsize = static_cast<size_t>(plan.options.number(OptionId::Strsize));
  std::string bytes(plan.probes.size() * width, '\0');
  for (size_t row = 0; row < plan.probes.size(); ++row)
    probe_text(plan.probes[row], part).copy(bytes.data() + row * width, std::min<size_t>(width - 1, strsize));
  return {.bytes = std::move(bytes)};
}

MachineTableContent syscall_numbers(const ProgramLayout& layout, TableSize size, bool rows) {
  std::vector<uint16_t> entries(std::min(syscall_key_limit(layout, size), max_syscall_keys));
  for (size_t i = 0; i < layout.calls.size(); ++i) {
    uint32_t key = syscall_key(layout, i);
    if (key < entries.size()) entries[key] = static_cast<uint16_t>(rows ? layout.rows[i] + 1 : layout.list_of_row[i]);
  }
  return numbers(entries);
}

MachineTableContent argument_order(const ProgramLayout& layout, size_t row_count, uint32_t position) {
  std::vector<uint16_t> sources(std::bit_ceil(row_count), HookSyscall::no_argument);
  for (size_t i = 0; i < layout.calls.size(); ++i) {
    const std::vector<uint8_t>& order = layout.calls[i].order;
    sources[layout.rows[i]] = order.empty() ? static_cast<uint8_t>(position) : order[position];
  }
  return numbers(sources);
}

}  // namespace

MachineTableContent machine_table(const MachineTableId& id, const CompiledPlan& compiled, TableSize size) {
  auto program = [&]() -> const ProgramLayout& { return compiled.layout.programs[id.program]; };
  switch (id.kind) {
    case MachineTable::PathLayout: return object_layout(compiled.path_layout);
    case MachineTable::RouteLayout: return object_layout(compiled.route_layout);
    case MachineTable::MemoryLayout: return object_layout(compiled.memory_layout);
    case MachineTable::Cpus: return {.bytes = compiled.cpu_table};
    case MachineTable::BlockDrivers: return {.bytes = compiled.driver_table};
    case MachineTable::TracerBegins: return tracer_ranges(program(), size, true);
    case MachineTable::TracerEnds: return tracer_ranges(program(), size, false);
    case MachineTable::ProbeIds: return probe_ids(compiled.plan);
    case MachineTable::ProbeText: return probe_texts(compiled.plan, static_cast<ProbePart>(id.detail), size);
    case MachineTable::SyscallRows: return syscall_numbers(program(), size, true);
    case MachineTable::SyscallLists: return syscall_numbers(program(), size, false);
    case MachineTable::MacroText: break;
    case MachineTable::ArgumentOrder: return argument_order(program(), compiled.plan.probes.size(), id.detail);
  }
  DS_UNREACHABLE();
}

uint32_t syscall_key(const ProgramLayout& layout, size_t index) {
  const HookSyscall& call = layout.calls[index];
  return call.conditions.empty() ? call.number : first_conditional_key + static_cast<uint32_t>(index);
}

uint32_t syscall_key_limit(const ProgramLayout& layout, TableSize size) {
  constexpr uint32_t numbers_of_64_bits = 512;  // above every number of x86-64
  uint32_t limit = numbers_of_64_bits;
  for (size_t i = 0; i < layout.calls.size(); ++i) limit = std::max(limit, syscall_key(layout, i) + 1);
  return size == TableSize::Portable ? std::bit_ceil(limit) : limit;
}

std::string_view probe_text(const ProbePlan& probe, ProbePart part) {
  std::string_view name = member_of(probe, part);
  if (part == ProbePart::Provider && is_of_all_processes(name)) name.remove_suffix(1);
  return name;
}

uint32_t probe_text_width(const ProgramPlan& plan, ProbePart part, TableSize size) {
  constexpr uint32_t portable_width = 64;
  size_t longest = 0;
  for (const ProbePlan& probe : plan.probes) longest = std::max(longest, probe_text(probe, part).size());
  uint32_t width = round_up8(static_cast<uint32_t>(longest) + 1);
  return size == TableSize::Portable ? std::max(portable_width, std::bit_ceil(width)) : width;
}

size_t tracer_range_count(const ProgramLayout& layout, TableSize size) {
  constexpr size_t portable_count = 256;
  size_t count = std::bit_ceil(layout.tracer_code.size());
  return size == TableSize::Portable ? std::max(portable_count, count) : count;
}

}  // namespace dscope
