// The other runtimes: Deno, which npx fetches in a pinned version, and Chromium, for which Bun bundles each program.
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { missing, open } from "../../browser/lib/Chromium.ts"
import { print, step } from "./line.ts"
import { runBy } from "./programs.ts"
import { installIn, isOffline, wordsOf } from "./shell.ts"

const DENO = "deno@2.9.6"

/** Programs that need nothing of a single runtime but Node's modules, which Deno has too. */
const ON_DENO = [
  ...[
    "every-door",
    "guide-1",
    "guide-2",
    "own-storage",
    "own-exchange",
    "own-venue",
    "own-rule",
    "own-figure",
    "effect-rule"
  ],
  ...[
    "volatility-sizing",
    "time-of-day-veto",
    "folding-figure",
    "pure-trading",
    "year",
    "mounted-node",
    "mounted-platform",
    "typed-client"
  ]
]

/** Programs that open no file and no socket. */
const IN_BROWSER = [
  ...["every-door", "guide-1", "own-exchange", "own-venue", "own-rule", "own-figure", "pure-trading"],
  ...["mounted-platform", "guide-2", "effect-rule", "folding-figure", "volatility-sizing", "time-of-day-veto"]
]

/** How long a page may take to print (ms). */
const PAGE_MS = 30_000

export const everywhere = async (folder: string): Promise<void> => {
  await onDeno(folder)
  await inChromium(folder)
}

const onDeno = async (folder: string): Promise<void> => {
  let deno = ""
  const isThere = await step("fetch", "Deno", async () => {
    const found = await installIn(folder, ["npx", "-y", "-p", DENO, "-c", "command -v deno"])
    deno = found.out.split("\n").at(-1) ?? ""
    if (isOffline(found)) return { skipped: `${DENO} cannot be fetched: no network` }
    return found.code === 0 ? { text: DENO } : { failed: wordsOf(found) }
  })
  if (!isThere) return
  // With package.json it takes packages from node_modules, as Node does; files and sockets it opens only if allowed.
  const command = [deno, "run", "--quiet", "--no-prompt", "--allow-all", "--node-modules-dir=manual"]
  for (const name of ON_DENO) print(await runBy(folder, name, { runtime: "Deno", command }))
}

const inChromium = async (folder: string): Promise<void> => {
  const lack = missing()
  if (lack !== undefined) {
    await step("open", "Chromium", async () => ({ skipped: lack }))
    return
  }
  const pages = join(folder, "pages")
  mkdirSync(pages)
  cpSync(join(folder, "out"), pages, { recursive: true })
  writeFileSync(join(pages, "assert.js"), ASSERT)
  const browser = await open(false)
  const server = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch: (request) => {
      const { pathname } = new URL(request.url)
      if (pathname.endsWith(".js")) return new Response(Bun.file(join(folder, "bundles", pathname)))
      return html(`<!doctype html><title>-</title><script type="module" src="${pathname}.js"></script>`)
    }
  })
  try {
    for (const name of IN_BROWSER) await step(name, "Chromium", () => onPage(name))
  } finally {
    await browser.close()
    await server.stop(true)
  }

  async function onPage(name: string) {
    const built = await Bun.build({
      ...{ entrypoints: [join(pages, `${name}.js`)], outdir: join(folder, "bundles") },
      ...{
        target: "browser",
        minify: true,
        throw: false,
        plugins: [{ name: "assert", setup: assertOf(pages) }]
      }
    })
    if (!built.success) return { failed: built.logs.join("\n") }
    const page = await browser.newPage()
    try {
      const line = page.waitForEvent("console", { timeout: PAGE_MS })
      const error = page.waitForEvent("pageerror", { timeout: PAGE_MS }).then((it) => it.message)
      const first = Promise.race([
        line.then((it) => ({ text: it.text() })),
        error.then((failed) => ({ failed }))
      ])
      error.catch(() => {})
      line.catch(() => {})
      await page.goto(`${server.url}${name}`)
      return await first
    } finally {
      await page.close()
    }
  }
}

/** Browsers have no node:assert: this stands for it, as strict as the programs need it. */
const ASSERT = `const assert = (holds, text = "it does not hold") => { if (!holds) throw new Error(text) }
assert.ok = assert
assert.equal = (a, b) => assert(Object.is(a, b), a + " is not " + b)
assert.deepEqual = (a, b) => assert.equal(JSON.stringify(a), JSON.stringify(b))
assert.match = (text, pattern) => assert(pattern.test(text), text + " does not match " + pattern)
export default assert
`

const assertOf = (pages: string) => (build: Bun.PluginBuilder) => {
  build.onResolve({ filter: /^node:assert/ }, () => ({ path: join(pages, "assert.js") }))
}

const html = (text: string) => new Response(text, { headers: { "content-type": "text/html" } })
