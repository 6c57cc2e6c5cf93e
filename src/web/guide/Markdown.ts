// Renders a page of the guide from its Markdown: the anchors of headings are GitHub's, and links between pages become
// addresses of the server, so that the same file reads well on a forge and at /guide. Runs when the program is built.
import { escaped, unescaped } from "./Escape.ts"

/** A heading with its anchor. */
export interface Heading {
  readonly level: number
  readonly id: string
  readonly title: string
}

/** A heading and the text up to the next one, as the search finds it. */
export interface Section extends Heading {
  readonly text: string
}

/** A rendered page. */
export interface Rendered {
  /** The text of the first heading. */
  readonly title: string
  readonly html: string
  readonly sections: ReadonlyArray<Section>
}

/** The targets of a page's links and images: given as they are written, returned as they are served. */
export interface Places {
  readonly link: (href: string) => string
  readonly image: (src: string) => Picture
}

export interface Picture {
  readonly src: string
  /** In pixels, where the picture is known. */
  readonly size?: { readonly width: number; readonly height: number }
}

/** HTML in a page is shown as text; a comment that is a paragraph of its own is left out. */
const OPTIONS: Bun.markdown.Options = { noHtmlBlocks: true, noHtmlSpans: true, autolinks: true }

/** Renders one page. */
export const render = (markdown: string, places: Places): Rendered => {
  const idOf = anchors()
  const html = Bun.markdown
    .html(markdown, OPTIONS)
    .replace(/<p>&lt;!--(?:(?!<\/p>).)*--&gt;<\/p>\n/gs, "")
    .replace(/<h([1-6])>(.*?)<\/h\1>/gs, (_, level: string, inner: string) =>
      heading(Number(level), inner, idOf(textOf(inner)))
    )
    .replace(/<a href="([^"]*)"/g, (_, href: string) => anchor(places.link(unescaped(href))))
    .replace(/<img src="([^"]*)"/g, (_, src: string) => image(places.image(unescaped(src))))
    // A wide block scrolls, by keyboard too.
    .replace(/<pre>(.*?<\/pre>)/gs, (_, rest: string) => `<div class="code"><pre tabindex="0">${rest}</div>`)
  const parts = html.split(/(?=<h[1-6] id=")/).map(partOf)
  const sections = parts.flatMap(({ section }) => (section === undefined ? [] : [section]))
  return { title: sections[0]?.title ?? "", html: parts.map(({ html }) => html).join(""), sections }
}

/** With a link to itself for the mouse; by keyboard, the list of a page's headings has the same link. */
const heading = (level: number, inner: string, id: string): string => {
  const link = level === 1 ? "" : `${MARK} href="#${id}" aria-hidden="true" tabindex="-1">#</a>`
  return `<h${level} id="${id}">${inner}${link}</h${level}>`
}

const MARK = ` <a class="anchor"`

/** A link outside opens beside the guide. */
const anchor = (href: string): string =>
  /^https?:/.test(href)
    ? `<a href="${escaped(href)}" target="_blank" rel="noopener noreferrer"`
    : `<a href="${escaped(href)}"`

/** Its size is known before it is loaded: nothing moves. */
const image = ({ size, src }: Picture): string => {
  const measured = size === undefined ? "" : ` width="${size.width}" height="${size.height}"`
  return `<img src="${escaped(src)}"${measured} loading="lazy"`
}

/** A heading with all up to the next one; its tables are named after it. */
const partOf = (part: string): { readonly html: string; readonly section?: Section } => {
  const [whole = "", level, id = "", inner = ""] = /^<h([1-6]) id="([^"]*)">(.*?)<\/h\1>/s.exec(part) ?? []
  const title = textOf(inner.split(MARK)[0] ?? "")
  const html = part.replace(
    /<table>.*?<\/table>/gs,
    (table) =>
      `<div class="scroll" tabindex="0">${breakable(table).replace("<table>", `<table aria-label="${escaped(title)}">`)}</div>`
  )
  if (level === undefined) return { html }
  return { html, section: { level: Number(level), id, title, text: textOf(part.slice(whole.length)) } }
}

/** Long names in a table may be broken behind an underscore. */
const breakable = (table: string): string => table.replace(/_(?=\w)(?![^<]*>)/g, "_<wbr>")

/** The text of HTML that we rendered, on one line. */
const textOf = (html: string): string =>
  unescaped(html.replace(/<\/?(?:a|code|del|em|strong)\b[^>]*>/g, "").replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim()

/** The anchor of each heading of one page, as GitHub makes them: a repeated one gets a number. */
export const anchors = (): ((title: string) => string) => {
  const taken = new Map<string, number>()
  return (title) => {
    const slug = slugOf(title)
    let id = slug
    while (taken.has(id)) {
      const count = (taken.get(slug) ?? 0) + 1
      taken.set(slug, count)
      id = `${slug}-${count}`
    }
    taken.set(id, 0)
    return id
  }
}

/** Letters, digits, `_` and `-` stay, each blank becomes a `-`, and everything else goes. */
const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{Nd}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-")
