// The examples on Deno: the machine's, or one that npx fetches in a pinned version.
import { step } from "./line.ts"
import type { By } from "./programs.ts"
import { installIn, isOffline, runIn, wordsOf } from "./shell.ts"

const DENO = "deno@2.9.6"

/** Programs that need nothing of a single runtime but Node's modules, which Deno has too. */
export const ON_DENO = [
  ...[
    "every-door",
    "guide-1",
    "guide-2",
    "own-storage",
    "own-exchange",
    "own-venue",
    "own-rule",
    "own-figure"
  ],
  ...[
    "effect-rule",
    "folding-figure",
    "volatility-sizing",
    "time-of-day-veto",
    "closing-veto",
    "pure-trading",
    "year"
  ],
  ...["mounted-node", "mounted-platform", "typed-client"]
]

/** With package.json it takes packages from node_modules, as Node does; files and sockets it opens only if allowed. */
const by = (deno: string): By => ({
  runtime: "Deno",
  command: [deno, "run", "--quiet", "--no-prompt", "--allow-all"]
})

/** The machine's own, or nothing. */
export const found = async (folder: string): Promise<By | undefined> => {
  const { code, out } = await runIn(folder, ["bash", "-c", "command -v deno"])
  return code === 0 ? by(out) : undefined
}

/** The machine's own, or the pinned one; nothing without a network. */
export const fetched = async (folder: string): Promise<By | undefined> => {
  const own = await found(folder)
  if (own !== undefined) return own
  let deno = ""
  const isThere = await step("fetch", "Deno", async () => {
    const ran = await installIn(folder, ["npx", "-y", "-p", DENO, "-c", "command -v deno"])
    deno = ran.out.split("\n").at(-1) ?? ""
    if (isOffline(ran)) return { skipped: `${DENO} cannot be fetched: no network` }
    return ran.code === 0 ? { text: DENO } : { failed: wordsOf(ran) }
  })
  return isThere ? by(deno) : undefined
}
