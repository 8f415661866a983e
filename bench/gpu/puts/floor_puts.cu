// SPDX-License-Identifier: Apache-2.0
// By hand: what a kernel, a ring and an engine need at least. Every spin ends after 2 s.
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "bench/gpu/puts/floor_kernels.cuh"
#include "bench/gpu/puts/floor_puts.hpp"

namespace put_bench {
namespace {

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string("floor of puts: ") + what + ": " + cudaGetErrorString(status));
}
void use(int device) { check(cudaSetDevice(device), "use a device"); }
template <class T>
T* allocate(int device, std::size_t count) {
  use(device);
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)), "allocate");
  use(0);
  return static_cast<T*>(memory);
}
template <class T>
T* allocate_pinned(std::size_t count) {
  void* memory = nullptr;
  check(cudaMallocHost(&memory, count * sizeof(T)), "allocate pinned memory");
  return static_cast<T*>(memory);
}
cudaStream_t make_stream(int device) {
  use(device);
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "make a stream");
  use(0);
  return stream;
}
void connect(int device, int peer) {
  use(device);
  const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
  if (status == cudaErrorPeerAccessAlreadyEnabled)
    static_cast<void>(cudaGetLastError());
  else
    check(status, "let devices reach each other");
  use(0);
}

cudaGraphExec_t instantiate(cudaGraph_t graph, cudaStream_t stream) {
  cudaGraphExec_t made{};
  check(cudaGraphInstantiate(&made, graph, cudaGraphInstantiateFlagDeviceLaunch), "instantiate a graph");
  check(cudaGraphUpload(made, stream), "upload a graph");
  check(cudaStreamSynchronize(stream), "wait for a graph");
  check(cudaGraphDestroy(graph), "forget a graph");
  return made;
}

}  // namespace

constexpr std::uint32_t kMostPuts = 1 << 20;

struct FloorPuts::State {
  State(std::size_t bytes, std::uint32_t copies);
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();
  cudaGraphExec_t copy_graph(unsigned put);
  cudaGraphExec_t kernel_graph(const void* kernel, const Scene& of);
  /// Before kernels run, which it may have to wait for.
  cudaGraphExec_t engine_graph() { return kernel_graph(reinterpret_cast<const void*>(&run_engine), scene); }
  void clear();
  Scene with(std::uint32_t count) const;
  void wait(cudaStream_t stream) const { check(cudaStreamSynchronize(stream), "wait for a stream"); }
  void stop_engine();
  template <class Start>
  Times converse(std::uint32_t count, void (*answering_kernel)(Scene), Start start);

  Scene scene{};
  Engine* engine_image = nullptr;  // pinned
  std::vector<cudaGraphExec_t> graphs;
  cudaStream_t posting, running, clearing, answering;
};

FloorPuts::State::State(std::size_t bytes, std::uint32_t copies)
    : posting(make_stream(0)), running(make_stream(0)), clearing(make_stream(0)), answering(make_stream(1)) {
  connect(1, 0);
  connect(0, 1);
  scene.bytes = bytes;
  scene.copies = copies;
  scene.engine = allocate<Engine>(0, 1);
  scene.source = allocate<unsigned char>(0, bytes * copies);
  scene.target = allocate<unsigned char>(1, bytes * copies);
  scene.flags = allocate<unsigned>(1, kMostCopies);
  scene.answer = allocate<unsigned>(0, 1);
  scene.times = allocate<unsigned long long>(1, kMostPuts);
  scene.ns = allocate_pinned<unsigned>(kMostPuts);
  scene.wrong = allocate_pinned<unsigned>(1);
  engine_image = allocate_pinned<Engine>(1);
  *engine_image = {};
  for (unsigned i = 0; i < copies; ++i) engine_image->copies[i] = copy_graph(i);
}

FloorPuts::State::~State() {
  for (const cudaGraphExec_t graph : graphs) cudaGraphExecDestroy(graph);
  for (void* memory :
       {static_cast<void*>(scene.engine), static_cast<void*>(scene.source), static_cast<void*>(scene.target),
        static_cast<void*>(scene.flags), static_cast<void*>(scene.answer), static_cast<void*>(scene.times)})
    cudaFree(memory);
  for (void* memory : {static_cast<void*>(scene.ns), static_cast<void*>(scene.wrong), static_cast<void*>(engine_image)})
    cudaFreeHost(memory);
  for (const cudaStream_t stream : {posting, running, clearing, answering}) cudaStreamDestroy(stream);
}

// A kernel stores the flag: copies of 4 B behind copies of data have been seen by the receiver before that data.
cudaGraphExec_t FloorPuts::State::copy_graph(unsigned put) {
  cudaGraph_t graph{};
  cudaGraphNode_t data{}, words{};
  Scene of = scene;
  void* arguments[] = {&of, &put};
  cudaKernelNodeParams how{};
  how.func = reinterpret_cast<void*>(&store_words);
  how.gridDim = how.blockDim = dim3(1);
  how.kernelParams = arguments;
  check(cudaGraphCreate(&graph, 0), "make a graph");
  check(cudaGraphAddMemcpyNode1D(&data, graph, nullptr, 0, scene.target + put * scene.bytes,
                                 scene.source + put * scene.bytes, scene.bytes, cudaMemcpyDefault),
        "add data");
  check(cudaGraphAddKernelNode(&words, graph, &data, 1, &how), "add the words");
  return graphs.emplace_back(instantiate(graph, clearing));
}

cudaGraphExec_t FloorPuts::State::kernel_graph(const void* kernel, const Scene& of) {
  cudaGraph_t graph{};
  cudaGraphNode_t node{};
  void* arguments[] = {const_cast<Scene*>(&of)};
  cudaKernelNodeParams how{};
  how.func = const_cast<void*>(kernel);
  how.gridDim = how.blockDim = dim3(1);
  how.kernelParams = arguments;
  check(cudaGraphCreate(&graph, 0), "make a graph");
  check(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &how), "add a kernel");
  return graphs.emplace_back(instantiate(graph, clearing));
}

void FloorPuts::State::clear() {
  check(cudaMemcpyAsync(scene.engine, engine_image, sizeof(Engine), cudaMemcpyDefault, clearing), "clear an engine");
  check(cudaMemsetAsync(scene.answer, 0, 4, clearing), "clear a word");
  wait(clearing);
  use(1);
  check(cudaMemsetAsync(scene.flags, 0, kMostCopies * 4, answering), "clear flags");
  wait(answering);
  use(0);
  *scene.wrong = 0;
}

Scene FloorPuts::State::with(std::uint32_t count) const {
  if (count > kMostPuts) throw std::runtime_error("floor of puts: too many");
  Scene of = scene;
  of.count = count;
  for (std::uint32_t i = 0; i < count; ++i) scene.ns[i] = 0;
  return of;
}

void FloorPuts::State::stop_engine() {
  const unsigned one = 1;
  check(cudaMemcpyAsync(&scene.engine->stop, &one, 4, cudaMemcpyDefault, clearing), "stop an engine");
  wait(clearing);
  wait(running);
  unsigned failed = 0;
  check(cudaMemcpyAsync(&failed, &scene.engine->failed, 4, cudaMemcpyDefault, clearing), "read a word");
  wait(clearing);
  if (failed != 0) throw std::runtime_error("floor of puts: the engine has failed, code " + std::to_string(failed));
}

/// `start(scene)` puts the kernel that posts into its stream.
template <class Start>
Times FloorPuts::State::converse(std::uint32_t count, void (*answering_kernel)(Scene), Start start) {
  clear();
  const Scene of = with(count);
  use(1);
  answering_kernel<<<1, 1, 0, answering>>>(of);
  use(0);
  start(of);
  wait(posting);
  wait(answering);
  Times times;
  times.wrong = *scene.wrong;
  for (std::uint32_t i = 0; i < count; ++i) times.ns.push_back(scene.ns[i]);
  return times;
}

FloorPuts::FloorPuts(std::size_t bytes, std::uint32_t copies) : state_(std::make_unique<State>(bytes, copies)) {}
FloorPuts::~FloorPuts() = default;

Times FloorPuts::post_directly(std::uint32_t count) {
  const cudaGraphExec_t poster = state_->kernel_graph(reinterpret_cast<const void*>(&post<true>), state_->with(count));
  return state_->converse(count, answer,
                          [&](const Scene&) { check(cudaGraphLaunch(poster, state_->posting), "launch"); });
}

Times FloorPuts::post_by_ring(std::uint32_t count) {
  const cudaGraphExec_t engine = state_->engine_graph();
  Times times = state_->converse(count, answer, [&](const Scene& scene) {
    check(cudaGraphLaunch(engine, state_->running), "launch");
    post<false><<<1, 1, 0, state_->posting>>>(scene);
  });
  state_->stop_engine();
  return times;
}

Times FloorPuts::store(std::uint32_t count) {
  return state_->converse(count, pong, [&](const Scene& scene) { ping<<<1, 1, 0, state_->posting>>>(scene); });
}

Times FloorPuts::flood(std::uint32_t count) {
  const cudaGraphExec_t engine = state_->engine_graph();
  state_->clear();
  const Scene scene = state_->with(count);
  use(1);
  check(cudaMemsetAsync(scene.times, 0, count * sizeof scene.times[0], state_->answering), "clear times");
  note_times<<<1, 1, 0, state_->answering>>>(scene);
  use(0);
  check(cudaGraphLaunch(engine, state_->running), "launch");
  post_all<<<1, 1, 0, state_->posting>>>(scene);
  state_->wait(state_->answering);
  state_->stop_engine();
  std::vector<unsigned long long> came(count);
  check(cudaMemcpyAsync(came.data(), scene.times, count * sizeof came[0], cudaMemcpyDefault, state_->clearing),
        "read times");
  state_->wait(state_->clearing);
  return gaps_of(came);
}

}  // namespace put_bench
