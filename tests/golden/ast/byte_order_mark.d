#!/usr/sbin/dtrace -s
BEGIN { trace(1); }
