// SPDX-License-Identifier: Apache-2.0
// Standard output that becomes a file. Started as "reopened NUMBER".
#include <sched.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

int main(int, char** argv) {
  std::puts("before");
  char path[] = "/tmp/kaon_reopened_XXXXXX";
  close(mkstemp(path));
  if (std::freopen(path, "w", stdout) == nullptr) return 1;
  std::printf("number %s\n", argv[1]);
  sched_yield();
  std::cout << "by a stream of " << argv[1] << std::endl;
  std::fclose(stdout);
  std::ifstream file(path);
  std::string line;
  int code = 0;
  while (std::getline(file, line)) code = code * 2 + (line.back() == argv[1][0] ? 1 : 5);
  std::remove(path);
  return code;
}
