// stack(), ustack(), jstack() (consumer-and-actions.md 3.8).
#include "runtime/actions/actions.h"

namespace dscope {

void run_Stack(const RecordedAction& call, const ActionServices& services, std::string& out) {
  const Field* field = call.field(0);
  if (!field) return;
  int64_t indent = services.values.options().number(OptionId::Stackindent);
  services.values.append_stack(out, *field, call.record, {.indent = static_cast<size_t>(std::max<int64_t>(indent, 0))});
}

void run_Ustack(const RecordedAction& call, const ActionServices& services, std::string& out) {
  run_Stack(call, services, out);
}
void run_Jstack(const RecordedAction& call, const ActionServices& services, std::string& out) {
  run_Stack(call, services, out);
}

}  // namespace dscope
