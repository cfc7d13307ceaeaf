BEGIN { self.start = timestamp; }
