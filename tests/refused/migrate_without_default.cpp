// expect: migrate_to: the class needs a default constructor
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  explicit Block(int) {}
  void go() { migrate_to(1); }
  template <class Archive>
  void pup(Archive&) {}
};
