/* golden: strsize=512 */
/* A stack slot written on only one of two paths: Linux 6.18 reported this as a verifier bug. */
enum e1 { e1_0 = -937 };
struct s2 { signed char m0; int m1:10; char m2[9]; };
self uint64_t i4;
self int8_t i5;
self enum e1 i6;
this string s8;
string s9;
this struct s2 o10;
unsigned long a11[7];
self struct s2 a13[6];
this struct s2 *p14;
self unsigned a15[4][4];
self int8_t t16[string];
self string t17[long];
uint64_t t18[string, uint32_t][3];
tick-1s
{
  this->i3 = ((signed char)18446744073709551615ull);
}
tick-1s
/pid == 1 && (((basename((4096) ? this->s8 : "x,y;z") <= strjoin(this->s7 = "x,y;z", this->s7)) >= ((int)18446744073709551613ull)) ? (((int )(self->t16[""] >> (self->i4 ^ self->i5))) + "a/b"[((unsigned long )((self->i6 ^ self->i6) % (("a" >= self->t17[(long )(1)]) | (1)))) % (strlen("a/b") + ((unsigned long)1ull))]) : a11[4])/
{
  printf("|%d|%d|%s|%s\n", (int64_t)(((~self->i6) & (*"Hello, World")) ^ self->a15[3][1]), (int64_t)this->p14->m2[2], s9, substr(strjoin(s9, strjoin(stringof(curthread->comm), ((uint8_t )((e1_0), self->i6)) ? (stringof(this->o10.m2)) : "/")), 10));
  printf("|%s|%d|%d|%d\n", stringof(curthread->comm), (int64_t)((((("abcabcab", lltostr(e1_0)) == strjoin((e1_0) ? self->t17[(long )(1)] : this->s7, self->i4 ? this->s8 : "")) * ("xab.axb/,,.cxb.b/,xa./bbc" <= this->s7)) > this->p14->m0) >> ((self->a15[1][((unsigned )self->t16["key"]) % (4u)] %= ((this->p14[0].m2[((unsigned )self->i6) % (9u)] + (this->i3 = (this->i3 * (e1_0)))) | (1))) >= t18["", (uint32_t )(0)][2])), (int64_t)(this->s7[((unsigned long )(this->i3 |= ((char )(((int64_t )t18["", (uint32_t )(2)][1]), ((e1_0), ((unsigned long long)18446744073709551613ull)))))) % (strlen(this->s7) + ((unsigned long)1ull))] || strlen(((execname), "/"))), (int64_t)(((curthread->comm == execname)) & (a11[0] = (256))));
  printf("|%d|%d|%s\n", (int64_t)self->a13[0].m1, (int64_t)index(s9, this->s8 = ((((this->p14->m2[7] ? (e1_0) : this->p14->m2[2]), (this->o10.m2[8], this->i3)) || ((self->a13[2].m0, (e1_0)) & ((e1_0) & self->i4))), (stringof(self->a13[((unsigned )(e1_0)) % (6u)].m2)))), stringof(self->a13[2].m2));
}
