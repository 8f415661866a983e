// expect: a pointer means nothing in another process: send the value itself
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Chain {
 public:
  template <class Archive>
  void pup(Archive& ar) {
    ar(length_, next_);
  }

 private:
  int length_ = 0;
  Chain* next_ = nullptr;
};

void unpack(kaon::Reader& in, Chain& chain) { in(chain); }
