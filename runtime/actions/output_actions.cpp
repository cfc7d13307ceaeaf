// freopen() and ftruncate(): redirect the output and truncate its file (consumer-and-actions.md 3.16, 3.17).
#include <cstring>

#include "runtime/actions/actions.h"
#include "runtime/format/fault_reporter.h"
#include "support/text/visible_text.h"

namespace dscope {

void run_Freopen(const RecordedAction& call, const ActionServices& services, std::string& out) {
  services.flush_row(out);
  std::string path;
  // freopen("") has no format.
  if (call.format) call.format->append(path, call.record, services.values.exact());
  path.resize(std::strlen(path.c_str()));
  if (path.empty()) return services.out.restore();
  auto done = services.out.redirect(path);
  if (done) return;
  ds_record_header header;
  std::memcpy(&header, call.record, sizeof header);
  services.messages.write(action_error_text(
      services.plan, header, services.program_name,
      fmt::format("couldn't freopen() \"{}\": {}", visible_line(path), std::strerror(done.error().error_number()))));
}

// The text that the row has so far is truncated with the rest of the file.
void run_Ftruncate(const RecordedAction&, const ActionServices& services, std::string& out) {
  services.flush_row(out);
  services.out.truncate();
}

}  // namespace dscope
