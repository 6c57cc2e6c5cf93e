// Reports: their policy, their size, and hostile names within them.
import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { reportTemplate } from "../../src/web/bundle.ts"
import { DATA_ID, documentOf, type ReportPage } from "../../src/web/ReportDocument.ts"

const template = await reportTemplate()
const report = (title: string, data: unknown): ReportPage => ({
  page: "backtest",
  title,
  made_at: 1_700_000_000,
  version: "1",
  data
})

/** The elements of a document as an HTML parser sees them: each start tag, and the text of scripts and the title. */
const parsed = async (html: string) => {
  const elements: Array<string> = []
  const texts = { title: "", data: "", script: "", style: "" }
  const gather = (name: keyof typeof texts) => ({
    text: (chunk: { readonly text: string }) => {
      texts[name] += chunk.text
    }
  })
  await new HTMLRewriter()
    .on("*", { element: ({ tagName }) => void elements.push(tagName) })
    .on("title", gather("title"))
    .on("style", gather("style"))
    .on(`script[id="${DATA_ID}"]`, gather("data"))
    .on(`script[type="module"]`, gather("script"))
    .transform(new Response(html))
    .text()
  return { elements, ...texts }
}
const empty = await parsed(documentOf(template, report("", null)))

describe("a report", () => {
  test("may run its own script and style, and request nothing from anywhere", async () => {
    const digest = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("base64")
    expect(template.slice(0, 1_000)).toContain(
      `<meta http-equiv="content-security-policy" content="default-src 'none'; script-src 'sha256-${digest(empty.script)}'; style-src 'sha256-${digest(empty.style)}'; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'">`
    )
    expect(/ (?:src|href)="(?!data:)[^"]*"/.exec(template)?.[0]).toBeUndefined()
    const requests = /\bfetch\(|EventSource|XMLHttpRequest|WebSocket|import\(|url\((?!#)/
    expect(requests.exec(empty.script + empty.style)?.[0]).toBeUndefined()
    expect(template.length).toBeLessThan(300_000)
  })

  const hostile = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]>",
    "\u2028\u2029",
    "%DATA% %TITLE% $& $1 $`",
    `"><img src=x onerror=alert(1)>`,
    "</title><svg onload=alert(1)>",
    "&lt;b&gt; &amp;",
    "\\u003c/script>\\"
  ]
  test.each(hostile)("holds the name %p as data and nothing else", async (name) => {
    const { data, elements, script } = await parsed(documentOf(template, report(name, { [name]: [name] })))
    expect(elements).toEqual(empty.elements)
    expect(script === empty.script).toBe(true)
    expect(JSON.parse(data)).toMatchObject({ title: name, data: { [name]: [name] } })
  })

  test("gives back every value that JSON has, whatever its names are", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.string({ unit: "binary" }),
        FastCheck.jsonValue(),
        async (title, data) => {
          const html = documentOf(
            `<p>%TITLE%</p><script id="${DATA_ID}">%DATA%</script>`,
            report(title, data)
          )
          const read = await parsed(html)
          expect(read.elements).toEqual(["p", "script"])
          expect(JSON.parse(read.data)).toEqual(JSON.parse(JSON.stringify(report(title, data))))
        }
      )
    ))
})
