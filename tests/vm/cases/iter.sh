# Iterates over threads and over their open files.
dscope -qn 'iter::task: /tid == 1/ { printf("%s %d\n", execname, args[0]->tgid); } iter:::task_file /pid == $pid/ { files++; }
  END { printf("%d\n", files > 3); }'
