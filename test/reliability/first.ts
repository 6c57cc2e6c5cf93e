// The first ten minutes of a new user with the built program: from `--help` in an empty folder to the notification of
// the first trade, and the notifications when targets are dead or the server restarts.
import { Market } from "./first/Market.ts"
import { Newcomer } from "./first/Newcomer.ts"
import { outages } from "./first/outages.ts"
import { Receiver } from "./first/Receiver.ts"
import { Scene } from "./first/Scene.ts"
import { Steps } from "./first/Steps.ts"
import { setUp } from "./first/setUp.ts"
import { trades } from "./first/trades.ts"
import { inFolder } from "./Program.ts"
import type { Suite } from "./suite.ts"

const ALLOWED_MS = { short: 30_000, full: 90_000 }
/** The number of alerts whose notifications are timed, without and with dead targets. */
const ROUNDS = { short: 6, full: 60 }

const suite: Suite = ({ short }) =>
  inFolder(async (folder) => {
    const effort = short ? "short" : "full"
    const began = performance.now()
    const steps = new Steps()
    const scene = new Scene(await Newcomer.in(folder), await Market.open(), new Receiver())
    try {
      await setUp(steps, scene)
      await trades(steps, scene, ROUNDS[effort])
      await outages(steps, scene, ROUNDS[effort])
    } finally {
      scene.stream?.close()
      await scene.newcomer.stop().catch(() => {})
      await scene.receiver.down()
      await scene.market.close()
    }
    steps.total("the whole way", began, ALLOWED_MS[effort])
    return steps.rows
  })
export default suite
