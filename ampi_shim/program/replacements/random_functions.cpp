// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "kaon/ampi_shim/program/replacements.hpp"
#include "kaon/ampi_shim/program/replacements/caller.hpp"

// Each rank draws the numbers that it would draw as a process: the C library's generators, with a state of its own.
namespace kaon::ampi {
namespace {

RandomState& state() { return caller_state().random; }

long draw() {
  std::int32_t number = 0;
  random_r(&state().numbers, &number);
  return number;
}

int draw_int() { return static_cast<int>(draw()); }
void seed(unsigned int value) { srandom_r(value, &state().numbers); }

char* replace_table(unsigned int value, char* table, std::size_t bytes) {
  if (initstate_r(value, table, bytes, &state().numbers) != 0) return nullptr;
  return std::exchange(state().table, table);
}

char* restore_table(char* table) {
  if (setstate_r(table, &state().numbers) != 0) return nullptr;
  return std::exchange(state().table, table);
}

double draw_real() {
  double number = 0;
  drand48_r(&state().reals, &number);
  return number;
}

double draw_real_of(unsigned short* from) {
  double number = 0;
  erand48_r(from, &state().reals, &number);
  return number;
}

long draw_long() {
  long number = 0;
  lrand48_r(&state().reals, &number);
  return number;
}

long draw_long_of(unsigned short* from) {
  long number = 0;
  nrand48_r(from, &state().reals, &number);
  return number;
}

long draw_signed() {
  long number = 0;
  mrand48_r(&state().reals, &number);
  return number;
}

long draw_signed_of(unsigned short* from) {
  long number = 0;
  jrand48_r(from, &state().reals, &number);
  return number;
}

void seed_reals(long value) { srand48_r(value, &state().reals); }
void set_reals(unsigned short* values) { lcong48_r(values, &state().reals); }

unsigned short* replace_reals(unsigned short* values) {
  seed48_r(values, &state().reals);
  return state().reals.__old_x;  // as seed48 returns what was before
}

}  // namespace

std::span<const Replacement> random_functions() {
  static const Replacement all[] = {
      replace("rand", draw_int),
      replace("srand", seed),
      replace("random", draw),
      replace("srandom", seed),
      replace("initstate", replace_table),
      replace("setstate", restore_table),
      replace("drand48", draw_real),
      replace("erand48", draw_real_of),
      replace("lrand48", draw_long),
      replace("nrand48", draw_long_of),
      replace("mrand48", draw_signed),
      replace("jrand48", draw_signed_of),
      replace("srand48", seed_reals),
      replace("seed48", replace_reals),
      replace("lcong48", set_reals),
  };
  return all;
}

}  // namespace kaon::ampi
