// The written pages (README, guide, .github) as data: their headings, links and code blocks, and rules that they keep.
import { dirname, join } from "node:path"
import type { File } from "./source.ts"

/** Where a link leads. */
interface Link {
  readonly target: string
  readonly line: number
}

const FENCED = /^(`{3,})([^\n]*)\n([\s\S]*?)^\1$/gm

/** The page with its code blocks and comments blank, lines kept. */
const prose = (text: string): string =>
  [FENCED, /<!--[\s\S]*?-->/g].reduce(
    (rest, pattern) => rest.replace(pattern, (block) => "\n".repeat(block.split("\n").length - 1)),
    text
  )

/** The page's prose without what stands in code style. */
const plain = (text: string): string => prose(text).replace(/`[^`\n]*`/g, "")

/** The fenced blocks of a language. */
export const blocks = (text: string, language: string): ReadonlyArray<string> =>
  [...text.matchAll(FENCED)].flatMap(([, , named, block = ""]) => (named === language ? [block] : []))

/** The headings as they are written, in order. */
export const headings = (text: string): ReadonlyArray<string> =>
  [...prose(text).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = ""]) => heading)

/** The names of headings that are wholly in code style: `### \`stop_loss\`` has the name stop_loss. */
export const named = (text: string): ReadonlyArray<string> =>
  headings(text).flatMap((heading) => /^`([^`]+)`$/.exec(heading)?.[1] ?? [])

/** The anchors of the headings, as GitHub makes them. */
export const anchors = (text: string): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const heading of headings(text)) {
    const slug = heading
      .toLowerCase()
      .replace(/\]\([^)]*\)/g, "")
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-")
    let anchor = slug
    for (let count = 1; found.has(anchor); count++) anchor = `${slug}-${count}`
    found.add(anchor)
  }
  return found
}

const links = (text: string): ReadonlyArray<Link> =>
  plain(text)
    .split("\n")
    .flatMap((line, index) =>
      [...line.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({ target, line: index + 1 }))
    )

/** A rule gives one line for each violation. */
type Rule = (pages: ReadonlyArray<File>) => ReadonlyArray<string>

/** Every relative link leads to a file, and its anchor to a heading. `files` are those of the repository. */
export const linksLead =
  (files: ReadonlySet<string>): Rule =>
  (pages) =>
    pages.flatMap(({ path, text }) =>
      links(text).flatMap(({ line, target }) => {
        if (/^[a-z]+:/.test(target)) return []
        const [file = "", anchor] = target.split("#")
        const found = file === "" ? path : join(dirname(path), file)
        if (file !== "" && !files.has(found))
          return [`${path}:${line} links to ${target}: there is no such file`]
        const page = pages.find((other) => other.path === found)
        return anchor === undefined || (page !== undefined && anchors(page.text).has(anchor))
          ? []
          : [`${path}:${line} links to ${target}: there is no such heading`]
      })
    )

/** The guide links only within itself, because the program serves its folder alone. */
export const staysWithin =
  (folder: string): Rule =>
  (pages) =>
    pages
      .filter(({ path }) => path.startsWith(folder))
      .flatMap(({ path, text }) =>
        links(text)
          .filter(({ target }) => target.startsWith("../") || target.startsWith("/"))
          .map(({ line, target }) => `${path}:${line} links to ${target}, outside of ${folder}`)
      )

/** No raw HTML, which a page server would have to make safe. */
export const noHtml: Rule = (pages) =>
  pages.flatMap(({ path, text }) =>
    plain(text)
      .split("\n")
      .flatMap((line, index) => (/<\/?[a-z]/i.test(line) ? [`${path}:${index + 1} holds HTML`] : []))
  )

/** The contents list every other page of its folder. */
export const contentsList =
  (contents: string): Rule =>
  (pages) => {
    const index = pages.find(({ path }) => path === contents)
    const listed = new Set(
      links(index?.text ?? "").map(({ target }) => join(dirname(contents), target.split("#")[0] ?? ""))
    )
    return pages
      .filter(({ path }) => dirname(path) === dirname(contents) && path !== contents && !listed.has(path))
      .map(({ path }) => `${contents}:1 does not list ${path}`)
  }

/** The pages of the guide in reading order: the contents, then as these list them. */
export const inOrder = (pages: ReadonlyArray<File>, contents: string): ReadonlyArray<File> => {
  const index = pages.filter(({ path }) => path === contents)
  const listed = index.flatMap(({ text }) => links(text)).map(({ target }) => join(dirname(contents), target))
  return [...index, ...listed.flatMap((path) => pages.filter((page) => page.path === path))]
}
