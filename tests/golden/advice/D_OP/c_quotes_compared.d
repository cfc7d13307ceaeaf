BEGIN { trace(execname == 'sh'); }
