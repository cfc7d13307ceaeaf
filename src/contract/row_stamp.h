// Which records have a struct ds_row_stamp (record_format.h).
#pragma once

#include "contract/program_plan.h"

namespace dscope {

// True if the stamp follows the header of this clause's records.
inline bool has_stamp(const OptionValues& options, const ClausePlan& clause) {
  return clause.has_record && options.is_on(OptionId::Rowstamps);
}

}  // namespace dscope
