// printf(): the work is in PreparedFormat.
#include "runtime/actions/actions.h"

namespace dscope {

void run_printf(const ActionCall& call, const ActionServices& services, std::string& out) {
  if (call.format) call.format->append(out, call.record, services.values);
}

}  // namespace dscope
