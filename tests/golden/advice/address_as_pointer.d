BEGIN { trace(copyinstr(curthread)); }
