END { trace(timestamp - stacks); }
BEGIN { stacks = timestamp; }
