// setopt(): sets a dynamic option for the records that follow (consumer-and-actions.md 3.13).
#include "contract/record_format.h"
#include "runtime/actions/actions.h"
#include "runtime/format/fault_reporter.h"
#include "support/text/visible_text.h"

namespace dscope {

void run_Setopt(const RecordedAction& call, const ActionServices& services, std::string&) {
  const Field* name_field = call.field(0);
  if (!name_field) return;
  std::string name{services.values.text(*name_field, call.record)};
  // An option without a value is switched on.
  std::string value = call.field(1) ? std::string(services.values.text(*call.field(1), call.record)) : "1";
  auto done = services.options.set(name, value, true, OptionOrigin::Setopt);
  if (done) return;
  ds_record_header header;
  std::memcpy(&header, call.record, sizeof header);
  std::string report = fmt::format("couldn't set option \"{}\" to \"{}\": {}", visible_line(name), visible_line(value),
                                   done.error().message());
  // The report itself ends in a newline, in addition to the one that action_error_text() appends.
  services.messages.write(action_error_text(services.plan, header, services.program_name, report + "\n"));
}

}  // namespace dscope
