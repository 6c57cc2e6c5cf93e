// The tab "What if" of a strategy's page: a changed setting, both tests beside what happened, the count of tries, a copy
// and an edit with the changed settings.
import { lifeAt, stored, writeCandles } from "../lib/life.ts"
import { token } from "../reliability/Program.ts"
import { must, until } from "../reliability/prices/until.ts"
import { at, settled } from "./lib/places.ts"
import type { Stage, Suite } from "./lib/Stage.ts"
import { opened } from "./lib/seed.ts"
import { sound } from "./lib/sound.ts"

/** Stores a day of a strategy's life with its candles, and serves it. */
const lived = async (stage: Stage) => {
  const db = `${stage.folder}/lived.db`
  const life = lifeAt((order) => ({ slip: order.side === "buy" ? 1.002 : 0.999 }))
  const runtime = await opened(db)
  const { strategy } = await runtime.runPromise(stored(life, "ann")).finally(() => runtime.dispose())
  writeCandles(db, life)
  const key = await token(db, "ann", "full")
  const served = await stage.start(db, ["--prices", "none", "--crud-rate", "0"])
  return { base: served.url(""), key, strategy }
}

const suite: Suite = async (stage) => {
  const { base, key, strategy } = await lived(stage)
  const { steps } = stage
  const visitor = await stage.visit(base, key)
  const { page } = visitor
  const tab = { address: `strategies/${strategy}?tab=what-if`, heading: /./ }
  const figure = (title: string) =>
    page.getByRole("table", { name: "Results side by side" }).getByRole("row", { name: title })
  const profit = () => page.getByRole("textbox", { name: /^Minimum profit/ }).first()
  const attempt = async () => {
    await page.getByRole("button", { name: "Try it" }).click()
    await page.getByRole("heading", { name: "What would have been" }).waitFor({ timeout: 60_000 })
    await settled(page)
  }

  await steps.take("a changed take profit shows both tests beside what happened", async () => {
    await at(visitor, tab)
    await profit().fill("1.5")
    await attempt()
    const cells = await figure("Net result").getByRole("cell").allTextContents()
    must(new Set(cells).size === 3, `the three results are ${cells.join(", ")}`)
    const changes = page.getByRole("table", { name: "Settings that differ" })
    must((await changes.getByRole("row").count()) === 2, "more than the take profit differs")
    await page.getByText("One what-if was tried on this stretch.").waitFor()
    await page.locator(".chart canvas").first().waitFor()
    return cells.join(", ")
  })

  for (const colorScheme of ["light", "dark"] as const)
    await steps.check(`the result is accessible: ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(300)
      await sound(page)
    })

  await steps.check("no part of it is wider than a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.waitForTimeout(300)
    const room = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    must(Array.isArray(room) && room[0] <= room[1], `it is ${String(room)} wide`)
    await sound(page)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  await steps.check("another try is counted, and what is wrong stands beside its field", async () => {
    await page.getByText("Change the settings").click()
    await profit().fill("-1")
    await page.getByRole("button", { name: "Try it" }).click()
    await page.locator("[aria-invalid=true]").first().waitFor()
    await profit().fill("2")
    await page.getByText("The settings or the time have changed since").waitFor()
    await attempt()
    await page.getByText("2 what-ifs were tried on this stretch.").waitFor()
    await page.getByText("All 2 what-ifs on this stretch").click()
    const tries = page.getByRole("table", { name: "What-ifs on this stretch" })
    must((await tries.getByRole("row").count()) === 3, "the tries are not two")
  })

  await steps.check("the strategy's form opens with the changed settings, which are not saved", async () => {
    await page.getByRole("button", { name: "Edit the strategy with these settings…" }).click()
    await page.getByRole("heading", { level: 1, name: /^Edit/ }).waitFor()
    must((await profit().inputValue()) === "2", "the form has another take profit")
    await page.getByText("Unsaved").waitFor()
    await page.getByRole("button", { name: "Save changes" }).click()
    await page.waitForURL(/strategies\/\d+$/)
    await at(visitor, tab)
    // The form may still be reading the strategy.
    await until("saved take profit", async () => (await profit().inputValue()) === "2", 5_000)
  })

  await steps.check("a copy is made with the changed settings, switched off", async () => {
    await profit().fill("2.5")
    await attempt()
    await page.getByRole("button", { name: "Make a copy with these settings…" }).click()
    await page.getByRole("button", { name: "Create strategy" }).click()
    await page.getByRole("heading", { level: 1, name: /\(what if\)/ }).waitFor()
  })
}

export default suite
