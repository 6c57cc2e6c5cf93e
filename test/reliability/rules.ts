// Rules of signals on the compiled program: over downloaded candles, alert by alert while the program is killed, and live
// beside a stub of an exchange.
import { downloadedCandles } from "./rules/candles.ts"
import { liveRules } from "./rules/live.ts"
import { killedRules } from "./rules/storm.ts"
import type { Suite } from "./suite.ts"

const suite: Suite = async ({ short }) => {
  // It waits for the minutes of the clock, beside the others.
  const live = liveRules(short)
  return [await downloadedCandles(), await killedRules(short ? 6 : 60), await live]
}
export default suite
