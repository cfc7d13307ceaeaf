END { trace(timestamp - self->start); }
BEGIN { self->start = timestamp; }
