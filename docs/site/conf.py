"""How the pages of ``docs/`` become a site: ``python3 bin/build_site.py`` builds it.

Sphinx reads the docstrings as they are written, and MyST the pages, which stay plain Markdown.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from tisch.games import REGISTRY
from tisch.server.net import asyncapi

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
#: The pages in another language than English.
LANGUAGES = {"deutsch": "de"}
#: Pages beside the documentation that belong to the site, and where they stand in it.
BESIDE = {
    ROOT / "README.md": DOCS / "index.md",
    ROOT / "CONTRIBUTING.md": DOCS / "site" / "contributing.md",
    ROOT / "CHANGELOG.md": DOCS / "site" / "changelog.md",
    ROOT / "SECURITY.md": DOCS / "site" / "security.md",
    ROOT / "benches" / "RESULTS.md": DOCS / "site" / "results.md",
}
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")
_IMAGE = re.compile(r"<img src=\"([^\"]+)\" alt=\"([^\"]*)\"[^>]*>")

#: What a server answers and the site has as a file, too.
BUILT = {"`/api/asyncapi`": "asyncapi.json"}

project = "tisch"
author = "the authors of tisch"
copyright = author  # noqa: A001 - Sphinx calls it so.
html_title = "tisch"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["__pycache__"]
html_theme = "furo"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_favicon = str(ROOT / "web" / "images" / "favicon.svg")
html_copy_source = False
myst_heading_anchors = 4
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
#: A longer signature has a line for each parameter.
maximum_signature_line_length = 90


def _linked(page: Path, target: Path) -> str:
    return Path(os.path.relpath(target, page.parent)).as_posix()


def read(text: str, source: Path, page: Path) -> str:
    """Prepare a page: its links lead to pages of the site, and its pictures are Markdown's.

    :param text: The page.
    :param source: Its file.
    :param page: Its place in the site.
    :result: The page; a link to a file that the site does not show becomes its words alone.
    """

    def link(found: re.Match[str]) -> str:
        words, path, part = found[1], found[2], found[3] or ""
        target = (source.parent / path).resolve()
        # A heading of the README is not one of the page that stands in its place.
        target, part = (BESIDE[target], "") if target in BESIDE else (target, part)
        if target.suffix == ".md" and target.is_relative_to(DOCS):
            return f"[{words}]({_linked(page, target)}{part})"
        return words

    def picture(found: re.Match[str]) -> str:
        return f"![{found[2]}]({_linked(page, (source.parent / found[1]).resolve())})"

    for words, file in BUILT.items():
        text = text.replace(words, f'<a href="{_linked(page, DOCS / file)}">{words}</a>')
    return _IMAGE.sub(picture, _LINK.sub(link, text)).replace("```session", "```text")


def _prepare(app: Any, name: str, content: list[str]) -> None:
    page = DOCS / f"{name}.md"
    source = next((each for each, place in BESIDE.items() if place == page and name != "index"), page)
    content[0] = read(source.read_text(encoding="utf-8"), source, page)


def tell_language(app: Any, name: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Tell browsers, and who reads aloud, the language of a page that has another one than the site.

    :param app: Sphinx.
    :param name: The page.
    :param template: Its template.
    :param context: What the template is filled with.
    :param tree: The page as a tree.
    """
    if name in LANGUAGES:
        context["body"] = f'<div lang="{LANGUAGES[name]}">{context["body"]}</div>'


def write_asyncapi(app: Any, error: Exception | None) -> None:
    """Write the protocol of all games of tisch as a schema beside the pages.

    :param app: Sphinx.
    :param error: Why the site was not built, if so.
    """
    if error is None:
        described = asyncapi.document([*REGISTRY.values()])
        (Path(app.outdir) / "asyncapi.json").write_text(json.dumps(described, indent=1), encoding="utf-8")


def leave_out(*noticed: Any) -> bool | None:
    """Leave out the fields of named tuples: the class describes them, and Python only numbers them.

    :param noticed: What Sphinx tells of a member; the fourth is the member.
    :result: Whether it is left out; None lets Sphinx decide.
    """
    numbered = (getattr(noticed[3], "__doc__", None) or "").startswith("Alias for field number")
    return numbered or None


def setup(app: Any) -> None:
    """Let Sphinx prepare each page."""
    app.connect("autodoc-skip-member", leave_out)
    app.connect("build-finished", write_asyncapi)
    app.connect("source-read", _prepare)
    app.connect("html-page-context", tell_language)
