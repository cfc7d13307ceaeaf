/* A key is the id of the cgroup. A comparison looks the name up. */
syscall::read:entry /pod == "web-1"/ { @[container] = count(); }
/* CHECK: inttoptr (i64 80 to ptr)() */
/* CHECK: inttoptr (i64 1 to ptr)(ptr @ds_pod, */
/* CHECK: @ds_agg_0 */
