// `bun run browser --screenshots`: the picture of the README and the guide, and others to look at, from a day of
// recorded prices as `signalbox demo` plays it.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { BrowserContextOptions, Page } from "playwright-core"
import { PROGRAM } from "../reliability/Program.ts"
import { must, until } from "../reliability/prices/until.ts"
import { at } from "./lib/places.ts"
import { packed } from "./lib/png.ts"
import type { Suite } from "./lib/Stage.ts"

const FOLDER = join(import.meta.dir, "screenshots")
/** The picture that the README and the guide show. */
const SHOWN = join(import.meta.dir, "../../src/guide/dashboard.png")
const MOST_BYTES = 160_000
const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 860 } }
const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2
}

interface Shot {
  readonly name: string
  readonly address: string
  readonly options: BrowserContextOptions
  readonly prepare?: (page: Page) => Promise<void>
  /** Where it is written, if not among the others under its name. */
  readonly file?: string
}

/** Switches on features with fields of their own and fills these, so that the picture shows them. */
const AVERAGING = {
  dca_percentagetrigger: "1.5",
  dca_ordersize: "50",
  dca_maxretries: "3",
  dca_aftertime: "15"
}
const switchedOn = async (page: Page) => {
  await page.locator('[name="strategy_dca_switch"]').check()
  for (const [name, value] of Object.entries(AVERAGING)) await page.locator(`[name="${name}"]`).fill(value)
}
const light = { colorScheme: "light" } as const
const dark = { colorScheme: "dark" } as const

const SHOTS: ReadonlyArray<Shot> = [
  { name: "overview", address: "", options: { ...DESK, ...light }, file: SHOWN },
  { name: "overview-dark", address: "", options: { ...DESK, ...dark } },
  {
    name: "strategy",
    address: "strategies/2",
    options: { viewport: { width: 1280, height: 1240 }, ...light }
  },
  {
    name: "strategy-dark",
    address: "strategies/2",
    options: { viewport: { width: 1280, height: 1240 }, ...dark }
  },
  {
    name: "strategy-form",
    address: "strategies/2/edit",
    options: { ...DESK, ...light },
    prepare: switchedOn
  },
  { name: "signals", address: "signals/1", options: { viewport: { width: 1280, height: 700 }, ...light } },
  { name: "phone", address: "strategies/2", options: { ...PHONE, ...light } },
  { name: "phone-dark", address: "", options: { ...PHONE, ...dark } }
]

const suite: Suite = async (stage) => {
  const { steps } = stage
  const child = Bun.spawn([PROGRAM, "demo", "--stay"], {
    cwd: stage.folder,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore"
  })
  const heard = { text: "" }
  void (async () => {
    for await (const bytes of child.stdout) heard.text += new TextDecoder().decode(bytes)
  })()
  try {
    await steps.take("the demo's day is played to its end", async () => {
      await until("the demo's end", () => heard.text.includes("Stop the server with"), 60_000)
    })
    const base = /serving on (http:\/\/\S+?),/.exec(heard.text)?.[1] ?? ""
    const token = /Bearer (\S+?)"/.exec(heard.text)?.[1] ?? ""
    mkdirSync(FOLDER, { recursive: true })
    for (const { address, file, name, options, prepare } of SHOTS)
      await steps.check(name, async () => {
        const visitor = await stage.visit(base, token, options)
        await at(visitor, { address, heading: /./ })
        await prepare?.(visitor.page)
        // Charts draw in the next frame.
        await visitor.page.waitForTimeout(600)
        const picture = packed(await visitor.page.screenshot({ animations: "disabled" }))
        await visitor.close()
        writeFileSync(file ?? join(FOLDER, `${name}.png`), picture)
        must(picture.length < MOST_BYTES, `it has ${picture.length} bytes`)
        return `${(picture.length / 1000).toFixed(0)} kB`
      })
  } finally {
    child.kill("SIGTERM")
    await child.exited
  }
}
export default suite
