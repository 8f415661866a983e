// expect: a view (string_view, span) means nothing in another process
// SPDX-License-Identifier: Apache-2.0
// shows: ParameterOf<&Block::take>::Number<1>
#include <span>

#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  void take(std::span<const double>) {}
};

void use(kaon::Proxy<Block> blocks, std::span<const double> values) { blocks.broadcast<&Block::take>(values); }
