// The guide's pages: rendered as a forge shows them, found by the search, and linked to by what they explain.
import { describe, expect, test } from "bun:test"
import { CODES } from "../../src/api/shared/Codes.ts"
import { ACTED, IGNORED } from "../../src/domain/Alert.ts"
import * as Guide from "../../src/web/Guide.ts"
import { addressOf, headingOf, LINKED_PLACES } from "../../src/web/guide/Addresses.ts"
import { anchors, type Places, render } from "../../src/web/guide/Markdown.ts"
import { entriesOf, find } from "../../src/web/page/guide/find.ts"
import { NAMES } from "../../src/web/page/strategies/fields.ts"

const places: Places = {
  link: (href) => href.replace(/^(\w+)\.md/, "/guide/$1"),
  image: (src) => ({ src: `/assets/${src}`, size: { width: 800, height: 600 } })
}
const html = (markdown: string) => render(markdown, places).html

describe("rendering", () => {
  // As GitHub makes them.
  const slugs: ReadonlyArray<readonly [title: string, slug: string]> = [
    ["stop_loss", "stop_loss"],
    ["First steps", "first-steps"],
    ["401 Unauthorized", "401-unauthorized"],
    ["Averaging (DCA)", "averaging-dca"],
    ["Take profit & stop loss", "take-profit--stop-loss"],
    ["What's new in 1.0?", "whats-new-in-10"],
    ["--trusted-proxies", "--trusted-proxies"],
    ["a/b, c: d", "ab-c-d"],
    ["Größe", "größe"],
    ["🚀 Go", "-go"]
  ]
  test.each(slugs)("the anchor of %j is %j", (title, slug) => expect(anchors()(title)).toBe(slug))

  test("a heading that is repeated gets a number", () => {
    const idOf = anchors()
    expect(["Same", "Same", "Same 1", "Same"].map(idOf)).toEqual(["same", "same-1", "same-1-1", "same-2"])
  })

  test("a heading's anchor is that of its text, whatever its style", () => {
    expect(html("## The `stop_loss` *setting* & more")).toContain(`<h2 id="the-stop_loss-setting--more">`)
    expect(html("### [Link](a.md) here")).toContain(`<h3 id="link-here">`)
  })

  test("links to other files lead to pages, and links outside open beside the guide", () => {
    expect(html("[a](bots.md#stop_loss) [b](#here)")).toContain(
      `<a href="/guide/bots#stop_loss">a</a> <a href="#here">b</a>`
    )
    expect(html("[a](https://a.example/?b=1&c=2)")).toContain(
      `<a href="https://a.example/?b=1&amp;c=2" target="_blank" rel="noopener noreferrer">`
    )
    expect(html("![A picture](a.png)")).toContain(
      `<img src="/assets/a.png" width="800" height="600" loading="lazy" alt="A picture"`
    )
  })

  test("code and HTML are shown and never run", () => {
    const text =
      "a `<b>&</b>`\n\n```html\n<script>alert(1)</script>\n```\n\n<script>alert(2)</script> <b onclick=x>c</b>\n"
    const made = html(text)
    expect(made).toContain("<code>&lt;b&gt;&amp;&lt;/b&gt;</code>")
    expect(made).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
    expect(made).not.toMatch(/<script|<b\b/)
  })

  test("a comment is not shown, but in code", () =>
    expect(html("a\n\n<!-- b\nc -->\n\n`<!-- d -->`\n")).toBe(
      "<p>a</p>\n<p><code>&lt;!-- d --&gt;</code></p>\n"
    ))

  test("a long name in a table may be broken, and is found as it is", () => {
    const { html, sections } = render("# A\n\n| a |\n|--|\n| [`A_B_C`](a.md#d_e) |\n", places)
    expect(html).toContain(`<table aria-label="A">`)
    expect(html).toContain(`<td><a href="/guide/a#d_e"><code>A_<wbr>B_<wbr>C</code></a></td>`)
    expect(sections[0]?.text).toBe("a A_B_C")
  })

  test("the search's text of a section is what a reader sees", () => {
    const { sections, title } = render("# One\n\nA `b_c` & *d*.\n\n## Two\n\n- e\n- f<g\n", places)
    expect(title).toBe("One")
    expect(sections).toEqual([
      { level: 1, id: "one", title: "One", text: "A b_c & d." },
      { level: 2, id: "two", title: "Two", text: "e f<g" }
    ])
  })

  test("a picture has its size and a name of its content; one that is not there is reported as a link", () => {
    const png = Uint8Array.from([...Array(18).fill(0), 3, 32, 0, 0, 2, 88, 0])
    const [page] = Guide.pagesOf({
      "a-b.png": png,
      "index.md": new TextEncoder().encode("![a](a-b.png) ![c](c.png)")
    })
    expect(page?.html).toMatch(
      /<img src="\/assets\/a_b-\w{8}\.png" width="800" height="600" loading="lazy" alt="a"/
    )
    expect(page?.links).toEqual(["c.png"])
  })

  test("a link to a file that is no page is reported too", () => {
    const [page] = Guide.pagesOf({
      "one.md": new TextEncoder().encode("[a](../main.ts) [b](index.md) [c](two.md#d) [e](#f)")
    })
    expect(page?.links).toEqual(["../main.ts", "/guide", "/guide/two#d", "/guide/one#f"])
  })
})

const pages = Guide.pagesOf(await Guide.sources())
const ids = new Set(pages.flatMap(({ path, sections }) => sections.map(({ id }) => `${path}#${id}`)))
const paths = new Set(pages.map(({ path }) => path))

describe("the guide itself", () => {
  test("each page has one first heading, which is its title", () => {
    for (const { path, sections } of pages)
      expect([path, sections.filter(({ level }) => level === 1).length, sections[0]?.level]).toEqual([
        path,
        1,
        1
      ])
  })

  test("every link leads to a page and a heading", () => {
    const broken = pages.flatMap(({ links, path }) =>
      links.filter((link) => !(link.includes("#") ? ids : paths).has(link)).map((link) => `${path}: ${link}`)
    )
    expect(broken).toEqual([])
  })

  test("the contents list every page", () => {
    const listed = Guide.contentsOf(pages).flatMap(({ entries }) => entries.map(({ path }) => path))
    expect(["/guide", ...listed].sort()).toEqual([...paths].sort())
  })

  test("every field of the form, reason, error code and panel of the dashboard links to a heading that is there", () => {
    const wanted = [
      ...NAMES.map((name) => headingOf("bots", name)),
      ...[...ACTED, ...IGNORED].map((reason) => headingOf("reasons", reason)),
      ...CODES.map((code) => headingOf("errors", code))
    ]
    expect(wanted.length).toBeGreaterThan(90)
    expect(wanted.filter((address) => !ids.has(address))).toEqual([])
    const broken = LINKED_PLACES.map(addressOf).filter(
      (address) => !(address.includes("#") ? ids : paths).has(address)
    )
    expect(broken).toEqual([])
  })
})

describe("the search", () => {
  const entries = entriesOf([
    ["/guide/a", "stop_loss", "stop_loss", "Bots", "true or false. Closes a position that fell too far."],
    [
      "/guide/a",
      "other",
      "Other",
      "Bots",
      `${"word ".repeat(40)}a stop loss is set here ${"word ".repeat(60)}`
    ],
    ["/guide/b", "trail", "Trailing", "Rules", "It stops the loss of a gain."],
    ["/guide/b", "size", "Größe", "Rules", "C++ (and more)"]
  ])
  const titles = (query: string) => find(entries, query).map(({ title }) => title)

  test("finds sections that hold all words, the heading of that name first", () => {
    expect(titles("stop loss")).toEqual(["stop_loss", "Other", "Trailing"])
    expect(titles("STOP_LOSS")).toEqual(["stop_loss", "Other", "Trailing"])
    expect(titles("stop nothing")).toEqual([])
    expect(find(entries, "stop loss")[0]?.href).toBe("/guide/a#stop_loss")
  })

  test("finds the beginning of a word, and takes signs for blanks", () => {
    expect(titles("trail")).toEqual(["Trailing"])
    expect(titles("größ")).toEqual(["Größe"])
    expect(titles("c++ (")).toEqual(["stop_loss", "Größe"])
    for (const nothing of ["", "  ", "++", "\\"]) expect([nothing, titles(nothing)]).toEqual([nothing, []])
  })

  test("shows the text around the first hit, with the hits marked", () => {
    const [, other] = find(entries, "stop loss")
    const shown = other?.excerpt ?? []
    expect(shown.filter(({ isHit }) => isHit).map(({ text }) => text)).toEqual(["stop", "loss"])
    const whole = shown.map(({ text }) => text).join("")
    expect(whole).toMatch(/^…word .*a stop loss is set here word .*word…$/)
    expect(whole.length).toBeLessThan(220)
  })
})
