/* A compound assignment reads and changes the element that its keys name before the right side is evaluated. */
#pragma D option quiet

struct point { short x; long long y; };
struct point points[int], origin, moving;
self int by_point[struct point], by_text[string], by_number[int];
int all_by_point[struct point], all_by_text[string];
string text;
int number;

BEGIN
{
  self->by_point[points[2]] |= (points[2].x = 7);
  printf("element   %d %d\n", self->by_point[origin], self->by_point[points[2]]);
  self->by_point[moving] += (moving.x = 8);
  printf("variable  %d %d\n", self->by_point[origin], self->by_point[moving]);
  moving.x = 0;
  all_by_point[moving] *= (moving.x = 9);
  all_by_point[moving] += (moving.x = 9);
  printf("global    %d %d\n", all_by_point[origin], all_by_point[moving]);
  text = "before";
  self->by_text[text] += (text = "after", 10);
  printf("string    %d %d\n", self->by_text["before"], self->by_text["after"]);
  text = "before";
  all_by_text[text] += (text = "after", 11);
  printf("global    %d %d\n", all_by_text["before"], all_by_text["after"]);
  self->by_number[number] += (number = 12);
  printf("number    %d %d\n", self->by_number[0], self->by_number[12]);
  exit(0);
}
