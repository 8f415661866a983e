/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is not made for several threads, as many are: who is in it must meet nobody else. */
int visit(void);

int visit(void) {
  static volatile int is_visited, has_met;
  if (is_visited) has_met = 1;
  is_visited = 1;
  for (volatile int step = 0; step < 300000; ++step) continue;
  is_visited = 0;
  return has_met;
}
