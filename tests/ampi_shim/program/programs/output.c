// SPDX-License-Identifier: Apache-2.0
// All ways to write and read standard streams. Started as "output NUMBER".
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_list(const char* format, ...) {
  va_list values;
  va_start(values, format);
  vprintf(format, values);
  va_end(values);
}

int main(int argc, const char** argv) {
  (void)argc;
  printf("number %s\n", argv[1]);
  sched_yield();
  puts(argv[1]);
  putchar('c');
  putc('d', stdout);
  sched_yield();
  fputs("begun ", stdout);
  fwrite("written\n", 1, 8, stdout);
  print_list("%s-%d\n", argv[1], 5);
  fflush(NULL);
  for (int i = 0; i < 300; ++i) printf("a long line: %d of %s; ", i, argv[1]);
  sched_yield();
  printf("\n");
  int read = 0;
  const int found = scanf("%d", &read);
  printf("%d %d %d\n", found, read, getchar());
  FILE* own = tmpfile();
  fprintf(own, "%s", argv[1]);
  rewind(own);
  char line[16];
  printf("%s\n", fgets(line, sizeof line, own));
  fclose(own);
  errno = ENOENT;
  perror("told");
  fprintf(stderr, "error of %s\n", argv[1]);
  printf("the end without a line");
  return 0;
}
