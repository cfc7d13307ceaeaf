#include "driver/record/redaction.h"

#include <sys/random.h>

#include "capture/redact.h"
#include "support/print_message.h"

namespace dscope {

Result<int> redact(const CommandLine& command_line, const OptionValues& options) {
  DS_TRY(RedactedParts parts, parse_redacted_parts(command_line.redacted_parts));
  RedactionSalt salt;
  if (::getrandom(salt.data(), sizeof salt, 0) != static_cast<ssize_t>(sizeof salt))
    return fail(Error::from_errno(errno, "cannot choose a salt"));
  const std::string& from = command_line.operands.front();
  const std::string& to = *command_line.output_file;
  DS_TRY(Redaction done, redact_capture(from, to, parts, salt));
  if (!done.damage.empty())
    print_message("{}: {}: {}: copied the events before it\n", command_line.program_name, from, done.damage);
  if (!options.is_on(OptionId::Quiet))
    print_message("{}: copied {} events to {}\n", command_line.program_name, done.event_count, to);
  return 0;
}

}  // namespace dscope
