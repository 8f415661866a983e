// SPDX-License-Identifier: Apache-2.0
// What the C library keeps once a process. Started as "libc_state NUMBER options and files".
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct option kNames[] = {{"size", required_argument, NULL, 's'}, {"quick", no_argument, NULL, 'q'}, {0}};

static void parse(int argc, char** argv) {
  int letter;
  int name = -1;
  while ((letter = getopt_long(argc, argv, "ab:", kNames, &name)) != -1) {
    printf("%c %s %d %d\n", letter, optarg ? optarg : "-", optind, name);
    sched_yield();
  }
  for (int i = optind; i < argc; ++i) printf("file %s\n", argv[i]);
  optind = 1;
  while ((letter = getopt(argc, argv, "+ab:")) != -1) sched_yield();
  printf("again %d\n", optind);
}

static void draw(unsigned seed) {
  printf("%d", rand());
  srand(seed);
  srand48(seed);
  unsigned short own[3] = {1, 2, (unsigned short)seed};
  for (int i = 0; i < 3; ++i) {
    sched_yield();
    printf(" %d %ld %f %ld %f", rand(), random(), drand48(), lrand48(), erand48(own));
  }
  static char table[64];
  char* before = initstate(seed, table, sizeof table);
  const long drawn = random();
  setstate(before);
  printf(" %ld %ld\n", drawn, random());
}

static void split(const char* number) {
  char line[64];
  snprintf(line, sizeof line, "a%s,b%s;c%s,d", number, number, number);
  for (char* token = strtok(line, ",;"); token != NULL; token = strtok(NULL, ",;")) {
    sched_yield();
    printf("<%s>", token);
  }
  puts("");
}

static void use_environment(const char* number) {
  setenv("PROGRAM_NUMBER", number, 1);
  setenv("PROGRAM_NUMBER", "other", 0);
  char* own = strdup("PROGRAM_PUT=here");
  putenv(own);
  sched_yield();
  printf("%s %s ", getenv("PROGRAM_NUMBER"), getenv("PROGRAM_PUT"));
  int found = 0;
  for (char** each = environ; *each != NULL; ++each) found += strncmp(*each, "PROGRAM_", 8) == 0;
  unsetenv("PROGRAM_PUT");
  printf("%d %s %d\n", found, getenv("PROGRAM_PUT") ? "left" : "gone", setenv("a=b", "c", 1));
}

static void keep_error(int number) {
  errno = number;
  sched_yield();
  printf("%s\n", strerror(errno));
}

static void tell_time(long number) {
  const time_t when = number * 1000003;
  const struct tm* parts = gmtime(&when);
  sched_yield();
  printf("%d %d %s", parts->tm_yday, parts->tm_sec, asctime(parts));
}

static void search(char* number) {
  hcreate(10);
  hsearch((ENTRY){.key = "number", .data = number}, ENTER);
  sched_yield();
  printf("%s\n", (const char*)hsearch((ENTRY){.key = "number"}, FIND)->data);
  hdestroy();
}

int main(int argc, char* argv[]) {
  printf("%s %s\n", program_invocation_short_name, argv[0] + strlen(argv[0]) - 4);
  parse(argc, argv);
  draw(atoi(argv[1]) + 1);
  split(argv[1]);
  use_environment(argv[1]);
  keep_error(atoi(argv[1]) % 30 + 1);
  tell_time(atoi(argv[1]));
  search(argv[1]);
  return 0;
}
