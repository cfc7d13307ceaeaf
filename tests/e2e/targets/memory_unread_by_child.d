/* Memory that a child has not read is still readable: strings, one of them across a page boundary, and numbers.
 @@options: -x follow=fork
 @@command: %T/unread */
#pragma D option quiet

pid$target:a.out:receive:entry {
  printf("%s %s %d %x\n", pid == $target ? "target" : "child", copyinstr(arg0), strlen(copyinstr(arg0, 50)),
      *(int64_t *)copyin(arg1, 8));
}
