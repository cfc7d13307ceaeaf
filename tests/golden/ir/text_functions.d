/* Addresses are formatted from a copy. strtok() keeps its string in the scratch slot. */
BEGIN { trace(inet_ntoa((ipaddr_t *)arg0)); trace(inet_ntop(pid, (void *)arg2)); trace(lltostr(arg0, 16)); }
BEGIN { trace(strtok("a,b", ",")); trace(strtok(NULL, ",")); trace(cleanpath("/a/..")); trace(progenyof(1)); }
/* CHECK: inttoptr (i64 113 to ptr)(ptr */
/* CHECK: @ds_inet_ntoa( */
/* CHECK: icmp eq i64 */
/* CHECK: , 10 */
/* CHECK: @ds_inet_ntoa6( */
/* CHECK: @ds_lltostr_base( */
/* CHECK: @ds_strtok( */
/* CHECK: @ds_strtok( */
/* CHECK: @ds_cleanpath( */
/* CHECK: @ds_progenyof( */
