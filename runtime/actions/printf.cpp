// printf(): PreparedFormat does the work.
#include "runtime/actions/actions.h"

namespace dscope {

void run_Printf(const RecordedAction& call, const ActionServices& services, std::string& out) {
  if (call.format) call.format->append(out, call.record, services.values);
}

}  // namespace dscope
