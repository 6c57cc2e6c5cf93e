// What everybody must be able to use: looked at in the browser's own tree of what it tells screen readers, and in styles.
import type { Page } from "playwright-core"
import { must } from "../../reliability/prices/until.ts"
import { inPage } from "./inPage.ts"

/** Roles of what is pressed, chosen or written into. */
const CONTROLS = new Set([
  ...[
    "button",
    "link",
    "textbox",
    "searchbox",
    "combobox",
    "listbox",
    "option",
    "checkbox",
    "switch",
    "radio"
  ],
  ...["tab", "menuitem", "slider", "spinbutton", "PopUpButton", "DisclosureTriangle"]
])
/** What stands in a document for somebody to be told of it. */
const NAMED = new Set(["img", "image", "dialog", "alertdialog", "region", "table", "navigation", "tablist"])

/** Fails where a page as it stands is closed to somebody. */
export const sound = async (page: Page): Promise<void> => {
  const flaws = [
    ...(await inPage(page, "structure")),
    ...(await inPage(page, "contrast")),
    ...(await unnamed(page))
  ]
  must(flaws.length === 0, `${new URL(page.url()).hash}: ${flaws.join("\n")}`)
}

/** Controls and places without a name. */
const unnamed = async (page: Page): Promise<ReadonlyArray<string>> => {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send("Accessibility.getFullAXTree")
  await session.detach()
  return nodes.flatMap(({ ignored, name, properties, role }) => {
    const kind = String(role?.value)
    if (ignored || !(CONTROLS.has(kind) || NAMED.has(kind))) return []
    if (properties?.some((it) => it.name === "hidden" && it.value.value === true) === true) return []
    return String(name?.value ?? "").trim() === "" ? [`a ${kind} has no name`] : []
  })
}

/** Goes through a page by Tab alone. Fails where the focus cannot be seen or does not come around. */
export const walked = async (page: Page, most = 200): Promise<ReadonlyArray<string>> => {
  await page.evaluate("document.activeElement?.blur?.(); scrollTo(0, 0)")
  const stops: Array<string> = []
  const flaws: Array<string> = []
  for (let step = 0; step < most; step++) {
    await page.keyboard.press("Tab")
    const [stop = "", flaw = ""] = await inPage(page, "focused")
    // The browser's own frame comes after the last one, or the first one again.
    if (stop === "" || stop === stops[0]) break
    stops.push(stop)
    if (flaw !== "") flaws.push(`${stop}: ${flaw}`)
  }
  must(flaws.length === 0, flaws.join("\n"))
  must(stops.length > 0 && stops.length < most, `${stops.length} stops: ${stops.slice(-5).join(", ")}`)
  return stops
}
