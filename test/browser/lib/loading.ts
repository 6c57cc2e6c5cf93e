// The browser's measurements: when something becomes visible, and how many bytes it needed.
import { until } from "../../reliability/prices/until.ts"
import type { Visitor } from "./Visitor.ts"

const SIGNS = {
  "sign-in form": "document.querySelector('form input[type=password]') !== null",
  overview:
    "document.querySelector('h1')?.textContent === 'Overview' && document.querySelector('main .loading, main [aria-busy=true]') === null" +
    " && document.querySelectorAll('main h2').length > 1"
}

/** Opens the page; returns when a selector became visible, from the start of the navigation (ms). */
export const shown = async (visitor: Visitor, what: keyof typeof SIGNS): Promise<number> => {
  // The change is on the screen one frame later.
  await visitor.page.addInitScript(
    `const look = () => { if (window.__shown === undefined && document.body && (${SIGNS[what]})) {` +
      " window.__shown = 0; requestAnimationFrame(() => setTimeout(() => { window.__shown = performance.now() })) } };" +
      " new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })"
  )
  await visitor.go()
  const at = { ms: 0 }
  // The test polls, because waiting inside the page would need to evaluate texts, which its policy forbids.
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

/** Counts received bytes from now on, headers included; returns a function that reads the count. */
export const wire = async (visitor: Visitor): Promise<() => number> => {
  const session = await visitor.context.newCDPSession(visitor.page)
  await session.send("Network.enable")
  let bytes = 0
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  return () => bytes
}
