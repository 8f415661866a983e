# SPDX-License-Identifier: Apache-2.0
# Not tried: Spack could not be reached where this was written.
from spack.package import *


class Kaon(CMakePackage, CudaPackage):
    """A runtime of message-driven objects for machines with GPUs, over UCX."""

    license("Apache-2.0")

    version("main", branch="main")

    variant("ampi", default=True, description="MPI programs as ranks that are objects")
    variant("pmix", default=True, description="Runs under mpirun, prterun and srun")

    depends_on("cxx", type="build")
    depends_on("cmake@3.24:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python", type="build")  # manual pages
    depends_on("ucx@1.20:")
    depends_on("ucx+cuda", when="+cuda")
    depends_on("boost@1.81:+context")
    depends_on("hwloc")
    depends_on("fmt")
    depends_on("spdlog+fmt_external")
    depends_on("cli11")
    depends_on("metis")
    depends_on("pmix@3:", when="+pmix")
    depends_on("cuda@12.5:", when="+cuda")

    requires("%gcc@12:", "%clang@16:", policy="one_of")

    def cmake_args(self):
        args = [
            self.define("KAON_BUILD_TESTS", False),
            self.define("KAON_BUILD_EXAMPLES", False),
            self.define("KAON_UCX_ROOT", self.spec["ucx"].prefix),
            self.define_from_variant("KAON_BUILD_AMPI", "ampi"),
            self.define_from_variant("KAON_CUDA", "cuda"),
        ]
        if self.spec.satisfies("+cuda"):
            archs = self.spec.variants["cuda_arch"].value
            if archs != ("none",):
                args.append(self.define("KAON_CUDA_ARCHITECTURE", f"sm_{archs[0]}"))
        return args
