/* Frames of the tracer at the top of the stack are recognized for every tracepoint. */
#pragma D option quiet

sdt:sched::
/done == 0 && stackdepth > 1 && caller != 0/
{
  done = 1;
  exit(0);
}

END
{
  printf("%s\n", done ? "found" : "nothing found");
}
