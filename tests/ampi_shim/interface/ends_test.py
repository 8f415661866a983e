# SPDX-License-Identifier: Apache-2.0
"""How errors end a run, how profiling libraries come in, and what a program does that is started by itself.

Usage: ends_test.py AMPIRUN LIBRARY PROGRAM_FOLDER
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

AMPIRUN, LIBRARY, PROGRAMS = (pathlib.Path(each).resolve() for each in sys.argv[1:4])
SECONDS = 60
# Calls of instrumented code. The names of sanitizers' first functions are in every ampirun, which looks for them.
HAS_ADDRESS_SANITIZER, HAS_THREAD_SANITIZER = (
    name in AMPIRUN.read_bytes() for name in (b"__asan_report_", b"__tsan_func_entry"))


def start(*command, **more):
    environment = {**os.environ, **more}
    return subprocess.run([str(each) for each in command], capture_output=True, text=True, check=False, timeout=SECONDS,
                          env=environment)


def run(program, *arguments, ranks=2, **more):
    return start(AMPIRUN, "-n", ranks, PROGRAMS / program, *arguments, **more)


class Errors(unittest.TestCase):
    def ends(self, way, *texts):
        done = run("fatal", way)
        self.assertNotEqual(done.returncode, 0)
        for text in texts:
            self.assertIn(text, done.stderr)
        return done

    def test_a_fatal_error_names_rank_function_class_and_what_was_wrong(self):
        done = self.ends("fatal", "rank 1", "MPI_Send", "MPI_ERR_COUNT", "-3", "MPI_ERRORS_ARE_FATAL")
        self.assertEqual(done.returncode, 1)  # not the class, which may be a code of ampirun's

    def test_an_error_of_the_programs_class_is_told_by_numbers(self):
        done = self.ends("own-class", "rank 1")
        self.assertRegex(done.stderr, r"code \d+ of the program's class \d+")
        self.assertEqual(done.returncode, 1)

    def test_a_function_that_is_not_built_is_named(self):
        self.ends("unbuilt", "rank 0", "MPI_Close_port", "MPI_ERR_UNSUPPORTED_OPERATION")

    def test_the_handler_that_aborts_is_named(self):
        self.ends("errors-abort", "MPI_Send", "MPI_ERR_TYPE", "MPI_ERRORS_ABORT")

    def test_a_message_from_a_thread_of_the_program_ends_the_run(self):
        self.assertEqual(self.ends("send-on-thread", "rank 1", "MPI_Send", "thread").returncode, 1)

    def test_a_thread_of_the_program_may_abort(self):
        self.assertEqual(self.ends("abort-on-thread", "rank 1", "MPI_Abort").returncode, 43)

    def test_calls_before_the_beginning_and_after_the_end(self):
        self.ends("before", "MPI_Comm_rank", "MPI_Init has not been called")
        self.ends("after", "MPI_Barrier", "MPI_Finalize has been called")

    def test_errors_of_no_communicator_go_to_the_handler_of_self(self):
        done = run("fatal", "self")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "handler: 1 5\n")


class Output(unittest.TestCase):
    def test_a_full_disk_is_an_error(self):
        for options in [], ["--label"], ["--processes", 2]:
            with self.subTest(options=options), open("/dev/full", "w", encoding="ascii") as full:
                command = [AMPIRUN, "-n", 2, *options, PROGRAMS / "fatal", "print"]
                done = subprocess.run([str(each) for each in command], stdout=full, stderr=subprocess.PIPE, text=True,
                                      check=False, timeout=SECONDS)
            self.assertEqual(done.returncode, 1)
            self.assertIn("could not be written: No space left on device", done.stderr)

    def test_input_is_rank_0s_although_others_ask_first(self):
        done = subprocess.run([str(AMPIRUN), "-n", "2", str(PROGRAMS / "fatal"), "read"], input="words",
                              capture_output=True, text=True, check=False, timeout=SECONDS)
        self.assertEqual((done.returncode, sorted(done.stdout.splitlines())),
                         (0, ["rank 0 has read words", "rank 1 has read nothing"]))

    def test_an_unfinished_line_comes_before_the_end_by_abort(self):
        done = run("fatal", "print-and-abort")
        self.assertEqual((done.returncode, done.stdout), (7, "the last words\n"))


class Exits(unittest.TestCase):
    def test_a_rank_may_exit_in_an_operation_of_its_own(self):
        for ranks, pes in (2, 1), (3, 1), (8, 2), (16, 2):
            with self.subTest(ranks=ranks, pes=pes):
                done = start(AMPIRUN, "-n", ranks, "--pes", pes, PROGRAMS / "fatal", "exit-in-operation")
                self.assertEqual(done.returncode, 9)
                self.assertIn("exit", done.stderr)

    def test_a_thread_of_the_program_exits_with_a_sentence(self):
        for code, seen in (43, 43), (0, 1):
            done = run("fatal", "exit-on-thread", code)
            self.assertEqual(done.returncode, seen)
            self.assertIn("rank 1 has called exit", done.stderr)
            self.assertIn("on a thread", done.stderr)


class Signals(unittest.TestCase):
    def test_one_that_a_rank_sends_itself_ends_the_run_by_default(self):
        for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, \
                signal.SIGPIPE, signal.SIGQUIT:
            for how, processes in ("raise", 1), ("raise", 2), ("kill", 1), ("queue", 1), ("thread", 2):
                with self.subTest(signal=number.name, how=how, processes=processes):
                    done = start(AMPIRUN, "-n", 2, "--processes", processes, "--pes", 1, PROGRAMS / "fatal", "signal",
                                 how, int(number))
                    self.assertEqual(done.returncode, -number if processes == 1 else 128 + number)
                    self.assertNotIn("goes on", done.stdout)

    def test_a_program_that_has_a_handler_goes_on(self):
        for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGUSR1:
            done = run("fatal", "signal-with-handler", int(number))
            self.assertEqual((done.returncode, done.stderr), (0, ""))


class Commands(unittest.TestCase):
    def test_the_version_is_told(self):
        for option in "--version", "-V":
            done = start(AMPIRUN, option)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, r"^ampirun of Kaon \d+\.\d+\.\d+, MPI \d\.\d\n$")

    def test_options_of_others_are_named_as_they_were_written(self):
        for option, sentence in (("-quiet", "-quiet is no option of ampirun"), ("-name=a", "-name=a is no option"),
                                 ("+vp4", "-n 4 runs four ranks"), ("+p2", "--pes 4"), ("+isomalloc", "of Charm++")):
            done = start(AMPIRUN, "-n", 2, option, PROGRAMS / "fatal", "print")
            self.assertEqual(done.returncode, 2)
            self.assertIn(option, done.stderr)
            self.assertIn(sentence, done.stderr)
        for ranks in ["-n2"], ["-np", 2], ["--ranks=2"]:
            done = start(AMPIRUN, *ranks, PROGRAMS / "fatal", "print")
            self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, 2), done.stderr)

    def test_options_of_other_launchers_are_answered_with_what_ampirun_has(self):
        for words, sentence in (
                (["--hostfile", "hosts"], "ampirun starts all processes on this machine"),
                (["-hostfile=hosts"], "ampirun starts all processes on this machine"),
                (["--host", "a,b"], "on this machine"), (["-H", "a"], "on this machine"),
                (["-f", "h"], "on this machine"),
                (["--bind-to", "core"], "--no-pin"), (["-bind-to", "none"], "--no-pin"),
                (["--map-by", "ppr:2:node"], "--ranks-per-process"), (["-ppn", 2], "--ranks-per-process"),
                (["-x", "A=1"], "NAME=VALUE ampirun"), (["-genv", "A", 1], "NAME=VALUE ampirun"),
                (["--mca", "btl", "tcp"], "parameters of Open MPI"), (["--tag-output"], "--label")):
            with self.subTest(words=words):
                done = start(AMPIRUN, *words, "-n", 2, PROGRAMS / "fatal", "print")
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(f"{words[0]} is an option of other MPI launchers, not of ampirun: ", done.stderr)
                self.assertIn(sentence, done.stderr)

    def test_options_that_allow_what_ampirun_always_does_change_nothing(self):
        for words in ["--oversubscribe"], ["--allow-run-as-root", "-oversubscribe"]:
            done = start(AMPIRUN, *words, "-n", 2, PROGRAMS / "fatal", "print")
            self.assertEqual((done.returncode, len(done.stdout.splitlines()), done.stderr), (0, 2, ""))

    @unittest.skipIf(HAS_ADDRESS_SANITIZER or HAS_THREAD_SANITIZER, "which need more of a stack")
    def test_a_stack_in_which_ampirun_only_just_starts_is_answered(self):
        for _ in range(20):  # the system chooses at random where the stack begins in its first page
            done = start("sh", "-c", f"ulimit -s 24; exec env -i {AMPIRUN} -n 2 true")
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("ampirun: a stack may have 24 KiB here (ulimit -s), and needs 256", done.stderr)

    def test_a_second_program_is_refused(self):
        done = start(AMPIRUN, "-n", 1, "true", ":", "-n", 1, "true")
        self.assertEqual(done.returncode, 2)
        self.assertIn("another program of the run", done.stderr)
        done = run("fatal", "print", ":", ranks=1)
        self.assertEqual(done.returncode, 2)
        done = start(AMPIRUN, "-n", 1, "--", PROGRAMS / "fatal", "print", ":")
        self.assertEqual((done.returncode, done.stdout), (0, "a line of rank 0\n"))

    def test_a_rank_does_not_become_another_program(self):
        for shell in "bash", "sh":
            done = start(AMPIRUN, "-n", 3, shell, "-c", f"exec {PROGRAMS / 'fatal'} print")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("would end all ranks of this process", done.stderr)

    def test_a_program_between_is_told_so(self):
        done = start(AMPIRUN, "-n", 2, "sh", "-c", f"{PROGRAMS / 'fatal'} print; exit 3",
                     ASAN_OPTIONS="detect_leaks=0")  # a shell's
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn("was started by another program that ampirun runs", done.stderr)

    def test_a_closed_stream_may_be_written(self):
        done = run("fatal", "close-output")
        self.assertEqual((done.returncode, done.stdout), (0, "before\nbefore\n"))


class Threads(unittest.TestCase):
    def test_one_that_is_detached_may_go_on_to_the_end(self):
        for processes in 1, 2:
            done = start(AMPIRUN, "-n", 4, "--processes", processes, PROGRAMS / "fatal", "detached-thread")
            self.assertEqual((done.returncode, done.stderr), (0, ""))


@unittest.skipIf(HAS_ADDRESS_SANITIZER, "the sanitizer tells of crashes itself")
class Crashes(unittest.TestCase):
    def test_functions_of_the_program_are_named_and_found_by_addr2line(self):
        done = run("fatal", "crash")
        self.assertIn("SIGSEGV", done.stderr)
        self.assertIn("in rank 1", done.stderr)
        frame = re.search(r"fatal\(\+(0x[0-9a-f]+)\)\[0x[0-9a-f]+\] write_nowhere\n(.*\] main\n)", done.stderr)
        self.assertIsNotNone(frame, done.stderr)
        found = start("addr2line", "-fe", PROGRAMS / "fatal", frame[1])
        self.assertRegex(found.stdout, r"write_nowhere\n.*fatal\.c:\d+")


class Profiling(unittest.TestCase):
    def check(self, done):
        lines = done.stdout.splitlines()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for rank in range(3):
            self.assertIn(f"rank {rank} of 3", lines)
            self.assertEqual(lines.count(f"profiler: barrier of rank {rank}"), 1)

    def test_a_library_that_the_program_is_linked_with_comes_first(self):
        self.check(run("profiled_linked", ranks=3))

    def test_a_library_that_is_loaded_before_comes_first(self):
        self.check(run("profiled", ranks=3, LD_PRELOAD=str(PROGRAMS / "libprofiler.so")))


class Globals(unittest.TestCase):
    def test_ranks_construct_and_destroy_their_globals_in_turns(self):
        for ways in [], ["exit"]:
            done = start(AMPIRUN, "-n", 6, "--processes", 1, "--pes", 2, PROGRAMS / "globals_in_turns", *ways)
            self.assertEqual(done.returncode, 0, done.stderr)


class ByItself(unittest.TestCase):
    def test_a_program_becomes_the_one_rank_of_a_run(self):
        done = start(PROGRAMS / "profiled")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "rank 0 of 1\n", ""))

    def test_its_arguments_come_along(self):
        done = start(PROGRAMS / "fatal", "before")
        self.assertIn("MPI_Init has not been called", done.stderr)

    def test_without_ampirun_it_says_how_to_start_it(self):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place) / "some/lib"
            folder.mkdir(parents=True)
            shutil.copy(LIBRARY, folder / LIBRARY.name)
            done = start(PROGRAMS / "profiled", LD_LIBRARY_PATH=str(folder), LD_PRELOAD=str(folder / LIBRARY.name))
        self.assertEqual(done.returncode, 1)
        self.assertIn("ampirun -n RANKS", done.stderr)

    def test_other_programs_that_load_the_library_go_on(self):
        done = start(shutil.which("true"), LD_PRELOAD=str(LIBRARY))
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
