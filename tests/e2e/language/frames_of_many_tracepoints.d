/* Which of the first frames are the tracer's is looked up among the functions of all the tracepoints. */
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
