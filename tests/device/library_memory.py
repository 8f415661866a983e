# SPDX-License-Identifier: Apache-2.0
"""Device memory of PyTorch or CuPy as payloads between two processes, from the bundle and with two devices:

    bin/kaonrun -n 2 python3 tests/library_memory.py torch|torch-vmm|cupy|cupy-pool

Run by bench/gpu/campaign.sh; nothing here runs without such devices. Each process sees one device alone.
"""
import ctypes
import os
import pathlib
import sys

import numpy

COUNT = 1_000_003
PROCESS = int(os.environ["KAON_PROCESS"])
LIBRARY = pathlib.Path(__file__).resolve().parent / "liblibrary_memory.so"


def torch_tensors(first: int):
    import torch

    filler = torch.empty(1000, dtype=torch.int32, device="cuda")  # the next ones do not begin an allocation
    given = torch.arange(first, first + COUNT, dtype=torch.int32, device="cuda")
    taken = torch.zeros(COUNT, dtype=torch.int32, device="cuda")
    torch.cuda.synchronize()
    return [filler, given, taken], given.data_ptr(), taken.data_ptr(), lambda: taken.cpu().numpy()


def cupy_arrays(first: int, allocate):
    import cupy

    cupy.cuda.set_allocator(allocate(cupy))
    given = cupy.arange(first, first + COUNT, dtype=cupy.int32)
    taken = cupy.zeros(COUNT, dtype=cupy.int32)
    cupy.cuda.Device().synchronize()
    return [given, taken], given.data.ptr, taken.data.ptr, taken.get


def cupy_caching(cupy):
    return cupy.cuda.MemoryPool().malloc


def cupy_asynchronous(cupy):
    return cupy.cuda.MemoryAsyncPool().malloc


# What makes the memory, and whether other processes can map it.
KINDS = {
    "torch": (torch_tensors, True),
    "torch-vmm": (torch_tensors, False),
    "cupy": (lambda first: cupy_arrays(first, cupy_caching), True),
    "cupy-pool": (lambda first: cupy_arrays(first, cupy_asynchronous), False),
}


def exchange(source: int, destination: int, counts) -> int:
    arguments = [b"library_memory", b"--device", b"cuda", b"--pes", b"1"]
    argv = (ctypes.c_char_p * (len(arguments) + 1))(*arguments, None)
    library = ctypes.CDLL(str(LIBRARY))
    return library.kaon_exchange(
        len(arguments), argv, ctypes.c_void_p(source), ctypes.c_void_p(destination), ctypes.c_size_t(4 * COUNT), counts
    )


def main(kind: str) -> int:
    os.environ["CUDA_VISIBLE_DEVICES"] = str(PROCESS)
    if kind == "torch-vmm":
        os.environ["PYTORCH_CUDA_ALLOC_CONF"] = os.environ["PYTORCH_ALLOC_CONF"] = "expandable_segments:True"
    make, is_mapped = KINDS[kind]
    keep, source, destination, taken = make(1000 * PROCESS)
    counts = (ctypes.c_ulonglong * 2)()
    code = exchange(source, destination, counts)
    first = 1000 * (1 - PROCESS)  # what the partner counted from
    is_right = code == 0 and numpy.array_equal(taken(), numpy.arange(first, first + COUNT, dtype=numpy.int32))
    del keep
    if PROCESS == 0:
        is_right = is_right and list(counts) == ([2, 0] if is_mapped else [0, 2])
    print(f"process {PROCESS}: {kind}: {'right' if is_right else 'wrong'}, direct and staged: {list(counts)}", flush=True)
    return 0 if is_right else 1


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in KINDS:
        sys.exit(f"library_memory.py: which memory? {', '.join(KINDS)}")
    sys.exit(main(sys.argv[1]))
