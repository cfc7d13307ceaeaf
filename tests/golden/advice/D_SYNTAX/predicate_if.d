BEGIN /if (pid == 1)/ { }
