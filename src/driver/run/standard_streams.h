// The three standard streams of the process.
#pragma once

namespace dscope {

// Opens /dev/null in place of each standard stream that the caller closed. Otherwise the next map or file would get its
// number and receive the messages for that stream.
void open_missing_streams();

}  // namespace dscope
