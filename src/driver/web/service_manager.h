// Tells systemd about the state of this process (sd_notify(3)), if it asked for that by NOTIFY_SOCKET.
#pragma once

namespace dscope {

enum class ServiceState { Ready, Reloading, Stopping };

void notify_service_manager(ServiceState state);

}  // namespace dscope
