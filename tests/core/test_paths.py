"""What kind of file a path names: by whole components, never by bare substrings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.paths import CONFIG, DATA, DOC, GENERATED, SOURCE, TEST, classify, components, inside, relative

KINDS: list[tuple[str, str]] = [
    # source, also where the name only contains a word of another kind
    ("app.py", SOURCE),
    ("src/app.py", SOURCE),
    ("./src/app.py", SOURCE),
    ("src\\win\\app.py", SOURCE),
    ("src/builder.py", SOURCE),
    ("src/build.py", SOURCE),
    ("src/rebuild/app.py", SOURCE),
    ("src/distance.ts", SOURCE),
    ("src/distribution/x.ts", SOURCE),
    ("src/targets/x.rs", SOURCE),
    ("src/outer/x.go", SOURCE),
    ("src/vendors/x.go", SOURCE),
    ("src/latest.py", SOURCE),
    ("src/contest.go", SOURCE),
    ("src/attestation.py", SOURCE),
    ("src/protest.rb", SOURCE),
    ("src/Contest.java", SOURCE),
    ("src/Latest.kt", SOURCE),
    ("src/testament.py", SOURCE),
    ("src/tester.py", SOURCE),
    ("src/abTest.ts", SOURCE),
    ("src/inspect.py", SOURCE),
    ("src/spectrum.ts", SOURCE),
    ("src/special/a.ts", SOURCE),
    ("src/aspect.js", SOURCE),
    ("src/configure.py", SOURCE),
    ("src/config.py", SOURCE),
    ("src/config/loader.ts", SOURCE),
    ("src/conf.rs", SOURCE),
    ("src/documents/index.ts", SOURCE),
    ("src/minify.js", SOURCE),
    ("src/admin.js", SOURCE),
    ("src/generated_names.py", SOURCE),
    ("src/generator/x.py", SOURCE),
    ("src/pb2.py", SOURCE),
    ("src/github/client.py", SOURCE),
    ("src/git/client.py", SOURCE),
    ("src/claude/client.py", SOURCE),
    ("src/App.tsx", SOURCE),
    ("src/Page.vue", SOURCE),
    ("src/types.d.ts", SOURCE),
    ("src/UPPER.PY", SOURCE),
    ("lib/main.dart", SOURCE),
    ("include/a.hpp", SOURCE),
    ("cmd/server/main.go", SOURCE),
    ("scripts/deploy.sh", SOURCE),
    ("db/schema.sql", SOURCE),
    ("a.b/c.d/e.rs", SOURCE),
    # tests
    ("tests/test_app.py", TEST),
    ("tests/helper.py", TEST),
    ("src/pkg/tests/deep/helper.py", TEST),
    ("test/app.rb", TEST),
    ("spec/app_spec.rb", TEST),
    ("src/__tests__/app.tsx", TEST),
    ("src/__mocks__/fs.js", TEST),
    ("e2e/login.ts", TEST),
    ("cypress/login.cy.ts", TEST),
    ("src/x.test.ts", TEST),
    ("src/x.spec.tsx", TEST),
    ("src/x.unit.test.mjs", TEST),
    ("src/test_x.py", TEST),
    ("src/x_test.py", TEST),
    ("pkg/server_test.go", TEST),
    ("app/tests.py", TEST),
    ("src/FooTest.java", TEST),
    ("src/FooTests.cs", TEST),
    ("src/FooSpec.scala", TEST),
    ("src/FooTest.php", TEST),
    ("src/test/java/Foo.java", TEST),
    ("src/test/kotlin/Foo.kt", TEST),
    ("tests/fixtures/sample.py", TEST),
    ("tests/github/x.py", TEST),
    # configuration, also where it is written in a programming language
    ("conftest.py", CONFIG),
    ("tests/conftest.py", CONFIG),
    ("setup.py", CONFIG),
    ("noxfile.py", CONFIG),
    ("vite.config.ts", CONFIG),
    ("jest.config.js", CONFIG),
    ("packages/web/webpack.config.prod.js", CONFIG),
    (".eslintrc.js", CONFIG),
    (".eslintrc.cjs", CONFIG),
    (".github/x.py", CONFIG),
    (".github/workflows/test.yml", CONFIG),
    (".claude/hooks/gate.py", CONFIG),
    (".claude/settings.json", CONFIG),
    (".husky/pre-commit.sh", CONFIG),
    ("pyproject.toml", CONFIG),
    ("package.json", CONFIG),
    ("package-lock.json", CONFIG),
    ("tsconfig.json", CONFIG),
    ("Cargo.lock", CONFIG),
    ("pom.xml", CONFIG),
    (".gitignore", CONFIG),
    (".env", CONFIG),
    ("Makefile", CONFIG),
    ("docker/Dockerfile", CONFIG),
    ("build.gradle.kts", CONFIG),
    ("config/settings.yaml", CONFIG),
    ("tests/data.json", CONFIG),
    # documentation
    ("README.md", DOC),
    ("docs/guide/index.rst", DOC),
    ("docs/a.mdx", DOC),
    ("CHANGELOG.txt", DOC),
    ("src/notes.md", DOC),
    ("tests/README.md", DOC),
    ("docs/test_plan.md", DOC),
    # made by a program
    ("node_modules/x/index.js", GENERATED),
    ("packages/web/node_modules/x/index.js", GENERATED),
    ("dist/app.js", GENERATED),
    ("build/lib/app.py", GENERATED),
    ("target/debug/a.rs", GENERATED),
    ("vendor/x/a.go", GENERATED),
    (".venv/lib/python3.11/site-packages/x.py", GENERATED),
    ("src/__pycache__/app.py", GENERATED),
    (".git/hooks/pre-commit.sh", GENERATED),
    ("static/app.min.js", GENERATED),
    ("src/foo_pb2.py", GENERATED),
    ("src/foo_pb2_grpc.py", GENERATED),
    ("api/foo.pb.go", GENERATED),
    ("lib/model.g.dart", GENERATED),
    ("src/api.generated.ts", GENERATED),
    ("node_modules/x/README.md", GENERATED),
    # anything else
    ("", DATA),
    (".", DATA),
    ("LICENSE", DATA),
    ("logo.png", DATA),
    ("data/rows.csv", DATA),
    ("build", DATA),
    ("py", DATA),
    ("src/app.py.orig", DATA),
]


@pytest.mark.parametrize(("path", "kind"), KINDS, ids=[path or "empty" for path, _ in KINDS])
def test_a_path_is_classified(path: str, kind: str) -> None:
    assert classify(path) == kind


def test_the_table_is_complete_and_says_nothing_twice() -> None:
    assert len({path for path, _ in KINDS}) == len(KINDS) >= 80
    assert {kind for _, kind in KINDS} == {SOURCE, TEST, CONFIG, DOC, GENERATED, DATA}


@given(st.text(alphabet=st.characters(), max_size=40) | st.text(alphabet="abt./\\_-", max_size=20))
def test_any_text_has_a_kind(path: str) -> None:
    assert classify(path) in (SOURCE, TEST, CONFIG, DOC, GENERATED, DATA)


@given(st.sampled_from([path for path, _ in KINDS]))
def test_the_spelling_of_a_path_does_not_matter(path: str) -> None:
    assert classify("./" + path) == classify(path.replace("/", "\\")) == classify(path.replace("/", "//")) == classify(path)


COMPONENTS: list[tuple[str, list[str]]] = [
    ("a/b", ["a", "b"]),
    ("/a//b/", ["a", "b"]),
    ("./a/./b", ["a", "b"]),
    ("a\\b", ["a", "b"]),
    ("", []),
    ("/", []),
]


@pytest.mark.parametrize(("path", "parts"), COMPONENTS)
def test_a_path_has_components(path: str, parts: list[str]) -> None:
    assert components(path) == parts


PLACES: list[tuple[str, str, bool, str]] = [
    ("/p/a.py", "/p", True, "a.py"),
    ("/p/a.py", "/p/", True, "a.py"),
    ("/p/d/a.py", "/p", True, "d/a.py"),
    ("/p", "/p", True, "/p"),
    ("/pp/a.py", "/p", False, "/pp/a.py"),
    ("/q/a.py", "/p", False, "/q/a.py"),
    ("/a.py", "/", True, "a.py"),
    ("a.py", "/p", False, "a.py"),
    ("/", "/p", False, "/"),
]


@pytest.mark.parametrize(("path", "folder", "below", "seen"), PLACES)
def test_a_path_lies_in_a_folder_or_not(path: str, folder: str, below: bool, seen: str) -> None:
    assert inside(path, folder) is below
    assert relative(path, folder) == seen
