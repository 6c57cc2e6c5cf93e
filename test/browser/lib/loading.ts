// How soon something is seen, and how much came over the wire for it: as the browser tells it.
import { until } from "../../reliability/prices/until.ts"
import type { Visitor } from "./Visitor.ts"

const SIGNS = {
  "sign-in form": "document.querySelector('form input[type=password]') !== null",
  overview:
    "document.querySelector('h1')?.textContent === 'Overview' && document.querySelector('main .loading, main [aria-busy=true]') === null" +
    " && document.querySelectorAll('main h2').length > 1"
}

/** Opens the page; when that could be seen, from the start of the navigation (ms). */
export const shown = async (visitor: Visitor, what: keyof typeof SIGNS): Promise<number> => {
  // A frame after the change it stands on the screen.
  await visitor.page.addInitScript(
    `const look = () => { if (window.__shown === undefined && document.body && (${SIGNS[what]})) {` +
      " window.__shown = 0; requestAnimationFrame(() => setTimeout(() => { window.__shown = performance.now() })) } };" +
      " new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })"
  )
  await visitor.go()
  const at = { ms: 0 }
  // Asked for again and again: waiting inside the page would need leave to evaluate texts, which it does not give.
  await until(
    what,
    async () => {
      at.ms = Number(await visitor.page.evaluate("window.__shown ?? 0"))
      return at.ms > 0
    },
    10_000,
    20
  )
  return at.ms
}

/** Counts what comes over the wire from now on, headers included; gives the bytes so far. */
export const wire = async (visitor: Visitor): Promise<() => number> => {
  const session = await visitor.context.newCDPSession(visitor.page)
  await session.send("Network.enable")
  let bytes = 0
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  return () => bytes
}
