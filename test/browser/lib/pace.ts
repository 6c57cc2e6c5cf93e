// How slow this machine's browser is, so that a bound in milliseconds means the same on a slow machine as on a quick one.
import type { Browser } from "playwright-core"

/** About how long a machine takes on which the bounds hold as they are written (ms): an estimate. */
const QUICK_MS = 40
const ROWS = 5_000
const TRIES = 5

/** How many times longer than on a quick machine a bare page takes to draw rows of text, in the best of a few tries. */
export const slowness = async (browser: Browser): Promise<number> => {
  const page = await browser.newPage()
  const times: Array<number> = []
  while (times.length < TRIES) {
    await page.goto("about:blank")
    times.push(Number(await page.evaluate(DRAWN)))
  }
  await page.close()
  return Math.max(1, Math.min(...times) / QUICK_MS)
}

const DRAWN = `(() => {
  const began = performance.now()
  const rows = document.createElement("div")
  for (let row = 0; row < ${ROWS}; row++) {
    const line = document.createElement("p")
    line.textContent = "row " + row
    rows.append(line)
  }
  document.body.append(rows)
  rows.getBoundingClientRect()
  return performance.now() - began
})()`
