// Rules of signals on the compiled program: over downloaded candles, and alert by alert while the program is killed.
import { downloadedCandles } from "./rules/candles.ts"
import type { Suite } from "./suite.ts"

const suite: Suite = async () => [await downloadedCandles()]
export default suite
