// How soon something is seen, and how much came over the wire for it: as the browser tells it.
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
  const seen = await visitor.page.waitForFunction("window.__shown > 0 && window.__shown")
  return Number(await seen.jsonValue())
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
