"""Lays out the pages of the site as the repository has them, so that links of pages mean the same in both.

A link to a page is left as it is. A file that a page links to, such as a class, becomes a page that shows it; a folder becomes
its README, or a list of what is in it. A link that leads nowhere is left for MkDocs to refuse.
"""

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TO = Path(sys.argv[1]).resolve()
LINK = re.compile(r"(\]\()([^)\s#:]+)(#[^)\s]*)?(\))")
FENCE = re.compile(r"^(```\w+) [^\n]*$", re.M)  # more than a language after the fence: for tests alone
LANGUAGES = {".tf": "terraform", ".yml": "yaml", ".js": "javascript", ".hcl": "terraform"}
IMAGES = {".png", ".svg", ".jpg"}

waiting = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
done = set()


def place(file):
    return TO / file.relative_to(ROOT)


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def title(page):
    found = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.M)
    return found.group(1) if found else page.stem


def copied(file):
    place(file).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, place(file))
    return file


def folder(at):
    """The page of a folder, as a path of the site; it is made where the folder has no README."""
    if (at / "README.md").is_file():
        waiting.append(at / "README.md")
        return at / "README.md"
    pages = [page for page in sorted(at.iterdir()) if page.suffix == ".md"]
    others = [file for file in sorted(at.iterdir()) if file.is_file() and file.suffix != ".md"]
    waiting.extend(pages)
    lines = [f"- [{title(page)}]({page.name})" for page in pages]
    lines += [f"![{file.name}]({copied(file).name})" if file.suffix in IMAGES else f"- [{file.name}]({source(file).name})" for file in others]
    write(place(at / "index.md"), f"# {at.name.capitalize()}\n\n" + "\n".join(lines) + "\n")
    return at / "index.md"


def source(file):
    """The page that shows a file."""
    page = file.with_name(file.name + ".md")
    if page not in done:
        done.add(page)
        language = LANGUAGES.get(file.suffix, file.suffix[1:] or "text")
        code = file.read_text(encoding="utf-8")
        write(place(page), f"---\nhide: [toc]\nsearch:\n  exclude: true\n---\n\n# {file.name}\n\n`````{language}\n{code}\n`````\n")
    return page


def linked(page, match):
    target = (page.parent / match.group(2)).resolve()
    if not target.is_relative_to(ROOT) or not target.exists():
        return match.group(0)
    if target.suffix == ".md":
        waiting.append(target)
        return match.group(0)
    if target.suffix in IMAGES:
        copied(target)
        return match.group(0)
    shown = folder(target) if target.is_dir() else source(target)
    up = len(page.parent.relative_to(ROOT).parts) * "../"
    return f"{match.group(1)}{up}{shown.relative_to(ROOT)}{match.group(3) or ''}{match.group(4)}"


def stage(page):
    text = page.read_text(encoding="utf-8")
    parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
    parts[::2] = [LINK.sub(lambda match: linked(page, match), prose) for prose in parts[::2]]
    parts[1::2] = [FENCE.sub(r"\1", code) for code in parts[1::2]]
    write(place(page), "".join(parts))


shutil.rmtree(TO, ignore_errors=True)
while waiting:
    page = waiting.pop()
    if page not in done:
        done.add(page)
        stage(page)
for file in (ROOT / "docs" / "site").glob("*.*"):
    if file.suffix in {".css", ".svg"}:
        copied(file)
