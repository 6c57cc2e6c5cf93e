// A page with planted errors, to check that the other suites find theirs.
import { must } from "../reliability/prices/until.ts"
import { inPage } from "./lib/inPage.ts"
import type { Suite } from "./lib/Stage.ts"
import { sound, walked } from "./lib/sound.ts"

const PAGE = `<!doctype html><title></title>
<style>a { outline: none } .pale { color: #999 } .wide { width: 2000px } button { height: 20px }</style>
<body><h1>One</h1><h1>Two</h1><p class="pale">Pale words</p><div class="wide">Wide</div>
<button id="same"></button><input id="same"><a href="/x">A link</a>
<img src="http://localhost:PORT/picture.png" alt="from elsewhere"><script>window.__xss = 1</script>
<script src="/own.js"></script></body>`
const SCRIPT =
  "console.error('complaint'); setTimeout(() => { throw new Error('thrown') }); fetch('/missing')"
const POLICY = "default-src 'self'; style-src 'unsafe-inline'; img-src *"

/** The number of polls, 50 ms apart, for expected errors, and for further ones after them. */
const LOOKS = 200
const QUIET_LOOKS = 6

const suite: Suite = async (stage) => {
  const { steps } = stage
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname, port } = new URL(request.url)
      const headers = { "content-security-policy": POLICY }
      if (pathname === "/own.js")
        return new Response(SCRIPT, { headers: { "content-type": "text/javascript" } })
      if (pathname !== "/") return new Response("", { status: 404 })
      const page = PAGE.replace("PORT", port)
      return new Response(page, { headers: { ...headers, "content-type": "text/html" } })
    }
  })
  const visitor = await stage.visit(`http://127.0.0.1:${server.port}`)
  const { page } = visitor
  try {
    await steps.check("the browser's complaints are collected", async () => {
      await page.goto(`${visitor.base}/`)
      const wanted = [
        "complaint",
        "thrown",
        "policy: script-src",
        "another host was asked: http://localhost",
        "GET /missing was answered 404"
      ]
      const told: Array<string> = []
      const isTold = () => wanted.every((it) => told.some((line) => line.includes(it)))
      // The errors come some time after the page, and the last ones must not count for the next step.
      for (let looks = 0, quiet = 0; looks < LOOKS && (!isTold() || quiet < QUIET_LOOKS); looks++) {
        const more = visitor.flaws()
        told.push(...more)
        quiet = more.length === 0 ? quiet + 1 : 0
        await page.waitForTimeout(50)
      }
      found(told.join("\n"), wanted)
    })
    await steps.check("planted accessibility errors are found", async () => {
      found(await refusal(sound(page)), [
        "2 first headings",
        "names no language",
        "has no title",
        "there is no main",
        "the id same is twice there",
        'of "Pale words"',
        "a button has no name",
        "a textbox has no name"
      ])
      found(await refusal(walked(page)), ['a "A link": the focus cannot be seen'])
    })
    await steps.check("planted errors of narrow pages are found", async () => {
      await page.setViewportSize({ width: 360, height: 740 })
      found((await inPage(page, "width")).join(), ["wide of 360", "div.wide"])
      found((await inPage(page, "targets")).join(), ["20 px high"])
    })
  } finally {
    await server.stop(true)
  }
}
export default suite

const refusal = async (looked: Promise<unknown>): Promise<string> =>
  looked.then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error))
  )

const found = (told: string, wanted: ReadonlyArray<string>): void => {
  const missing = wanted.filter((it) => !told.includes(it))
  must(missing.length === 0, `not found: ${missing.join("; ")} in ${told}`)
}
