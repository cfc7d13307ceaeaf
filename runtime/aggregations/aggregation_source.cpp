#include "runtime/aggregations/aggregation_source.h"

#include <utility>

namespace dscope {

Result<std::vector<AggregationElement>> AggregationSource::read_kept(uint32_t id, const KeyFilter& keeps,
                                                                     const ElementSink& removed) {
  DS_TRY(std::vector<AggregationElement> all, read(id));
  std::vector<AggregationElement> kept;
  for (AggregationElement& element : all) {
    if (keeps(element.key)) {
      kept.push_back(std::move(element));
      continue;
    }
    DS_TRY(element.values, remove(id, element.key));
    removed(element);
  }
  return kept;
}

}  // namespace dscope
