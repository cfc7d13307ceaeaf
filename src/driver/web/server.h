// The process that speaks HTTP: it shows the runs whose descriptors the supervisor sends.
#pragma once

#include "driver/web/channel.h"
#include "support/result.h"
#include "web/http_server.h"
#include "web/page_access.h"
#include "web/serve_routes.h"

namespace dscope {

// Serves until the supervisor ends the channel. Gives up all privileges first.
Result<> serve_page(Channel channel, Fd listener, PageAccess access);

// Serves the metrics of --serve in the same way. `settings`: the certificate and key for TLS.
Result<> serve_metrics(Channel channel, Fd listener, ServeAccess access, const HttpSettings& settings);

}  // namespace dscope
