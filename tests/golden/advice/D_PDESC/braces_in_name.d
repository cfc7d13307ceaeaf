syscall::{read,write}:entry { trace(1); }
