// expect: Kaon needs clang 16 or newer, or g++ 12 or newer
// SPDX-License-Identifier: Apache-2.0
// shows: 1 error generated
#include <kaon/kaon.hpp>

kaon::Task<int> main_task(kaon::Runtime&) { co_return 0; }

int main(int argc, char** argv) { return kaon::run(argc, argv, main_task); }
