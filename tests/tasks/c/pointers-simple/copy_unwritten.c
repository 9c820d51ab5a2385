extern void reach_error(void);
struct pair { int x, y; };
struct pair same(struct pair p) { return p; }
int main(void) {
  struct pair p, q;
  p = q;
  if (p.y != q.y) reach_error();
  if (same(q).x != p.x) reach_error();
  return 0;
}
