// Notifications while receivers are down, the server restarts, or both.
import { must, until } from "../prices/until.ts"
import { EventStream } from "./EventStream.ts"
import { HEARD_MS, type Scene } from "./Scene.ts"
import { inWords, type Steps } from "./Steps.ts"

/** How long to wait to be sure that nothing comes: several runs of the delivery loop. */
const QUIET_MS = 1_200
/** A target that failed once is tried again after five seconds, a fifth more or less. */
const AGAIN_MS = 20_000
const HIGHER = { bid: 63_000, ask: 63_010, last: 63_005 }

/** Dead receivers, a restarted server, and both at once. */
export const outages = async (steps: Steps, scene: Scene, rounds: number): Promise<void> => {
  const { market, newcomer, receiver } = scene

  await steps.take("dead and silent targets slow nothing down", async () => {
    // This receiver listens until the process ends, and never answers.
    const deaf = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 0,
      fetch: () => new Promise<Response>(() => {})
    })
    deaf.unref()
    for (const address of ["http://127.0.0.1:9/dead", `http://127.0.0.1:${deaf.port}/deaf`])
      await newcomer.said(["notify", "add", "webhook", "--allow-private-targets"], `${address}\n`)
    const told = await scene.rounds(rounds)
    const isSeen = async () => (await scene.target(2)).state === "failing"
    await until("failure of the dead target in notify list", isSeen, HEARD_MS)
    const dead = await scene.target(2)
    must(dead.last_failure?.includes("refused") === true && dead.pending > 0, JSON.stringify(dead))
    const live = await scene.target(1)
    must(live.state === "working" && live.last_failure === null, JSON.stringify(live))
    return `${told}; "${dead.last_failure}"`
  })

  await steps.take("a restart repeats no notification", async () => {
    const before = receiver.told.length
    const place = scene.stream?.place
    const stopped = await newcomer.stop()
    const { ready } = await newcomer.serve()
    scene.stream = await EventStream.open(newcomer.address, newcomer.headers, place)
    await Bun.sleep(QUIET_MS)
    const more = receiver.told.slice(before).map(({ text }) => text)
    must(more.length === 0, `told after the restart: ${more.join("; ")}`)
    must(scene.stream.events.length === 0, `streamed anew: ${JSON.stringify(scene.stream.events)}`)
    return `ended within ${inWords(stopped)}, ready again after ${inWords(ready)}`
  })

  await steps.take("events from a time when nobody listened arrive later", async () => {
    await receiver.down()
    market.move(HIGHER)
    const closed = () => (scene.stream?.of("take_profit").length ?? 0) > 0
    await until("second profit", closed, HEARD_MS)
    const waits = async () => {
      const { pending, state } = await scene.target(1)
      return state === "failing" && pending > 0
    }
    await until("failure of the target in notify list", waits, HEARD_MS)
    await newcomer.stop()
    receiver.up()
    await newcomer.serve()
    const took = await until("late notification", () => receiver.of("take_profit").length === 2, AGAIN_MS)
    const late = receiver.of("take_profit")[1]
    must(late?.id === scene.stream?.of("take_profit")[0]?.id, JSON.stringify(late))
    scene.believed()
    return `${inWords(took)} after the second restart`
  })

  await steps.take("the server ends, and every event was sent once", async () => {
    const stopped = await newcomer.stop()
    scene.believed()
    return `within ${inWords(stopped)}; ${receiver.told.length} notifications, all signed`
  })
}
