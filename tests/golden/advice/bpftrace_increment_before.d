BEGIN { ++@; }
