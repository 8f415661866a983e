// expect: this type does not say how it is serialized: give it a public template
// SPDX-License-Identifier: Apache-2.0
// shows: kaon::chares::ClassToMigrate
#include <memory>

#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  void go() { migrate_to(1); }

 private:
  std::unique_ptr<int> owned_;
};
