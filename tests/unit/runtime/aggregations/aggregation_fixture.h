// Fixture: aggregations with few keys, and clauses that print, clear and truncate them.
#pragma once

#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {

class AggregationTest : public OutputTest {
 protected:
  AggregationTest() { set(OptionId::Quiet); }

  // @a[int] with one word of data and no state.
  uint32_t by_int(AggregationFunction function = AggregationFunction::Sum) {
    Layout key;
    return add_aggregation(function, {key.integer(int32_t{0})});
  }
  static std::vector<std::byte> key(int32_t value) {
    Layout layout;
    layout.integer(value);
    return layout.bytes();
  }
  CannedClause on(Action action, std::vector<uint32_t> ids, uint32_t probe_row = 0) {
    CannedClause canned = clause(probe_row);
    canned.action(action).on(std::move(ids));
    return canned;
  }
  CannedClause trunc(uint32_t id, int64_t keep) {
    CannedClause canned = clause();
    canned.action(Action::Trunc, {canned.layout.integer(keep)}).on({id});
    return canned;
  }
  CannedClause printa(std::vector<uint32_t> ids) { return on(Action::Printa, std::move(ids)); }
  CannedClause printa(const std::string& format, std::vector<uint32_t> ids) {
    CannedClause canned = on(Action::Printa, std::move(ids));
    canned.plan.actions[0].format = add_format(format);
    return canned;
  }
};

}  // namespace dscope::test
