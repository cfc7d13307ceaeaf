// The settings of a consumer, from the options of a session.
#pragma once

#include "runtime/output/consumer.h"
#include "runtime/session/session.h"

namespace dscope {

// Without speculations. The pictures do not measure programs.
ConsumerSettings settings_for_consumer(const SessionOptions& options);

}  // namespace dscope
