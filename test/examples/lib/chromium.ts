// The examples in Chromium, for which Bun bundles each of them.
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { missing, open } from "../../browser/lib/Chromium.ts"
import { type Finding, step } from "./line.ts"
import { flawOf } from "./programs.ts"
import * as Relay from "./relay.ts"

/** Programs that open no file; a server in a page is reached by a relay. */
export const IN_BROWSER = [
  ...[
    "every-door",
    "guide-1",
    "guide-2",
    "own-exchange",
    "own-venue",
    "own-rule",
    "own-figure",
    "effect-rule"
  ],
  ...["folding-figure", "volatility-sizing", "time-of-day-veto", "closing-veto", "pure-trading", "year"],
  ...["mounted-platform", "typed-client"]
]

/** How long a page may take to print (ms). */
const PAGE_MS = 60_000

export const inChromium = async (
  folder: string,
  names: ReadonlyArray<string>,
  runtime = "Chromium"
): Promise<void> => {
  const lack = missing()
  if (lack !== undefined) {
    await step("open", runtime, async () => ({ skipped: lack }))
    return
  }
  const pages = join(folder, "pages")
  mkdirSync(pages, { recursive: true })
  cpSync(join(folder, "out"), pages, { recursive: true })
  writeFileSync(join(pages, "assert.js"), ASSERT)
  writeFileSync(join(pages, "relay.js"), Relay.IN_PAGE)
  const browser = await open(false)
  const server = Relay.serve((pathname) =>
    pathname.endsWith(".js")
      ? new Response(Bun.file(join(folder, "bundles", pathname)))
      : html(`<!doctype html><title>-</title><script type="module" src="${pathname}.js"></script>`)
  )
  try {
    for (const name of names)
      await step(name, runtime, async () => (await bundled(folder, name)) ?? (await run(name)))
  } finally {
    await browser.close()
    await server.stop(true)
  }

  function run(name: string) {
    return onPage(browser, name, `${server.url}${name}`)
  }
}

/** What is wrong with the bundle, or nothing. */
const bundled = async (folder: string, name: string): Promise<Finding | undefined> => {
  const pages = join(folder, "pages")
  const built = await Bun.build({
    ...{ entrypoints: [join(pages, `${name}.js`)], outdir: join(folder, "bundles") },
    ...{ target: "browser", minify: true, throw: false },
    plugins: [{ name: "stand-ins", setup: standIns(pages) }]
  })
  return built.success ? undefined : { failed: built.logs.join("\n") }
}

/** The first line that a page prints, which is the last thing it does, or why it prints none. */
const onPage = async (browser: Browser, name: string, url: string): Promise<Finding> => {
  const page = await browser.newPage()
  try {
    const said = first(page)
    await page.goto(url)
    const { failed, text = "" } = await said
    return { text, failed: failed ?? flawOf(name, text) }
  } finally {
    await page.close()
  }
}

const first = (page: Page): Promise<Finding> =>
  new Promise((resolve) => {
    page.once("pageerror", ({ message }) => resolve({ failed: message }))
    page.on("console", async (message) => {
      const told = message.args()
      // Without values it is the browser that speaks, of an answer that is an error.
      if (told.length === 0) return
      const values = await Promise.all(told.map((value) => value.jsonValue()))
      const text = values.map((value) => (typeof value === "string" ? value : Bun.inspect(value))).join(" ")
      const printed = text.split(/\s*\n\s*/).join(" ")
      resolve(message.type() === "error" ? { failed: printed } : { text: printed })
    })
    setTimeout(() => resolve({ failed: `it printed nothing in ${PAGE_MS} ms` }), PAGE_MS).unref()
  })

/** Browsers have no node:assert: this stands for it, as strict as the programs need it. */
const ASSERT = `const assert = (holds, text = "it does not hold") => { if (!holds) throw new Error(text) }
assert.ok = assert
assert.equal = (a, b) => assert(Object.is(a, b), a + " is not " + b)
assert.deepEqual = (a, b) => assert.equal(JSON.stringify(a), JSON.stringify(b))
assert.match = (text, pattern) => assert(pattern.test(text), text + " does not match " + pattern)
export default assert
`

/** What takes the place of Node's modules. */
const standIns = (pages: string) => (build: Bun.PluginBuilder) => {
  build.onResolve({ filter: /^node:assert/ }, () => ({ path: join(pages, "assert.js") }))
  build.onResolve({ filter: /\/lib\/nodeServer\.js$/ }, () => ({ path: join(pages, "relay.js") }))
}

const html = (text: string) => new Response(text, { headers: { "content-type": "text/html" } })
