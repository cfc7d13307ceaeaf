/* More than eight clauses on one probe become separate functions. Their this-> variables are in scratch memory. */
BEGIN { this->x = 1; }
BEGIN { this->x += 1; } BEGIN { this->x += 1; } BEGIN { this->x += 1; } BEGIN { this->x += 1; }
BEGIN { this->x += 1; } BEGIN { this->x += 1; } BEGIN { this->x += 1; } BEGIN { trace(this->x); }
