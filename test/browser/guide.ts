// The guide in a browser: everybody can read and search it, by keyboard too, without a script and on a telephone; and
// the dashboard's fields, outcomes and errors lead to what explains them.
import type { Page } from "playwright-core"
import { must, until } from "../reliability/prices/until.ts"
import { inPage } from "./lib/inPage.ts"
import type { Suite } from "./lib/Stage.ts"
import { sound, walked } from "./lib/sound.ts"
import type { Visitor } from "./lib/Visitor.ts"

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

const suite: Suite = async (stage) => {
  const { steps } = stage
  const site = await stage.serve()
  const visitor = await stage.visit(site.base)
  const { page } = visitor
  const open = async ({ page }: Visitor, path: string) => {
    await page.goto(site.base + path)
    await page.locator("h1").first().waitFor()
  }
  const paths: Array<string> = []

  await steps.take("the contents list every page, without signing in", async () => {
    await open(visitor, "/guide")
    const links = await page.getByRole("navigation", { name: "Contents" }).getByRole("link").all()
    for (const link of links) paths.push((await link.getAttribute("href")) ?? "")
    must(paths.length >= 3, `only ${paths.join(", ")}`)
    return `${paths.length} pages`
  })
  await steps.check("everybody can read it, in light and in dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme })
      for (const path of ["/guide", ...paths]) {
        await open(visitor, path)
        await sound(page)
      }
    }
  })
  await steps.check("by Tab alone", async () => {
    await open(visitor, "/guide/reasons")
    return `${(await walked(page)).length} stops`
  })

  await steps.check("a search by keyboard leads to the heading", async () => {
    await open(visitor, "/guide")
    await page.keyboard.press("/")
    await page.keyboard.type("stop loss")
    const results = page.getByRole("list", { name: "Search results" })
    await results.getByRole("link").first().waitFor()
    await sound(page)
    await page.keyboard.press("Enter")
    await page.waitForURL("**/guide/bots#stop_loss")
    await seen(page, "stop_loss")
  })
  await steps.check("arrows go through the results, and Escape comes back", async () => {
    await open(visitor, "/guide/errors")
    const field = page.getByRole("searchbox", { name: "Search the guide" })
    await field.fill("signal")
    const links = page.getByRole("list", { name: "Search results" }).getByRole("link")
    await links.first().waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    must(await links.nth(1).evaluate(isFocused), "the second result has not the focus")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("ArrowUp")
    must(await field.evaluate(isFocused), "the field has not the focus")
    await page.keyboard.press("Escape")
    await links.first().waitFor({ state: "detached" })
    await field.fill("xyzzy plugh")
    await page.locator("p.quiet").getByText("Nothing found").waitFor()
  })
  await steps.check("a code block is copied as it is", async () => {
    const reader = await stage.visit(site.base, undefined, {
      permissions: ["clipboard-read", "clipboard-write"]
    })
    await open(reader, "/guide/bots")
    const block = reader.page.locator(".code").first()
    await block.getByRole("button", { name: "Copy" }).click()
    await block.getByRole("button", { name: "Copied" }).waitFor()
    const copied = await reader.page.evaluate("navigator.clipboard.readText()")
    must(copied === (await block.locator("pre").textContent()), `copied: ${copied}`)
    await reader.close()
  })
  await steps.check("colours that were chosen on the dashboard are the guide's", async () => {
    await page.evaluate("localStorage.setItem('signalbox.theme', 'dark')")
    await page.emulateMedia({ colorScheme: "light" })
    await open(visitor, "/guide/bots")
    must((await page.locator("html").getAttribute("data-theme")) === "dark", "the guide is not dark")
    await page.evaluate("localStorage.clear()")
  })
  await steps.check("an address of no page says so, with the contents", async () => {
    visitor.allow(404, /^\/guide\//)
    await open(visitor, "/guide/nope")
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor()
    await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Bots" }).click()
    await page.getByRole("heading", { level: 1, name: "Bots" }).waitFor()
  })
  await steps.check("without a script it is complete but for the search", async () => {
    const reader = await stage.visit(site.base, undefined, { javaScriptEnabled: false })
    await open(reader, "/guide/bots#stop_loss")
    await seen(reader.page, "stop_loss")
    must((await reader.page.getByRole("searchbox").count()) === 0, "there is a field that does nothing")
    await reader.page.getByText("On this page", { exact: true }).click()
    await reader.page
      .getByRole("navigation", { name: "On this page" })
      .getByRole("link", { name: "buy_percentage", exact: true })
      .click()
    await seen(reader.page, "buy_percentage")
    await reader.close()
  })
  await steps.check("on a telephone nothing is too wide or too small", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const reader = await stage.visit(site.base, undefined, { ...PHONE, colorScheme })
      for (const path of ["/guide", ...paths]) {
        await open(reader, path)
        const found = [...(await inPage(reader.page, "width")), ...(await inPage(reader.page, "targets"))]
        must(found.length === 0, `${path}: ${found.join("\n")}`)
      }
      await reader.close()
    }
  })

  const owner = await stage.visit(site.base, site.token)
  await steps.check("a field of the form leads to its setting", async () => {
    await owner.go("strategies/new")
    await owner.page.getByRole("heading", { level: 1, name: "New strategy" }).waitFor()
    const guide = await besides(owner, () =>
      owner.page.getByRole("link", { name: /^More about Stop loss \(/ }).click()
    )
    must(guide.url().endsWith("/guide/bots#stop_loss"), guide.url())
    await seen(guide, "stop_loss")
  })
  await steps.check("an error leads to its code", async () => {
    owner.allow(404, /^\/v1\//)
    await owner.go("signals/99")
    const guide = await besides(owner, () =>
      owner.page
        .getByRole("link", { name: /^More about this error/ })
        .first()
        .click()
    )
    must(guide.url().endsWith("/guide/errors#not_found"), guide.url())
    await seen(guide, "not_found")
  })
  await steps.check("the header leads to the guide, and the guide back", async () => {
    await owner.page.getByRole("link", { name: "Guide", exact: true }).first().click()
    await owner.page.getByRole("heading", { level: 1 }).waitFor()
    must(new URL(owner.page.url()).pathname === "/guide", owner.page.url())
    await owner.page.getByRole("link", { name: "Signalbox", exact: true }).click()
    await owner.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
  })
}
export default suite

const isFocused = (it: { readonly ownerDocument: { readonly activeElement: unknown } }) =>
  it === it.ownerDocument.activeElement

/** The page that opens beside the dashboard. */
const besides = async ({ context }: Visitor, act: () => Promise<void>): Promise<Page> => {
  const opened = context.waitForEvent("page")
  await act()
  const page = await opened
  await page.locator("h1").waitFor()
  return page
}

const PATIENCE_MS = 5_000

/** Waits until a heading is in view, below the header. */
const seen = (page: Page, id: string) =>
  until(
    `heading ${id} in view`,
    async () => {
      const box = await page.locator(`[id="${id}"]`).boundingBox()
      const height = page.viewportSize()?.height ?? 0
      return box !== null && box.y >= 50 && box.y < height - 40
    },
    PATIENCE_MS
  )
