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
  void take(Place) {}
};

void use(kaon::Proxy<Block> blocks) { blocks[0].send<&Block::take>(Place(5)); }
