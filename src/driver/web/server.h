// The process that speaks HTTP: it shows the runs whose descriptors the supervisor sends.
#pragma once

#include <optional>

#include "driver/command_line/command_line.h"
#include "driver/web/channel.h"
#include "driver/web/push_link.h"
#include "support/result.h"
#include "web/http_server.h"
#include "web/page_access.h"
#include "web/serve_routes.h"

namespace dscope {

// Serves until the supervisor ends the channel. Gives up all privileges first.
Result<> serve_page(Channel channel, Fd listener, PageAccess access);

// How a service passes metrics on.
struct MetricService {
  std::optional<Fd> listener;  // --serve
  ServeAccess access;
  HttpSettings http;               // the certificate and key for TLS
  std::optional<PushLink> pusher;  // --otlp
  OtlpSettings otlp;
};

// Serves the metrics of --serve in the same way, and sends those of --otlp to the process that pushes them.
Result<> serve_metrics(Channel channel, MetricService service);

}  // namespace dscope
