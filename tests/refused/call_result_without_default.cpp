// expect: what arrives is read into a new value: give its type a public default constructor
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Place {
  explicit Place(int at) : x(at) {}
  template <class Archive>
  void pup(Archive& archive) {
    archive(x);
  }
  int x;
};

class Block : public kaon::Chare<Block> {
 public:
  Place where() { return Place(1); }
};

kaon::Task<> use(kaon::Proxy<Block> blocks) { co_await blocks[0].call<&Block::where>(); }
