// expect: give its type a default constructor
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <kaon/kaon.hpp>

class Cell {
 public:
  explicit Cell(int index) : index_(index) {}
  template <class Archive>
  void pup(Archive& ar) {
    ar(index_);
  }

 private:
  int index_;
};

void pack(kaon::Writer& out, const std::vector<Cell>& cells) { out(cells); }
