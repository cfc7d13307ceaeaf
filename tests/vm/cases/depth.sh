# Stack depth and caller at a tracepoint: the tracer's own functions do not count, wherever they are in the stack.
dscope -qn 'syscall::write:entry /pid == $target/ { printf("%a %d\n", caller, stackdepth > 1 && stackdepth < 5); exit(0); }' \
  -c 'dd if=/dev/zero of=/dev/null bs=7 count=3 status=none' | sed 's/+0x[0-9a-f]*//'
# The verifier knows these bounds only on the path that tested them.
dscope -qn 'BEGIN { this->a = (char *)alloca(8); bcopy("ls\0-l\0/", this->a, 8); this->n = 7;
    printf("%s|", memstr(this->a, 32, this->n)); this->m = memref(curthread->comm, 5);
    printf("%s\n", memstr((void *)this->m[0], 32, this->m[1] + 1)); exit(0); }'
# strtoll() of strings that are chosen at run time.
dscope -qn 'BEGIN { this->s = pid > 0 ? "zz" : "y"; printf("%d\n", strtoll(pid > 0 ? basename(this->s) : this->s, 36)); exit(0); }'
