// Rules of signals on the compiled program: over downloaded candles, and alert by alert while the program is killed.
import { downloadedCandles } from "./rules/candles.ts"
import { killedRules } from "./rules/storm.ts"
import type { Suite } from "./suite.ts"

const suite: Suite = async ({ short }) => [await downloadedCandles(), await killedRules(short ? 6 : 60)]
export default suite
