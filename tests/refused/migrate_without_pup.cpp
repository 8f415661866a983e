// expect: migrate_to: the class cannot be serialized
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

#include <memory>

class Block : public kaon::Chare<Block> {
 public:
  void go() { migrate_to(1); }

 private:
  std::unique_ptr<int> owned_;
};
