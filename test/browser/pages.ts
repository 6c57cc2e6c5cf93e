// Every page, empty and with data: it loads, is accessible, and can be used by keyboard.
import { must, until } from "../reliability/prices/until.ts"
import { furnished } from "./lib/furnished.ts"
import { at, PLACES, type Place, places } from "./lib/places.ts"
import type { Suite } from "./lib/Stage.ts"
import { sound, walked } from "./lib/sound.ts"
import type { Visitor } from "./lib/Visitor.ts"

const suite: Suite = async (stage) => {
  const { steps } = stage
  const empty = await stage.serve(undefined, "empty")
  const looker = await stage.visit(empty.base, empty.token)
  for (const place of PLACES)
    await steps.check(`the empty page loads and is accessible: #/${place.address}`, () =>
      looked(looker, place, ["light", "dark"])
    )
  await steps.check("an address without a page says so", async () => {
    await looker.go("nowhere")
    await looker.page.getByRole("heading", { level: 1, name: /does not exist/i }).waitFor()
  })
  await steps.check("a missing record says so", async () => {
    looker.allow(404, /^\/v1\//)
    for (const address of ["strategies/99", "signals/99", "strategies/99/edit"]) {
      await looker.go(address)
      await looker.page
        .getByText(/not found|no such|does not exist|is no/i)
        .first()
        .waitFor()
    }
  })

  const full = await furnished(stage)
  const visitor = await stage.visit(full.base, full.token)
  for (const place of places(full.signal, full.strategy))
    await steps.check(`the page with data loads and is accessible: #/${place.address}`, () =>
      looked(visitor, place, ["light", "dark"])
    )
  for (const place of places(full.signal, full.strategy))
    await steps.check(`the page can be used by Tab alone: #/${place.address}`, async () => {
      await at(visitor, place)
      return `${(await walked(visitor.page)).length} stops`
    })

  await steps.check("the first Tab stop skips to the page", async () => {
    await at(visitor, { address: "signals", heading: "Signals" })
    await visitor.page.reload()
    await visitor.page.getByRole("heading", { level: 1, name: "Signals" }).waitFor()
    await visitor.page.keyboard.press("Tab")
    const skip = visitor.page.getByRole("link", { name: /^skip/i })
    must(
      (await skip.evaluate((it) => it === it.ownerDocument.activeElement)) === true,
      "the first stop is another"
    )
    await visitor.page.keyboard.press("Enter")
    must(
      (await visitor.page.evaluate("document.activeElement?.tagName")) === "MAIN",
      "the focus is not at the page"
    )
    await until("address of the page", () => visitor.page.url().endsWith("#/signals"), 2000)
    must(
      (await visitor.page.getByRole("heading", { level: 1 }).textContent()) === "Signals",
      "another page is shown"
    )
  })

  await steps.check("a dialog keeps the focus, and gives it back", async () => {
    const { keyboard } = visitor.page
    for (const address of [`strategies/${full.strategy}`, `signals/${full.signal}`]) {
      await at(visitor, { address, heading: /./ })
      const button = visitor.page.getByRole("button", { name: "Delete" })
      await button.focus()
      await keyboard.press("Enter")
      const dialog = visitor.page.getByRole("dialog")
      await dialog.waitFor()
      await sound(visitor.page)
      for (let tabs = 0; tabs < 8; tabs++) {
        await keyboard.press("Tab")
        const outside =
          "document.activeElement !== document.body && document.activeElement.closest('dialog') === null"
        must((await visitor.page.evaluate(outside)) === false, "the focus left the dialog")
      }
      await keyboard.press("Escape")
      await dialog.waitFor({ state: "detached" })
      must(await button.evaluate((it) => it === it.ownerDocument.activeElement), "the focus is elsewhere")
    }
  })

  await steps.check("signing in and creating a signal work by keyboard", async () => {
    const typist = await stage.visit(empty.base)
    const { keyboard } = typist.page
    await typist.go("signals")
    await typist.page.getByLabel("Token").waitFor()
    await keyboard.type(empty.token)
    await keyboard.press("Enter")
    await typist.page.getByRole("heading", { level: 1, name: "Signals" }).waitFor()
    await reach(typist, /^(new|make|create|add).*signal/i)
    await keyboard.press("Enter")
    await typist.page.getByLabel("Name").waitFor()
    await focusByTab(typist, "Name")
    await keyboard.type("Typed")
    await focusByTab(typist, "Description")
    await keyboard.type("By keyboard alone")
    await keyboard.press("Tab")
    await reach(typist, /^(make|create|save|add)/i)
    await keyboard.press("Enter")
    await typist.page.getByText("Typed").first().waitFor()
    await typist.close()
  })
}
export default suite

const looked = async (
  visitor: Visitor,
  place: Place,
  schemes: ReadonlyArray<"light" | "dark">
): Promise<void> => {
  for (const colorScheme of schemes) {
    await visitor.page.emulateMedia({ colorScheme })
    await at(visitor, place)
    await sound(visitor.page)
  }
}

const MOST_TABS = 60

/** Presses Tab until a control of that name has the focus. */
const reach = async ({ page }: Visitor, name: RegExp): Promise<void> => {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    const text = await page.evaluate(
      "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    )
    const isControl = await page.evaluate("document.activeElement.matches('a, button, summary')")
    if (isControl === true && name.test(String(text).trim())) return
    await page.keyboard.press("Tab")
  }
  throw new Error(`Tab never came to ${name}`)
}

const focusByTab = async ({ page }: Visitor, label: string): Promise<void> => {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    const found = await page.evaluate("document.activeElement.labels?.[0]?.textContent?.trim() ?? ''")
    if (String(found).startsWith(label)) return
    await page.keyboard.press("Tab")
  }
  throw new Error(`Tab never came to ${label}`)
}
