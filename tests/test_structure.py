"""The project's own shape: direction of imports, docstrings, templates, the built package."""

import ast
import functools
import json
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import assistant, manifest, sequenced, user
from shared import ROOT

PACKAGE = ROOT / "reporter"
TEMPLATES = ROOT / "templates"

LEFT_TO_RIGHT: tuple[tuple[str, ...], ...] = (
    (
        *("vocabulary", "identifiers", "errors", "canonical", "version", "whole_file"),
        "plural",
        *("credentials", "secret_names", "hidden_secrets", "redaction"),
    ),
    ("models",),
    ("recording", "derive"),
    ("checks",),
    ("findings", "wave"),
    ("phrases",),
    ("view",),
    ("render",),
    ("pipeline",),
    ("cli",),
    ("__main__",),
)
RANK = {room: rank for rank, rooms in enumerate(LEFT_TO_RIGHT) for room in rooms}
SEES_IMPORTERS = {"importers", "pipeline", "cli"}

ONLY_IN = {
    "weasyprint": {"reporter.render.pdf_engine", "reporter.render.pdf_memory"},
    "cssselect2": {"reporter.render.pdf_memory"},
    "pydyf": {"reporter.render.pdf_engine"},
    "jinja2": {"reporter.render"},
    "markupsafe": {"reporter.render"},
    "markdown_it": {"reporter.view.markdown", "reporter.view.markdown_lines"},
    "click": {"reporter.cli"},
    "rich": {"reporter.cli"},
    "pydantic_ai": {"reporter.phrases.provider", "reporter.phrases.failures"},
    "genai_prices": {"reporter.phrases.provider"},
    "httpx2": {"reporter.phrases.bounded"},
    "tenacity": {"reporter.phrases.retrying"},
}
RENDERERS = ("weasyprint", "jinja2", "markdown_it")


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found: dict[str, Path] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


@functools.cache
def tree(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


@functools.cache
def imported(name: str) -> tuple[str, ...]:
    """What a module imports, wherever the import stands, also for types only."""
    return tuple(imports(name))


def imports(name: str) -> Iterator[str]:
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: a relative import hides its direction"
            assert node.module is not None
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in MODULES else node.module


def room(name: str) -> str:
    return name.split(".")[1] if "." in name else ""


def arrow_is_right(source: str, target: str) -> bool:
    """Tell whether a module may import another one of the package."""
    here, there = room(source), room(target)
    if here == there:
        return True
    if not there:
        return False
    if there == "importers":
        return here in SEES_IMPORTERS
    if here == "importers":
        return RANK[there] <= RANK["models"]
    if not here:
        return True
    return RANK[there] < RANK[here] or RANK[there] == RANK[here] == 0


@pytest.mark.parametrize("name", MODULES)
def test_every_arrow_points_left(name: str) -> None:
    ours = [target for target in imported(name) if target.split(".")[0] == "reporter"]
    assert [target for target in ours if not arrow_is_right(name, target)] == []


@pytest.mark.parametrize(
    ("source", "target", "right"),
    [
        ("reporter.vocabulary", "reporter.errors", True),
        ("reporter.vocabulary", "reporter.models.facts", False),
        ("reporter.derive.verdict", "reporter.models.facts", True),
        ("reporter.derive.verdict", "reporter.recording.reader", False),
        ("reporter.findings.rows", "reporter.phrases.wording", False),
        ("reporter.view.report", "reporter.findings.rows", True),
        ("reporter.view.report", "reporter.render.html", False),
        ("reporter.importers.chat", "reporter.models.records", True),
        ("reporter.importers.chat", "reporter.recording.reader", False),
        ("reporter.pipeline", "reporter.importers.chat", True),
        ("reporter.render.html", "reporter.importers.chat", False),
        ("reporter.render.html", "reporter", False),
    ],
)
def test_the_arrows_are_told_apart(source: str, target: str, right: bool) -> None:
    assert arrow_is_right(source, target) is right


def test_every_room_is_placed() -> None:
    assert {room(name) for name in MODULES} <= {*RANK, "importers", ""}


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_is_met_in_one_place(library: str) -> None:
    users = {name for name in MODULES if library in {item.split(".")[0] for item in imported(name)}}
    assert users
    assert {
        name
        for name in users
        if not any(name == place or name.startswith(f"{place}.") for place in ONLY_IN[library])
    } == set()


def without_docstring(node: ast.AST, place: str) -> Iterator[str]:
    """Public modules, classes and functions below a node that say nothing about themselves."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    if isinstance(node, kinds) and not ast.get_docstring(node):
        yield place
    if isinstance(node, ast.Module | ast.ClassDef):
        for child in node.body:
            if isinstance(child, kinds[1:]) and not child.name.startswith("_"):
                yield from without_docstring(child, f"{place}.{child.name}")


@pytest.mark.parametrize("name", MODULES)
def test_everything_public_says_what_it_is(name: str) -> None:
    assert list(without_docstring(tree(name), name)) == []


def project_files() -> list[Path]:
    """Every text file that belongs to the project, as git sees it or as it was unpacked."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout.decode()
        paths = [ROOT / name for name in listed.split("\0") if name]
    else:
        rooms = ("reporter", "templates", "tests", "examples")
        paths = [path for top in rooms for path in (ROOT / top).rglob("*")]
        paths += ROOT.glob("*")
    return [path for path in paths if path.is_file() and not path.is_symlink()]


FOREIGN = re.compile(
    # Written in pieces, so that this file does not find itself.
    "/(?:wo" + "rk|fa" + "rm)/[a-z.]"
    "|/ho" + "me/[a-z]+/"
    "|/Us" + "ers/[a-z]+/"
    "|/tm" + "p/[a-z]"
    "|(?:extra-)?ind" + r"ex-url[\s=:]"
    "|npm_con" + "fig_registry"
    r"|https?://(?!127\.0\.0\.1|0\.0\.0\.0)\d+\.\d+\.\d+\.\d+"
)


def test_no_path_and_no_host_of_a_machine_stands_in_the_project() -> None:
    found: list[str] = []
    for path in project_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if FOREIGN.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}")
    assert found == []


def template_files() -> list[Path]:
    return sorted(path for path in TEMPLATES.rglob("*") if path.is_file())


def test_no_template_switches_escaping_off() -> None:
    pages = [path for path in template_files() if path.suffix == ".html"]
    assert pages
    unsafe = re.compile(r"\|\s*safe\b|autoescape\s+false|Markup\(")
    assert [path.name for path in pages if unsafe.search(path.read_text(encoding="utf-8"))] == []


def test_the_templates_stand_beside_the_package() -> None:
    assert template_files()
    assert not (PACKAGE / "templates").exists()


def write_wave(folder: Path) -> Path:
    """Write a wave of one session in the native form."""
    (folder / "sessions").mkdir(parents=True)
    (folder / "wave.json").write_text(json.dumps(manifest()), encoding="utf-8")
    lines = [json.dumps(record) for record in sequenced(user(), assistant())]
    (folder / "sessions" / "s1.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")
    return folder


LOADED = """
import sys
sys.argv[0] = "swarm-reporter"
from reporter.cli import main
try:
    main()
except SystemExit as ended:
    assert ended.code in (0, None), ended.code
print(*(name for name in sys.modules if "." not in name), sep="\\n", file=sys.stderr)
"""


@pytest.mark.parametrize("arguments", [["--help"], ["findings"], ["facts"]])
def test_commands_that_draw_nothing_load_no_renderer(arguments: list[str], tmp_path: Path) -> None:
    source = [] if arguments == ["--help"] else [str(write_wave(tmp_path / "wave"))]
    ran = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments, *source],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()
    loaded = set(ran.stderr.split())
    assert "reporter" in loaded
    assert loaded.isdisjoint(RENDERERS)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    ran = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    return sdist, wheel


def test_every_template_and_module_is_in_the_wheel(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[1]) as wheel:
        held = set(wheel.namelist())
    templates = {f"reporter/templates/{path.relative_to(TEMPLATES)}" for path in template_files()}
    code = {str(path.relative_to(ROOT)) for path in MODULES.values()}
    assert templates | code | {"reporter/py.typed"} <= held
    assert not any(name.startswith("tests/") for name in held)


def test_an_installed_wheel_works_from_another_folder(
    built: tuple[Path, Path], tmp_path: Path
) -> None:
    home = tmp_path / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(built[1])], check=True)
    (site,) = (home / "lib").glob("python*/site-packages")
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    away = tmp_path / "elsewhere"
    away.mkdir()

    def command(*arguments: str) -> str:
        ran = subprocess.run(
            [str(home / "bin" / "swarm-reporter"), *arguments],
            cwd=away,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    where = subprocess.run(
        [str(python), "-c", "import reporter; print(reporter.__file__)"],
        cwd=away,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert Path(where.strip()).is_relative_to(home)
    assert re.search(r"\d+\.\d+\.\d+", command("--version"))
    wave = write_wave(tmp_path / "wave")
    command("report", str(wave), "-o", "out")
    assert {path.name for path in (away / "out").iterdir()} == {
        "report.html",
        "report.pdf",
        "findings.json",
    }
