// exit(): the last exit() record that is consumed sets the exit status of the run.
#include "runtime/actions/actions.h"
#include "runtime/format/value.h"

namespace dscope {

void run_Exit(const RecordedAction& call, const ActionServices& services, std::string&) {
  const Field* status = call.field(0);
  services.exit_status = status ? static_cast<int>(load_integer(*status, call.record) & 0xff) : 0;
}

}  // namespace dscope
