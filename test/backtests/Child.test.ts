// The adversary is the child process: it dies, hangs, talks rubbish, or takes all the memory. None of it reaches
// further than the answer to its own back-test, and no process is left.
import { expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Fiber, Layer, Logger } from "effect"
import * as Child from "../../src/backtests/Child.ts"
import * as Children from "../../src/backtests/Children.ts"
import * as Frames from "../../src/backtests/Frames.ts"
import * as Job from "../../src/backtests/Job.ts"
import { Program } from "../../src/backtests/Program.ts"
import * as Resident from "../../src/backtests/Resident.ts"
import { AccountId } from "../../src/domain/Account.ts"
import * as Memory from "../../src/Memory.ts"
import * as Place from "../../src/prices/tape/Place.ts"
import { Backtester } from "../../src/services/Backtester.ts"
import * as Slots from "../../src/services/backtest/Slots.ts"
import { nested, slow, wide } from "./bodies.ts"
import { becomes, childrenOf, isRunning, residentMiB } from "./processes.ts"
import { BTC } from "./world.ts"

const me = AccountId.make(1)

/** One back-test, in children that are started by this command, or by our own. */
const run = (
  body: Uint8Array,
  options: Partial<Children.Options> = {},
  program?: ReadonlyArray<string>
): Effect.Effect<string, unknown> => {
  const layer = Layer.provide(Children.layer({ database: "none.db", ...options }), Memory.layer())
  return Effect.flatMap(Backtester, (backtester) => backtester.run(me, Effect.succeed(body))).pipe(
    Effect.provide(program === undefined ? layer : Layer.provide(layer, Layer.succeed(Program, program)))
  )
}
const shell = (script: string) => ["/bin/sh", "-c", script]
const tiny = () => new TextEncoder().encode("{}")
/** Suites that ran before in this process may have left servers of theirs. */
const others = new Set(childrenOf(process.pid))
const mine = () => childrenOf(process.pid).filter((pid) => !others.has(pid))

/** The bytes of a frame as an argument of printf. */
const frame = (kind: Frames.Kind, text: string) =>
  [...Frames.head(kind, text.length), ...Job.bytesOf(text)]
    .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`)
    .join("")

/** Reads all that it is told, answers with these bytes, and waits. */
const says = (bytes: string) => shell(`exec 3<&0; cat <&3 > /dev/null & printf '${bytes}'; exec sleep 60`)

const bad: ReadonlyArray<readonly [name: string, program: ReadonlyArray<string>]> = [
  ["cannot be started", ["/nowhere/signalbox"]],
  ["is no program at all", []],
  ["ends at once", shell("exit 1")],
  ["is killed while it reads", shell("head -c 3 > /dev/null; kill -9 $$")],
  ["is killed after it has read", shell("head -c 7 > /dev/null; kill -9 $$")],
  ["answers with nothing but zeros", shell("cat /dev/zero")],
  ["answers with nothing but noise", shell("cat /dev/urandom")],
  ["answers with a frame of 4 GiB", shell("printf '\\004\\377\\377\\377\\377'; cat /dev/zero")],
  ["answers with the end at once", says(frame("Done", "{}"))],
  ["asks for what is no JSON", says(frame("Asks", "{"))],
  ["asks for another exchange", says(frame("Asks", `{"places":[{"exchange":"x"}]}`))],
  ["refuses without a reason", says(frame("Refused", `[{"field":1}]`))],
  ["answers in no UTF-8", says("\\006\\001\\000\\000\\000\\377")],
  ["asks twice", says(frame("Asks", `{"places":[]}`).repeat(2))]
]
test.each(bad)("a child that %s ends with an error in words, and its process is gone", async (_, program) => {
  for (const body of [tiny(), slow(20_000)]) {
    expect(await Effect.runPromise(Effect.flip(run(body, {}, program)))).toMatchObject({
      _tag: "BacktestFailed",
      reason: "ended"
    })
    expect(mine()).toEqual([])
  }
})

test("a child that is killed while it is told fails what tells it, and nothing else", async () => {
  // Each write that is left alone and fails would end the whole program: the runner fails this test then.
  const told = Effect.scoped(
    Effect.flatMap(Child.start(shell("head -c 700000 > /dev/null")), (child) =>
      Effect.flip(child.send("Run", new Uint8Array(4_000_000)))
    )
  )
  for (let time = 0; time < 30; time++)
    expect(await Effect.runPromise(told)).toMatchObject({ reason: "ended" })
  expect(mine()).toEqual([])
}, 30_000)

test("a child that neither reads nor answers is ended when its time is up", async () => {
  for (const script of ["exec sleep 60", "cat > /dev/null; exec sleep 60"]) {
    const ended = await Effect.runPromise(
      Effect.flip(run(slow(20_000), { seconds: 0.5 }, shell(`trap '' TERM; ${script}`)))
    )
    expect(ended).toMatchObject({ _tag: "BacktestFailed", reason: "too_long" })
    expect(await becomes(() => mine().length === 0, 1_000)).toBe(true)
  }
})

test("a child that not even a kill ends frees its account, and takes a run's room until it has ended", async () => {
  const signals: Array<unknown> = []
  const { promise: exited, resolve: exit } = Promise.withResolvers<number>()
  const undying = {
    pid: 4711,
    exited,
    kill: (signal?: unknown) => void signals.push(signal)
  }
  const lines: Array<string> = []
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message }) => void lines.push(String(message)))
  )
  let left = 0
  const onLeft: Child.OnLeft = (exited) => {
    left++
    void exited.finally(() => left--)
  }
  const slot = Slots.make(() => left)
  const once = slot(me, Effect.void, () =>
    Effect.scoped(
      Effect.as(
        Effect.acquireRelease(Effect.void, () => Child.end(undying, onLeft, 0.05)),
        "ended"
      )
    )
  )
  const twice = Effect.zip(once, once)
  expect(await Effect.runPromise(Effect.provide(twice, logger))).toEqual(["ended", "ended"])
  expect(signals).toEqual(["SIGKILL", "SIGKILL"])
  expect(lines).toEqual(Array(2).fill(expect.stringContaining("process 4711 of a back-test")))
  const third = await Effect.runPromise(Effect.flip(once))
  expect(third).toMatchObject({ _tag: "BacktestBusy", whose: "server" })
  exit(0)
  expect(await becomes(() => left === 0, 1_000)).toBe(true)
  expect(await Effect.runPromise(once)).toBe("ended")
})

test("a child that exceeds its memory is ended, and its caller is told", async () => {
  const before = residentMiB(process.pid)
  const most = 150 * 2 ** 20
  let worst = 0
  const watch = setInterval(() => {
    for (const pid of mine()) worst = Math.max(worst, residentMiB(pid))
  }, 5)
  const ended = await Effect.runPromise(Effect.flip(run(wide(), { bytes: most })))
  clearInterval(watch)
  expect(ended).toMatchObject({ _tag: "BacktestFailed", reason: "too_large" })
  expect(mine()).toEqual([])
  expect(worst).toBeLessThan(700)
  expect(residentMiB(process.pid) - before).toBeLessThan(300)
}, 20_000)

test("31 MiB of brackets are refused without being parsed", async () => {
  const refused = await Effect.runPromise(Effect.flip(run(nested(), { bytes: 150 * 2 ** 20 })))
  expect(refused).toMatchObject({ _tag: "BacktestUnreadable" })
}, 20_000)

test("a caller who goes away ends the child, while it reads and while it works", async () => {
  for (const wait of [0, 200, 700]) {
    const fiber = Effect.runFork(run(slow()))
    expect(await becomes(() => mine().length === 1, 5_000)).toBe(true)
    await Bun.sleep(wait)
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect(mine()).toEqual([])
  }
}, 20_000)

test("a child ends with a server that is killed, even if its thread hangs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "abandoned-"))
  const prices = Place.folderOf(Place.candlesIn(folder), BTC)
  const pipe = join(prices, "2026-11.csv.gz")
  mkdirSync(prices, { recursive: true })
  expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0)
  const command = [process.execPath, join(import.meta.dir, "abandoned.ts"), join(folder, "x.db")]
  const server = Bun.spawn(command, { stdout: "ignore" })
  expect(await becomes(() => childrenOf(server.pid).length === 1, 10_000)).toBe(true)
  const [child = 0] = childrenOf(server.pid)
  // By now it waits for prices.
  await Bun.sleep(2_000)
  expect(isRunning(child)).toBe(true)
  server.kill("SIGKILL")
  await server.exited
  expect(await becomes(() => !isRunning(child), 2_000)).toBe(true)
  rmSync(folder, { recursive: true })
}, 30_000)

test("a child yields to the server in processor and memory, and gets no environment and no open files", async () => {
  const fiber = Effect.runFork(run(slow()))
  expect(await becomes(() => mine().length === 1, 5_000)).toBe(true)
  const [pid = 0] = mine()
  const read = (file: string) => Bun.file(`/proc/${pid}/${file}`).text()
  const openFiles = () =>
    readdirSync(`/proc/${pid}/fd`).flatMap((file) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${file}`)]
      } catch {
        // Closed meanwhile.
        return []
      }
    })
  // From sources, a child has files open while it loads them.
  const strayFiles = () => openFiles().filter((file) => file.startsWith("/") && file !== "/dev/null")
  await Bun.sleep(600)
  expect(await becomes(() => strayFiles().length === 0, 10_000)).toBe(true)
  const threads = [...new Bun.Glob("*").scanSync({ cwd: `/proc/${pid}/task`, onlyFiles: false })]
  const niceness = await Promise.all(
    threads.map(async (thread) => Number((await read(`task/${thread}/stat`)).split(") ")[1]?.split(" ")[16]))
  )
  expect(niceness.length).toBeGreaterThan(1)
  expect(niceness.filter((nice) => nice !== 10)).toEqual([])
  expect((await read("oom_score_adj")).trim()).toBe("1000")
  expect(await read("environ")).toBe("")
  // Two of them are its own ends of what we tell each other: the server's listeners and database are none of its.
  expect(new Set(openFiles().filter((file) => file.startsWith("socket:"))).size).toBe(2)
  // A thread of it may be loading a module just now.
  expect(await becomes(() => strayFiles().length === 0, 10_000)).toBe(true)
  // What stops the server lets it end its requests first.
  process.kill(pid, "SIGTERM")
  await Bun.sleep(100)
  expect(isRunning(pid)).toBe(true)
  await Effect.runPromise(Fiber.interrupt(fiber))
}, 20_000)

test("other work runs while the largest body is sent to a child", async () => {
  let turns = 0
  const count = setInterval(() => turns++, 0)
  await Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(Child.start(shell("cat > /dev/null")), (child) =>
        child.send("Read", new Uint8Array(Frames.MAX_BYTES))
      )
    )
  )
  clearInterval(count)
  expect(turns).toBeGreaterThan(30)
})

test("a child may use a third of the machine's memory, at most 1 GiB", () => {
  const MIB = 2 ** 20
  expect([384, 768, 1_536, 24_000].map((room) => Resident.mostOf(room * MIB) / MIB)).toEqual([
    128, 256, 512, 1_024
  ])
  expect(Resident.mostOf()).toBeGreaterThan(100 * MIB)
})
