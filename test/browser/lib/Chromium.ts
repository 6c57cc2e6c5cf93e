// Starts Chromium for the browser suites.
import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"

/** Debian's, unless `CHROMIUM` names another. */
const EXECUTABLE = process.env["CHROMIUM"] ?? "/usr/bin/chromium"

/** Options that stop Chromium from contacting its maker's hosts at every start. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A container's /dev/shm is often too small for a page.
  "--disable-dev-shm-usage"
]

/** The advice for a machine without a browser; undefined if there is one. */
export const missing = (): string | undefined =>
  existsSync(EXECUTABLE)
    ? undefined
    : `there is no ${EXECUTABLE}: apt-get install chromium, or name yours in CHROMIUM`

/** A browser with a new, empty profile. playwright-core runs under Bun as it does under Node: by pipes, no download. */
export const open = (isHeaded: boolean): Promise<Browser> =>
  chromium.launch({ executablePath: EXECUTABLE, headless: !isHeaded, args: FLAGS })
