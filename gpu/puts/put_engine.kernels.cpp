// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/puts/put_engine.kernels.hpp"

#include "kaon/gpu/kernels/kernel_body.hpp"
#include "kaon/gpu/puts/copy_starter.hpp"

namespace kaon::gpu {

// The slot is looked at behind the host's word, so that the engine leaves no request that was posted before that. The
// fence before the copy starts is behind this look as well. The third word is compared for ptxas alone:
// Words::look_at() is one load only where all words are used.
template <class Context>
KAON_DEVICE PutEngineKernel::Next PutEngineKernel::wait_for_next(Context& at, std::uint32_t position) const {
  using Words = typename Context::Words;
  constexpr unsigned kLooksBetween = 256;  // at the host's word, which lies behind the bus
  const Quad& slot = ring.slot_of(position);
  const std::uint32_t lap = ring.lap_of(position);
  return at.template find<Next>([&](unsigned looks, Next& found) {
    const bool asks_host = looks >= kLooksBetween && looks % kLooksBetween == 0;
    const bool is_stopped = asks_host && Words::load(&report->stop, Scope::system) != 0;
    const Quad quad = Words::look_at(slot);
    found = {quad.words[0], quad.words[1], quad.epoch == lap && quad.words[2] == PutRing::kThirdWord};
    return found.is_request || is_stopped;
  });
}

template <class Context>
KAON_DEVICE void PutEngineKernel::fail(PutFault fault, std::uint32_t put) const {
  using Words = typename Context::Words;
  report->put = put;
  Words::store(&report->fault, static_cast<std::uint32_t>(fault), Scope::system);
}

template <class Context>
KAON_DEVICE void PutEngineKernel::run_again() const {
#if defined(KAON_DEVICE_COMPILER)
  if (!vendor::launch_again()) fail<Context>(PutFault::does_not_run_again, 0);
#else
  *runs_again = 1;
#endif
}

template <class Context>
KAON_DEVICE void PutEngineKernel::operator()(Context& at) const {
  using Words = typename Context::Words;
  if (!at.is_first()) return;
  *runs_again = 0;
  std::uint32_t position = Words::peek(ring.taken);
  for (std::uint32_t i = 0; i < kStartsOfALaunch; ++i) {
    const Next next = wait_for_next(at, position);
    if (!next.is_request) {
      if (!starts.wait_for_all(at)) return fail<Context>(PutFault::copy_does_not_end, 0);
      return fail<Context>(PutFault::engine_has_ended, 0);
    }
    const PutFault fault = starts.template start<CopyStarter>(at, next.put, next.value);
    if (fault != PutFault::none) return fail<Context>(fault, next.put);
    Words::store(ring.taken, ++position, Scope::device);
  }
  run_again<Context>();
}

template <class Context>
KAON_DEVICE void StoreWordsOfCopy::operator()(Context& at) const {
  using Words = typename Context::Words;
  if (!at.is_first()) return;
  Words::fence(Scope::system);  // the data before the flag, for who sees that on another device
  if (words.flag != nullptr) Words::store(words.flag, *words.value, Scope::system);
  if (words.sent != nullptr) Words::store(words.sent, *words.value, Scope::system);
  Words::store(words.ended, *words.use, Scope::system);
}

#if defined(KAON_DEVICE_COMPILER)

const void* words_of_copy_kernel() { return reinterpret_cast<const void*>(&run_kernel<StoreWordsOfCopy>); }

NativeCopy prepare_put_engine(const PutEngineKernel& kernel, NativeStream stream) {
  void* arguments[] = {const_cast<PutEngineKernel*>(&kernel)};
  vendor::Graph graph{};
  const vendor::Status status =
      vendor::make_kernel_graph(&graph, reinterpret_cast<const void*>(&run_kernel<PutEngineKernel>),
                                PutEngineKernel::kMostThreads, arguments, static_cast<vendor::Stream>(stream));
  if (status != vendor::kSuccess) check_vendor(status, "prepare the kernel that starts copies");
  return graph;
}

void launch_put_engine(NativeCopy prepared, NativeStream stream) {
  const vendor::Status status =
      vendor::launch_graph(static_cast<vendor::Graph>(prepared), static_cast<vendor::Stream>(stream));
  if (status != vendor::kSuccess) check_vendor(status, "launch the kernel that starts copies");
}

#else

// As a device does, what launches itself again stays one piece of work of its stream.
void launch_put_engine_on_host(const PutEngineKernel& kernel, NativeStream stream) {
  constexpr unsigned kOne = 1;
  const Grid grid{{kOne}, {kOne}};
  enqueue_steps_on_host(stream, [=, steps = steps_of_grid(kernel, stream, grid)]() mutable {
    const HostStep step = steps();
    if (step != HostStep::ended || *kernel.runs_again == 0) return step;
    steps = steps_of_grid(kernel, stream, grid);
    return HostStep::advanced;
  });
}

#endif

}  // namespace kaon::gpu
