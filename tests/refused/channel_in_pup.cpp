// expect: a gpu::Channel goes along with a chare that moves: channel.pup_on(archive, stream) in its pup()
// SPDX-License-Identifier: Apache-2.0
#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

class Block : public kaon::Chare<Block> {
 public:
  void go() { migrate_to(1); }
  template <class Archive>
  void pup(Archive& archive) {
    archive(halo_);
  }

 private:
  kaon::gpu::Channel<double> halo_;
};

void use(const kaon::Proxy<Block>& blocks) { blocks[0].send<&Block::go>(); }
kaon::Task<> make(kaon::Runtime& runtime) { (void)co_await runtime.create<Block>(2); }
