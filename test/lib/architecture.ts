// Rules of the pages for contributors: the map lists every folder and who may import whom, and paths are there.
import { dirname } from "node:path"
import type { Row } from "./house.ts"
import { type File, locate } from "./source.ts"

/** A rule gives one line for each violation. */
type Rule = (pages: ReadonlyArray<File>) => ReadonlyArray<string>

/** The heading above the table of imports. */
const IMPORTS = "## Who may import whom"

/** All folders that hold these files, at any depth. */
const foldersOf = (files: ReadonlySet<string>): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const file of files)
    for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) found.add(folder)
  return found
}

/** What the page names in backticks as a path, without placeholders such as `<name>`. */
const named = (text: string) =>
  [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*)\/?`/g)].map(({ index, 1: path = "" }) => ({
    path,
    line: locate(text, index)
  }))

/** In .github, a path in backticks that begins with a folder of the repository, or of src, leads to a file or folder. */
export const pathsExist = (files: ReadonlySet<string>): Rule => {
  const all = new Set([...files, ...foldersOf(files)])
  return (pages) =>
    pages
      .filter(({ path }) => path.startsWith(".github/"))
      .flatMap(({ path: page, text }) =>
        named(text)
          .filter(({ path }) => {
            const first = path.split("/")[0] ?? ""
            if (!path.includes("/") || all.has(path)) return false
            return all.has(first) || (all.has(`src/${first}`) && !all.has(`src/${path}`))
          })
          .map(({ path, line }) => `${page}:${line} names ${path}: there is no such path`)
      )
}

/** The map names every folder of src that holds files. */
export const listsFolders = (map: string, files: ReadonlySet<string>): Rule => {
  const holding = new Set([...files].map((file) => dirname(file)).filter((it) => it.startsWith("src/")))
  return (pages) =>
    pages
      .filter(({ path }) => path === map)
      .flatMap(({ text }) => {
        const listed = new Set(named(text).map(({ path }) => path))
        return [...holding].filter((folder) => !listed.has(folder)).sort()
      })
      .map((folder) => `${map}:1 does not list ${folder}`)
}

/** The rows of the map's table: who may import which folders and files of src, besides itself. */
const rowsOf = (table: Record<string, Row>): string =>
  Object.entries(table)
    .map(([who, { ours }]) => {
      const names = ours.split(" ").filter((name) => name !== "" && name !== who)
      return `| \`${who}\` | ${names.map((name) => `\`${name}\``).join(", ") || "nothing"} |`
    })
    .join("\n")

/** The map's table of imports has exactly the rows of the table that the imports follow. */
export const showsImports = (map: string, table: Record<string, Row>): Rule => {
  const rows = rowsOf(table)
  return (pages) =>
    pages
      .filter(({ path }) => path === map)
      .flatMap(({ text }) => {
        const from = text.indexOf(`${IMPORTS}\n`)
        const shown = /\n\|-+\|-+\|\n((?:\|.*\n)*)/.exec(from < 0 ? "" : text.slice(from))?.[1] ?? ""
        if (from >= 0 && shown.trimEnd() === rows) return []
        return [`${map}:${from < 0 ? 1 : locate(text, from)} should hold these rows:\n${rows}`]
      })
}
