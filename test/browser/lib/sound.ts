// Accessibility checks on the browser's accessibility tree and on computed styles.
import type { Page } from "playwright-core"
import { must } from "../../reliability/prices/until.ts"
import { inPage } from "./inPage.ts"

/** Roles of controls. */
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
/** Roles that need a name, besides controls. */
const NAMED = new Set(["img", "image", "dialog", "alertdialog", "region", "table", "navigation", "tablist"])

/** Fails if the present page is not accessible. */
export const sound = async (page: Page): Promise<void> => {
  const flaws = [
    ...(await inPage(page, "structure")),
    ...(await inPage(page, "contrast")),
    ...(await unnamed(page))
  ]
  must(flaws.length === 0, `${new URL(page.url()).hash}: ${flaws.join("\n")}`)
}

/** Controls and landmarks without a name. */
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

/** Goes through a page by Tab alone. Fails if the focus is invisible or does not return. */
export const walked = async (page: Page, most = 200): Promise<ReadonlyArray<string>> => {
  await page.evaluate("document.activeElement?.blur?.(); scrollTo(0, 0)")
  const stops: Array<string> = []
  const flaws: Array<string> = []
  for (let step = 0; step < most; step++) {
    await page.keyboard.press("Tab")
    const [stop = "", flaw = ""] = await inPage(page, "focused")
    // After the last control comes the browser's own frame, or the first control again.
    if (stop === "" || stop === stops[0]) break
    stops.push(stop)
    if (flaw !== "") flaws.push(`${stop}: ${flaw}`)
  }
  must(flaws.length === 0, flaws.join("\n"))
  must(stops.length > 0 && stops.length < most, `${stops.length} stops: ${stops.slice(-5).join(", ")}`)
  return stops
}
