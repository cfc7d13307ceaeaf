a:b:c:d/x//y/{@[(foo_t*)a]=b?c:d;/*
 e*/if(x){y++;}else z=xlate<t>(-1);}
#if x
struct s{int a:3;}u;
#else
enum{A=1,
B};