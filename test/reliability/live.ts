// A user who knows the program trades with real money: the commands of the README's chapter in sequence, at a stub
// exchange. `SIGNALBOX_TRANSCRIPT=FILE` keeps the terminal's content.
import { Market } from "./first/Market.ts"
import { Newcomer } from "./first/Newcomer.ts"
import { Receiver } from "./first/Receiver.ts"
import { Steps } from "./first/Steps.ts"
import { Screen } from "./live/Screen.ts"
import { way } from "./live/way.ts"
import { inFolder } from "./Program.ts"
import type { Suite } from "./suite.ts"

const ALLOWED_MS = 60_000

const suite: Suite = () =>
  inFolder(async (folder) => {
    const began = performance.now()
    const steps = new Steps("live")
    const [newcomer, market, receiver] = [await Newcomer.in(folder), await Market.open(), new Receiver()]
    const screen = new Screen(newcomer)
    try {
      await way(steps, { newcomer, market, receiver, screen })
    } finally {
      await newcomer.stop().catch(() => {})
      await receiver.down()
      await market.close()
      const file = process.env["SIGNALBOX_TRANSCRIPT"]
      if (file !== undefined) await Bun.write(file, screen.seen)
    }
    steps.total("the whole way", began, ALLOWED_MS)
    return steps.rows
  })
export default suite
