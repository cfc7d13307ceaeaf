// The three streams a program is started with.
#pragma once

namespace dscope {

// A stream that the caller has closed would be the number of the next map or file that is opened, which would then be
// written to. It becomes a stream that cannot be used, so that whoever tries is told.
void hold_standard_streams();

}  // namespace dscope
