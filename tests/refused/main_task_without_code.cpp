// expect: main_task is a function that returns kaon::Task<int>, the exit code
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

kaon::Task<> main_task(kaon::Runtime&) { co_return; }

int main(int argc, char** argv) { return kaon::run(argc, argv, main_task); }
