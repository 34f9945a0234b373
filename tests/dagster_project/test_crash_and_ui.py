"""Kill -9 in mid-build, two builds at once, and the Dagster UI on the same home."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

import pytest

from dagster_project.instance import instance_of
from dagster_project.plan import order
from tests.pipeline import CommandLine, chain, write_set

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

COMMAND = [sys.executable, "-c", "from dagster_project.entry import main; main()"]


def start(home, *words):
    environment = {**os.environ, "STEPFORGE_HOME": str(home)}
    return subprocess.Popen(
        [*COMMAND, *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )


def versions(line):
    store = line.home.store
    return {(s, p): store.pointer(s, p).data_version for s in order() for p in store.partitions(s)}


def ingested(root, name):
    line = CommandLine(root / name)
    folder = write_set(root / "contest", [chain(i) for i in range(8)])
    assert line("ingest", folder, "--batch", "a").code == 0
    return line


def test_a_build_killed_at_any_moment_ends_in_the_same_rows(tmp_path):
    calm, hunted = ingested(tmp_path, "calm"), ingested(tmp_path, "hunted")
    assert calm("build").code == 0
    moments = random.Random(7)
    killed = 0
    for _ in range(8):
        process = start(hunted.root, "build")
        try:
            process.wait(timeout=moments.uniform(2, 6))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            killed += 1
    assert killed >= 1
    assert hunted("build").code == 0
    assert versions(hunted) == versions(calm)
    assert unfinished_runs(hunted) == []


def unfinished_runs(line):
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DAGSTER_HOME", str(line.home.dagster))
        environment.setenv("STEPFORGE_HOME", str(line.root))
        with instance_of(line.home) as instance:
            return [run.run_id for run in instance.get_runs() if not run.is_finished]


def test_an_interrupted_build_stops_at_once_and_goes_on_later(tmp_path):
    line = ingested(tmp_path, "home")
    process = start(line.root, "build")
    for _ in range(200):
        if (line.root / "tables" / "problems").exists():
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130, out.decode()
    assert "stopped" in out.decode()
    assert "Traceback" not in out.decode()
    assert not (line.root / "tables" / "report").exists()
    assert line("build").code == 0
    assert unfinished_runs(line) == []


def test_two_builds_at_once_end_in_the_same_rows(tmp_path):
    calm, shared = ingested(tmp_path, "calm"), ingested(tmp_path, "shared")
    assert calm("build").code == 0
    both = [start(shared.root, "build") for _ in range(2)]
    for process in both:
        out, _ = process.communicate(timeout=300)
        assert process.returncode == 0, out.decode()
    assert versions(shared) == versions(calm)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(port, query, **variables):
    body = json.dumps({"query": query, "variables": variables}).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/graphql", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["data"]


@contextmanager
def user_interface(home):
    port = free_port()
    process = start(home, "ui", "--port", str(port))
    try:
        for _ in range(480):
            try:
                entries = ask(port, "{workspaceOrError{... on Workspace{locationEntries{loadStatus}}}}")
                if all(e["loadStatus"] == "LOADED" for e in entries["workspaceOrError"]["locationEntries"]):
                    break
            except OSError:
                time.sleep(0.5)
        yield port
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


LAUNCH = """mutation($partition: String!) { launchPartitionBackfill(backfillParams: {
  assetSelection: [{path: ["clean_problems"]}], partitionNames: [$partition], fromFailure: false
}) { __typename ... on PythonError { message } } }"""
FRESH = '{assetNodes(assetKeys: [{path: ["%s"]}]) { staleStatus(partition: "a") dataVersion(partition: "a") }}'


def test_the_ui_serves_the_same_home_and_reruns_one_stage_of_one_batch(tmp_path):
    line = ingested(tmp_path, "home")
    assert line("build").code == 0
    before = line.home.store.pointer("clean_problems", "a")
    with user_interface(line.root) as port:
        nodes = {n["assetKey"]["path"][0] for n in ask(port, "{assetNodes{assetKey{path}}}")["assetNodes"]}
        assert set(order()) <= nodes
        for stage in ("documents", "variants", "benchmark_tasks"):
            (node,) = ask(port, FRESH % stage)["assetNodes"]
            assert node == {"staleStatus": "FRESH", "dataVersion": line.home.store.pointer(stage, "a").data_version}
        launched = ask(port, LAUNCH, partition="a")["launchPartitionBackfill"]
        assert launched["__typename"] == "LaunchBackfillSuccess", launched
        for _ in range(480):
            after = line.home.store.pointer("clean_problems", "a")
            if after.run_id != before.run_id:
                break
            time.sleep(0.5)
    assert after.run_id != before.run_id
    assert after.data_version == before.data_version
    assert "nothing to do" in capture(line.root, "build")


def capture(home, *words):
    process = start(home, *words)
    return process.communicate(timeout=120)[0].decode()
