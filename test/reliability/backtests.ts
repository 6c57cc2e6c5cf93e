// A stranger with a token runs back-tests as large, as deep and as many as the limits allow on the compiled program.
// The server's memory hardly grows, other callers are answered, and no process is left.
import { join } from "node:path"
import { nested, slow, wide } from "../backtests/bodies.ts"
import { becomes, childrenOf, isRunning, residentMiB } from "../backtests/processes.ts"
import { quantile } from "./Figures.ts"
import { inFolder, Served, token } from "./Program.ts"
import type { Row, Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"

/** How much the server's memory may grow (MiB) during a back-test of the largest size. */
const MAX_GROWTH_MIB = 100
/** How long others may wait for an answer meanwhile (ms). */
const MAX_WAIT_MS = 250
/** The share of the short form's requests that keep it, and what every one keeps (ms). In the long form every one keeps 250 ms. */
const NEARLY = 0.99
const WORST_WAIT_MS = 1000
/** How long a process may still be seen after its back-test has been answered (ms). */
const GONE_MS = 1_000

const suite: Suite = ({ short }) =>
  inFolder(async (folder) => {
    const db = join(folder, "x.db")
    const server = await Served.start(db, ["--prices", "none", "--crud-rate", "0"])
    const stage: Stage = {
      server,
      stranger: await token(db, "stranger", "full"),
      other: await token(db, "other", "full")
    }
    // A first request loads code, which is not measured.
    await post(stage, new TextEncoder().encode("{}"))
    const rows: Array<Row> = []
    const effort = short ? { rounds: 1, nearly: NEARLY } : { rounds: 5, nearly: 1 }
    rows.push(await hostile(stage, "31 MiB of [", nested(), effort, 400))
    rows.push(await hostile(stage, "31 MiB of [],", wide(), effort, 400, 422))
    rows.push(await hostile(stage, "the largest sound one", slow(600_000), effort, 200))
    rows.push(await cut(stage, short ? 5 : 30))
    rows.push(await killed(stage))
    return rows
  })
export default suite

interface Stage {
  readonly server: Served
  readonly stranger: string
  readonly other: string
}

const post = (
  { server, stranger }: Stage,
  body: Uint8Array<ArrayBuffer>,
  signal = AbortSignal.timeout(70_000)
) =>
  server.fetch("/v1/dashboard/backtests", {
    method: "POST",
    headers: { authorization: `Bearer ${stranger}`, "content-type": "application/json" },
    body,
    signal
  })

/** Sends one body repeatedly, and measures the memory of server and child, and how long others wait. */
const hostile = async (
  stage: Stage,
  name: string,
  body: Uint8Array<ArrayBuffer>,
  { nearly, rounds }: { readonly nearly: number; readonly rounds: number },
  ...statuses: ReadonlyArray<number>
): Promise<Row> => {
  const { server } = stage
  const tally = new Tally()
  const worst = { growth: 0, child: 0 }
  const waits: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const idle = residentMiB(server.child.pid)
    const answer = post(stage, body)
    let isOver = false
    const status = answer.then(async (response) => {
      await response.arrayBuffer()
      isOver = true
      return response.status
    })
    while (!isOver) {
      const from = performance.now()
      const seen = await server.fetch("/v1/signals", { headers: { authorization: `Bearer ${stage.other}` } })
      await seen.arrayBuffer()
      const wait = performance.now() - from
      tally.check(seen.status === 200, () => `answered ${seen.status}`)
      tally.within(wait, WORST_WAIT_MS, () => `answered after ${wait.toFixed(0)} ms`)
      waits.push(wait)
      worst.growth = Math.max(worst.growth, residentMiB(server.child.pid) - idle)
      for (const pid of childrenOf(server.child.pid)) worst.child = Math.max(worst.child, residentMiB(pid))
      await Bun.sleep(5)
    }
    const found = await status
    tally.check(statuses.includes(found), () => `answered ${found}`)
    tally.check(
      await becomes(() => childrenOf(server.child.pid).length === 0, GONE_MS),
      () => "a child is left"
    )
  }
  const wait = quantile(waits, nearly)
  tally.within(wait, MAX_WAIT_MS, () => `${100 * nearly} % answered within ${wait.toFixed(0)} ms`)
  tally.check(worst.growth < MAX_GROWTH_MIB, () => `the server grew by ${worst.growth.toFixed(0)} MiB`)
  tally.check(worst.child > 0, () => "no child was seen")
  return tally.row(
    `back-tests: ${name}`,
    `server +${worst.growth.toFixed(0)} MiB, child ${worst.child.toFixed(0)} MiB, others ${wait.toFixed(0)} and at most ${Math.max(...waits).toFixed(0)} ms`
  )
}

/** Cuts connections at various moments: each child ends, and the next back-test can run. */
const cut = async (stage: Stage, times: number): Promise<Row> => {
  const tally = new Tally()
  const body = slow(200_000)
  for (let time = 0; time < times; time++) {
    const ending = new AbortController()
    const answer = post(stage, body, ending.signal).then(
      () => undefined,
      () => undefined
    )
    await Bun.sleep((time * 37) % 400)
    ending.abort()
    await answer
    const isGone = await becomes(() => childrenOf(stage.server.child.pid).length === 0, 2 * GONE_MS)
    tally.check(isGone, () => `cut after ${(time * 37) % 400} ms: a child is left`)
  }
  let last = 0
  for (
    const end = performance.now() + 2 * GONE_MS;
    performance.now() < end && last !== 422;
    await Bun.sleep(20)
  )
    last = (await post(stage, new TextEncoder().encode("{}"))).status
  tally.check(last === 422, () => `there is no room afterwards: ${last}`)
  return tally.row("back-tests: connections that are cut", "no child is left")
}

/** Kills the server while a child works: the child ends itself. */
const killed = async (stage: Stage): Promise<Row> => {
  const tally = new Tally()
  const { server } = stage
  const answer = post(stage, slow(600_000)).then(
    () => undefined,
    () => undefined
  )
  const began = await becomes(
    () => childrenOf(server.child.pid).some((pid) => residentMiB(pid) > 120),
    20_000
  )
  const pids = childrenOf(server.child.pid)
  tally.check(began && pids.length === 1, () => `${pids.length} children`)
  await server.stop("SIGKILL")
  const from = performance.now()
  const isGone = await becomes(() => !pids.some(isRunning), GONE_MS)
  const took = performance.now() - from
  tally.check(isGone, () => "the child outlives its server")
  await answer
  return tally.row("back-tests: the server is killed", `the child is gone after ${took.toFixed(0)} ms`)
}
