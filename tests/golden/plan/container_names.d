/* Keys and records have the id of the cgroup; expressions look the name up in a map. */
syscall::read:entry /container == "web"/ { @[container, pod] = count(); printf("%s %s", namespace, execname); }
