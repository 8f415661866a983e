// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/ranks/switched_in.hpp"

#include "kaon/ampi_shim/program/program_image.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {

SwitchedIn::SwitchedIn(const Rank& rank) noexcept : image_(rank.image()), before_(ProgramImage::current()) {
  if (before_ == image_) return;
  if (before_ != nullptr) before_->switch_out();
  if (image_ != nullptr) image_->switch_in();
}

SwitchedIn::~SwitchedIn() {
  if (before_ == image_) return;
  if (image_ != nullptr) image_->switch_out();
  if (before_ != nullptr) before_->switch_in();
}

}  // namespace kaon::ampi
