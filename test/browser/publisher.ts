// A publisher who wants to pass for another, to break the page, or to stand first with one lucky trade: his texts stay
// texts, his number tells him apart, and a short record says that it is one. In light, dark and on a telephone.
import { Owner } from "../reliability/Owner.ts"
import { token } from "../reliability/Program.ts"
import { must } from "../reliability/prices/until.ts"
import { changed, first } from "./lib/changed.ts"
import { inPage } from "./lib/inPage.ts"
import { PAYLOADS } from "./lib/naughty.ts"
import { at } from "./lib/places.ts"
import type { Suite } from "./lib/Stage.ts"
import { sound, walked } from "./lib/sound.ts"
import type { Visitor } from "./lib/Visitor.ts"

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
const HOSTILE = [
  ...PAYLOADS.slice(0, 12),
  "Ann\u202egnp.exe",
  "x".repeat(255),
  `\u2067${"long words ".repeat(20)}`,
  "A\u200bnn Trades"
]
/** Display names as an older or a broken server might send them. */
const NAMES = ["<img src=x onerror=window.__xss=1>", "\u202eselddirT nnA", "y".repeat(10_000)]

const suite: Suite = async (stage) => {
  const { steps } = stage
  const site = await stage.serve()
  const mallory = new Owner(site.served, await token(site.db, "mallory", "full"))
  const published = { public: true, display_name: "Ann Trades" }
  const signal = await site.owner.signal("Trend")
  const honest = await site.owner.strategy(signal, ["BTC/USDT"], { ...published, name: "Honest" })
  const look = await stage.visit(site.base, site.token)
  const phone = await stage.visit(site.base, site.token, { ...PHONE, colorScheme: "dark" })
  const ids: Array<number> = []

  await steps.take("hostile names and descriptions are published", async () => {
    for (const text of HOSTILE) {
      const fields = {
        name: [...text].slice(0, 255).join(""),
        description: [...text].slice(0, 500).join(""),
        signal_id: null
      }
      ids.push(await mallory.strategy(0, ["BTC/USDT"], { ...published, ...fields }))
    }
    return `${ids.length} strategies`
  })

  await steps.check("a display name that would mislead is refused, in words beside its field", async () => {
    const editor = await stage.visit(site.base, site.token)
    await at(editor, { address: `strategies/${honest}/edit`, heading: /Honest/ })
    editor.allow(422, /strategies/)
    await editor.page.locator('[name="display_name"]').fill("Ann\u202egnp")
    await editor.page.getByRole("button", { name: "Save changes" }).click()
    await editor.page.locator('[name="display_name"][aria-invalid=true]').waitFor()
    await editor.close()
  })

  for (const address of ["discover", ...ids.slice(-4).map((id) => `discover/strategies/${id}`)])
    await steps.check(`hostile texts stay texts on #/${address.replace(/\d+/, "N")}`, async () => {
      for (const visitor of [look, phone]) {
        await at(visitor, { address, heading: /./ })
        await plainly(visitor)
      }
      if (address === "discover") await walked(look.page)
    })

  await steps.check("two publishers of one name have different numbers beside it", async () => {
    await at(look, { address: "discover?sort=oldest", heading: "Discover" })
    for (const number of [1, 2])
      await look.page.getByText(`publisher ${number}`, { exact: true }).first().waitFor()
  })

  await steps.check("hostile display names stay texts too, whatever the server sends", async () => {
    for (const visitor of [look, phone])
      for (const name of NAMES) {
        await changed(visitor.page, /\/public\/strategies\?/, (list) =>
          first(list, "data", (row) => ({ ...row, publisher: { number: 9, name, published: 100 } }))
        )
        await at(visitor, {
          address: `discover?q=${encodeURIComponent(name.slice(0, 5))}`,
          heading: "Discover"
        })
        await at(visitor, { address: "discover", heading: "Discover" })
        await plainly(visitor)
        await visitor.page.unrouteAll({ behavior: "wait" })
      }
  })

  await steps.check("a lucky trade shows how few trades and days it stands on", async () => {
    await changed(look.page, /\/public\/strategies\?/, (list) =>
      first(list, "data", (row) => ({ ...row, record: lucky(row["record"]) }))
    )
    await at(look, { address: "", heading: "Overview" })
    await at(look, { address: "discover", heading: "Discover" })
    for (const text of ["+940.20 %", "1 trade, on paper", "6 days ago"])
      await look.page.getByText(text).first().waitFor()
    await look.page.getByText("A week of luck never stands above a year").waitFor()
    await look.page.getByText("short record").first().waitFor()
  })
}
export default suite

const lucky = (record: unknown) => ({
  ...(typeof record === "object" ? record : {}),
  level: 0,
  age_days: 6,
  since_publication: { paper: { return_pct: 940.2, trades: 1, until: 1_790_000_000 }, real: null }
})

/** Nothing ran, nothing was planted, nothing turned the text around, and the page is accessible and fits. */
const plainly = async ({ page }: Visitor): Promise<void> => {
  must((await page.evaluate("window.__xss")) === undefined, "something ran")
  const planted = await page.evaluate(
    "document.querySelectorAll('main script, main iframe, main img, main style').length"
  )
  must(planted === 0, `${planted} elements came from texts`)
  const text = String(await page.evaluate("document.querySelector('main').textContent + document.title"))
  must(
    !/[\u200b\u202a-\u202e\u2066-\u2069]/.test(text),
    "a character that turns or hides text is on the page"
  )
  must(text.length < 20_000, `the page has ${text.length} characters`)
  const flaws = await inPage(page, "width")
  must(flaws.length === 0, flaws.join("\n"))
  await sound(page)
}
