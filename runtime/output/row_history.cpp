#include "runtime/output/row_history.h"

#include <cstring>

#include "contract/buffers/buffer_policy.h"

namespace dscope {

RowHistory::CpuRows& RowHistory::rows_of(uint32_t cpu) {
  size_t index = cpu < max_record_cpus ? cpu : 0;
  if (index >= cpus_.size()) cpus_.resize(index + 1);
  return cpus_[index];
}

void RowHistory::row(const PreparedClause& clause, const ds_record_header& header, const std::byte* record) {
  CpuRows& cpu = rows_of(header.cpu);
  size_t size = clause.record_size;
  cpu.bytes += buffered_size(size);
  while (cpu.bytes > bytes_per_cpu_ && !cpu.rows.empty()) {
    cpu.bytes -= buffered_size(cpu.rows.front().record.size());
    cpu.rows.pop_front();
  }
  cpu.rows.push_back({.number = next_number_++, .clause = &clause, .record = {record, record + size}});
}

void RowHistory::replay() {
  for (;;) {
    CpuRows* next = nullptr;
    for (CpuRows& cpu : cpus_)
      if (!cpu.rows.empty() && (next == nullptr || cpu.rows.front().number < next->rows.front().number)) next = &cpu;
    if (next == nullptr) return;
    KeptRow kept = std::move(next->rows.front());
    next->rows.pop_front();
    ds_record_header header;
    std::memcpy(&header, kept.record.data(), sizeof header);
    writer_.row(*kept.clause, header, kept.record.data());
  }
}

}  // namespace dscope
