// The HTML document around a page of the guide: header with search, contents, the page, and its headings.
import { GUIDE_PATH } from "./Addresses.ts"
import { escaped } from "./Escape.ts"
import type { Heading } from "./Markdown.ts"

/** An entry of the contents. */
export interface Entry {
  readonly path: string
  readonly title: string
}

/** Entries of the contents under a heading of their own. */
export interface Group {
  readonly title: string
  readonly entries: ReadonlyArray<Entry>
}

/** The files that every page names. */
export interface Parts {
  readonly script: string
  readonly style: string
  readonly icon: string
  /** The search's index, which the script fetches when somebody searches. */
  readonly index: string
  readonly version: string
}

export interface Shown {
  readonly title: string
  readonly html: string
  readonly headings: ReadonlyArray<Heading>
  /** Undefined for a page that is not one of the contents. */
  readonly path?: string
}

/** The whole document. Ids have a dot, which anchors of headings never have. */
export const documentOf = (
  shown: Shown,
  contents: ReadonlyArray<Group>,
  parts: Parts
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(shown.path === GUIDE_PATH ? "" : `${shown.title} · `)}Signalbox guide</title>
<link rel="icon" type="image/svg+xml" href="${parts.icon}">
<link rel="stylesheet" href="${parts.style}">
<script type="module" blocking="render" src="${parts.script}"></script>
</head>
<body class="guide">
<a class="skip" href="#guide.page">Skip to content</a>
<header class="bar">
<a class="brand" href="/">Signalbox</a>
${linkTo({ path: GUIDE_PATH, title: "Guide" }, shown.path)}
<search id="guide.search" data-index="${parts.index}"></search>
<a class="to-contents" href="#guide.contents">Contents</a>
<span id="guide.theme"></span>
</header>
<main id="guide.page" tabindex="-1">
${headingsOf(shown.headings)}
<article>
${shown.html}
</article>
${neighbours(shown.path, contents)}
</main>
<nav id="guide.contents" class="contents" aria-label="Contents">
${contents.map((group) => groupOf(group, shown.path)).join("\n")}
</nav>
<footer class="foot"><span>Signalbox ${escaped(parts.version)}</span> <a href="/">Dashboard</a> <a href="/docs">API reference</a></footer>
<div id="guide.toasts"></div>
</body>
</html>
`

const groupOf = (
  { entries, title }: Group,
  shown: string | undefined
): string => `<h2 class="group">${escaped(title)}</h2>
<ul>
${entries.map((entry) => `<li>${linkTo(entry, shown)}</li>`).join("\n")}
</ul>`

const linkTo = ({ path, title }: Entry, shown?: string): string =>
  `<a href="${path}"${path === shown ? ` aria-current="page"` : ""}>${escaped(title)}</a>`

/** The page's headings as links, where there are enough to choose from. */
const headingsOf = (headings: ReadonlyArray<Heading>): string => {
  const listed = headings.filter(({ level }) => level === 2 || level === 3)
  if (listed.length < FEWEST_HEADINGS) return ""
  const lines = listed.map(
    ({ id, level, title }) => `<li class="level-${level}"><a href="#${id}">${escaped(title)}</a></li>`
  )
  return `<details class="headings">
<summary>On this page</summary>
<nav aria-label="On this page">
<ul>
${lines.join("\n")}
</ul>
</nav>
</details>`
}

const FEWEST_HEADINGS = 2

/** The pages before and after this one. */
const neighbours = (path: string | undefined, contents: ReadonlyArray<Group>): string => {
  const entries = contents.flatMap((group) => group.entries)
  const at = entries.findIndex((entry) => entry.path === path)
  if (at < 0) return ""
  const [before, after] = [entries[at - 1], entries[at + 1]]
  const link = (words: string, entry: Entry | undefined) =>
    entry === undefined
      ? "<span></span>"
      : `<span class="${words.toLowerCase()}"><span class="quiet">${words}</span> ${linkTo(entry)}</span>`
  return `<nav class="neighbours" aria-label="Next and previous page">${link("Previous", before)}${link("Next", after)}</nav>`
}
