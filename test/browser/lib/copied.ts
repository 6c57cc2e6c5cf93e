// Copies by the buttons of the page.
import type { Page } from "playwright-core"
import { must } from "../../reliability/prices/until.ts"

/** The text that a block's copy button put on the clipboard. */
export const copied = async (page: Page, label: string | RegExp): Promise<string> => {
  const block = page
    .locator(".copy-block")
    .filter({ has: page.getByText(label, { exact: true }) })
    .first()
  await block.getByRole("button", { name: "Copy" }).click()
  await block.getByText("Copied").waitFor()
  const text = String(await page.evaluate("navigator.clipboard.readText()"))
  must(text === (await block.locator("pre").textContent()), `the clipboard holds ${text}`)
  return text
}
