// RecordedElements: keeps the elements of aggregations whose keys contain stacks that only the consumer can unwind
// (AggregationPlan::is_recorded). Each update arrives as a record. Reads of all other aggregations are forwarded to the
// kernel's source, so that readers need not distinguish the two.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/aggregations/aggregation_source.h"
#include "runtime/format/value_printer.h"

namespace dscope {

class RecordedElements : public AggregationSource {
 public:
  // The references must outlive this object. `kernel` holds the other aggregations and the generations of all.
  RecordedElements(const ProgramPlan& plan, const ValuePrinter& values, AggregationSource& kernel)
      : plan_(plan), values_(values), kernel_(kernel), elements_(plan.aggregations.size()) {}

  // Applies one update. `record` holds the whole layout of the clause.
  void add(const UpdatePlan& update, uint32_t cpu, const std::byte* record);

  uint32_t cpu_count() const override { return kernel_.cpu_count(); }
  Result<std::vector<AggregationElement>> read(uint32_t id) override;
  Result<std::vector<AggregationElement>> read_kept(uint32_t id, const KeyFilter& keeps,
                                                    const ElementSink& removed) override;
  CpuValues overflow(uint32_t id) const override { return kernel_.overflow(id); }
  AggregationFill fill(uint32_t id) const override { return kernel_.fill(id); }
  Result<CpuValues> remove(uint32_t id, std::span<const std::byte> key) override;
  uint64_t next_generation(uint32_t id) override { return kernel_.next_generation(id); }
  uint64_t generation(uint32_t id) const override { return kernel_.generation(id); }

 private:
  std::string key_of(const UpdatePlan& update, const std::byte* record) const;
  void keep_extreme(const UpdatePlan& update, std::byte* words, const std::byte* added) const;

  const ProgramPlan& plan_;
  const ValuePrinter& values_;
  AggregationSource& kernel_;
  std::vector<std::map<std::string, CpuValues>> elements_;  // by aggregation id: by key bytes
};

}  // namespace dscope
