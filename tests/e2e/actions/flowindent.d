/* -F indents by entry and return. A second clause of one firing is not indented again.
 @@options: -F
 @@command: %T/calls getppid 2 */

BEGIN { trace(1); }
syscall::getppid:entry /pid == $target/ { trace(2); }
syscall::getppid:entry /pid == $target/ { trace(3); }
syscall::getppid:return /pid == $target/ { trace(4); }
