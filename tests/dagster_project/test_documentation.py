import re
from pathlib import Path

import pytest

from dagster_project.documentation import DOCS, PAGES

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", PAGES)
def test_a_derived_page_is_what_the_code_says(name):
    assert (DOCS / name).read_text("utf-8") == PAGES[name]().rstrip("\n") + "\n", "run: make docs"


def test_every_link_of_the_readme_leads_to_a_file():
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
