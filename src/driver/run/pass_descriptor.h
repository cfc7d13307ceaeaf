// Passes a descriptor to another process over a Unix socket.
#pragma once

#include "support/fd.h"

namespace dscope {

// False if the other end has gone. This process keeps its descriptor.
bool send_descriptor(int socket, int descriptor);
// Does not block. An invalid descriptor if none has arrived.
Fd receive_descriptor(int socket);

}  // namespace dscope
