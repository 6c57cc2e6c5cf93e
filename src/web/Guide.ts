// The guide as files to serve: each page of src/guide rendered to HTML, its pictures, and the index of the search.
import type { Asset } from "./Archive.ts"
import { GUIDE_PATH, type Indexed, MISSING_PATH } from "./guide/Addresses.ts"
import { documentOf, type Group, type Parts } from "./guide/document.ts"
import { unescaped } from "./guide/Escape.ts"
import { type Picture, type Places, type Rendered, render } from "./guide/Markdown.ts"

/** The first page: the contents in reading order. */
const CONTENTS = "index"

/** A page of the guide, rendered. */
export interface Page extends Rendered {
  readonly path: string
  /** Addresses of this server that the page links to, with their anchors; and pictures that are not there. */
  readonly links: ReadonlyArray<string>
}

/** The guide's files by name, without its folder. */
export type Sources = Readonly<Record<string, Uint8Array>>

/** Reads the guide's folder. */
export const sources = async (folder = `${import.meta.dir}/../guide`): Promise<Sources> => {
  const names = [...new Bun.Glob("*.{md,png}").scanSync(folder)].sort()
  const files = names.map(async (name) => [name, await Bun.file(`${folder}/${name}`).bytes()] as const)
  return Object.fromEntries(await Promise.all(files))
}

/** Renders every page; test/web/guide.test.ts tries every link. */
export const pagesOf = (files: Sources): ReadonlyArray<Page> => {
  const pictures = new Map(
    picturesOf(files).map(({ body, name, path }) => [name, { src: path, size: sizeOf(body) }])
  )
  return Object.keys(files)
    .filter((name) => name.endsWith(".md"))
    .map((name) => pageOf(name, files, pictures))
}

/** The contents as the first page lists them: a group under each of its headings. */
export const contentsOf = (pages: ReadonlyArray<Page>): ReadonlyArray<Group> => {
  const first = pages.find(({ path }) => path === GUIDE_PATH)
  return (first?.html ?? "")
    .split(/(?=<h2 id=")/)
    .map((part) => ({
      title: first?.sections.find(({ id }) => part.startsWith(`<h2 id="${id}"`))?.title ?? "",
      entries: [...part.matchAll(/<a href="([^"#]+)">([^<]*)<\/a>/g)]
        .map(([, path = "", title = ""]) => ({ path, title: unescaped(title) }))
        .filter(({ path }) => pages.some((page) => page.path === path))
    }))
    .filter(({ entries }) => entries.length > 0)
}

const pageOf = (name: string, files: Sources, pictures: ReadonlyMap<string, Picture>): Page => {
  const links: Array<string> = []
  const path = pathOf(name)
  const places: Places = {
    link: (href) => {
      if (/^https?:/.test(href)) return href
      const [file = "", id] = href.split("#")
      const place = file.endsWith(".md") ? pathOf(file) : file
      const address = id === undefined ? place : `${place}#${id}`
      links.push(place === "" ? path + address : address)
      return address
    },
    image: (src) => {
      const picture = pictures.get(src)
      if (picture === undefined) links.push(src)
      return picture ?? { src }
    }
  }
  const rendered = render(new TextDecoder().decode(files[name]), places)
  return { ...rendered, path, links }
}

const pathOf = (name: string): string =>
  name === `${CONTENTS}.md` ? GUIDE_PATH : `${GUIDE_PATH}/${name.replace(/\.md$/, "")}`

/** All files of the guide: pages, pictures and the index. `parts` are those of the page's own script and style. */
export const guide = (files: Sources, parts: Omit<Parts, "index">): ReadonlyArray<Asset> => {
  const pages = pagesOf(files)
  const contents = contentsOf(pages)
  const entries = pages.flatMap(({ path, sections, title }) =>
    sections.map(({ id, text, title: heading }): Indexed => [path, id, heading, title, text])
  )
  const index = named("guide", "json", encoded(JSON.stringify(entries)))
  const all = { ...parts, index: index.path }
  const html = (path: string, text: string): Asset => ({
    path,
    type: "text/html; charset=utf-8",
    body: encoded(text),
    immutable: false
  })
  return [
    ...pages.map((page) => html(page.path, documentOf({ ...page, headings: page.sections }, contents, all))),
    html(MISSING_PATH, documentOf(MISSING, contents, all)),
    { ...index, type: "application/json", immutable: true },
    ...picturesOf(files).map(({ body, path }) => ({ path, type: "image/png", body, immutable: true }))
  ]
}

const MISSING = {
  title: "Page not found",
  html: `<h1>Page not found</h1><p>The guide has no such page. Its pages are listed in the contents; the search finds words in all of them.</p>`,
  headings: []
}

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text)

const picturesOf = (files: Sources) =>
  Object.entries(files)
    .filter(([name]) => name.endsWith(".png"))
    .map(([name, body]) => ({ name, ...named(name.replace(/\.png$/, ""), "png", body) }))

/** A file under a name that changes with its content. */
export const named = (name: string, ending: string, body: Uint8Array) => ({
  path: `/assets/${name.replaceAll(/\W/g, "_")}-${Bun.hash(body).toString(36).padStart(8, "0").slice(-8)}.${ending}`,
  body
})

/** The size of a PNG picture, from its header. */
const sizeOf = (png: Uint8Array): { readonly width: number; readonly height: number } => {
  const view = new DataView(png.buffer, png.byteOffset)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}
