BEGIN { trace(self->start); }
