// The three standard streams of the process.
#pragma once

namespace dscope {

// Opens each standard stream that the caller closed as an unusable one. Otherwise the next map or file would get its
// number and receive the messages written to it.
void hold_standard_streams();

}  // namespace dscope
