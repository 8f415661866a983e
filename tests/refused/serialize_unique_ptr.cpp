// expect: this smart pointer cannot be sent
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <kaon/kaon.hpp>

struct Block {
  int size;
  std::unique_ptr<double[]> values;
};

void pack(kaon::Writer& out, const Block& block) { out(block); }
