BEGIN { printf('done'); }
