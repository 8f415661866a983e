// expect: contribute(op, value, callback): the callback does not take such a value
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Text {
  int size;
};
class Block : public kaon::Chare<Block> {
 public:
  void run(kaon::Callback<Text> to) { contribute(kaon::sum, 1.0, to); }
};
