// The compiled program at its doors: a peer that opens more connections than there are descriptors and finishes no
// request, and thousands of readers who ask for the largest public page and read nothing. Others are answered
// meanwhile.
import { readFileSync } from "node:fs"
import { createConnection, type Socket } from "node:net"
import { join } from "node:path"
import { inFolder, PROGRAM, Served } from "./Program.ts"
import type { Row, Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"

const DESCRIPTORS = 256
const HALF_OPEN = 400
const PROMPT_MS = 250
const READERS = 2_500
const AT_A_TIME = 25
const MAX_GROWTH_MIB = 150
const FLOODER = "127.0.0.2"
const OTHER = "127.0.0.9"

export const suite: Suite = () =>
  inFolder(async (folder) => [await flooded(join(folder, "a.db")), await unread(join(folder, "b.db"))])
export default suite

const opened = (port: number, from: string, says: string): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1", localAddress: from })
    socket.on("error", () => resolve(socket))
    socket.on("connect", () => {
      socket.pause()
      socket.write(says)
      resolve(socket)
    })
  })

/** How long another peer waits for an answer (ms); without one, for ever. */
const answered = async (port: number): Promise<number> => {
  const began = performance.now()
  const socket = createConnection({ port, host: "127.0.0.1", localAddress: OTHER })
  const text = await new Promise<string>((resolve) => {
    socket.on("error", () => resolve(""))
    socket.on("close", () => resolve(""))
    socket.on("data", (data) => resolve(data.toString()))
    socket.on("connect", () => socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
  })
  socket.destroy()
  return text.startsWith("HTTP/1.1 200") ? performance.now() - began : Number.POSITIVE_INFINITY
}

const flooded = async (db: string): Promise<Row> => {
  const tally = new Tally()
  const limited = Bun.spawn(
    ["sh", "-c", `ulimit -n ${DESCRIPTORS}; exec "$0" serve --port 0 --prices none --db "$1"`, PROGRAM, db],
    { stdin: "ignore", stdout: "ignore", stderr: "pipe" }
  )
  let said = ""
  const decoder = new TextDecoder()
  for await (const bytes of limited.stderr) {
    said += decoder.decode(bytes, { stream: true })
    if (/no token yet/.test(said)) break
  }
  const port = Number(/listening on http:\/\/[^ ]+:(\d+)/.exec(said)?.[1])
  await answered(port)
  const open = await Promise.all(
    Array.from({ length: HALF_OPEN }, () => opened(port, FLOODER, "GET / HTTP/1.1\r\nX-A: "))
  )
  let worst = 0
  for (let times = 0; times < 10; times++) {
    const took = await answered(port)
    worst = Math.max(worst, took)
    tally.within(took, PROMPT_MS, () => `another peer was answered after ${took} ms`)
    await Bun.sleep(20)
  }
  for (const socket of open) socket.destroy()
  limited.kill("SIGTERM")
  tally.check((await limited.exited) === 0, () => `it ended with ${limited.exitCode}`)
  return tally.row(
    "doors: half-open flood",
    `another peer answered within ${worst.toFixed(0)} ms beside ${HALF_OPEN} at ${DESCRIPTORS} descriptors`
  )
}

const unread = async (db: string): Promise<Row> => {
  const tally = new Tally()
  const server = await Served.start(db, ["--prices", "none", "--max-connections", "0"])
  const page = await (await server.fetch("/docs")).text()
  const script = /src="([^"]*reference[^"]*)"/.exec(page)?.[1] ?? ""
  await (await server.fetch(`/${script}`)).text()
  const before = memory(server)
  const open: Array<Socket> = []
  let worst = 0
  const ask = async () => {
    const took = await answered(server.port)
    worst = Math.max(worst, took)
    tally.within(took, 1_000, () => `another peer was answered after ${took} ms`)
  }
  // The kernel's queue of new connections is first in, first out: once this answer comes, the queue is empty again. A
  // full queue drops connections, and a peer tries again only after a second.
  for (let each = 0; each < READERS; each += AT_A_TIME) {
    const path = each % (2 * AT_A_TIME) === 0 ? "/docs" : `/${script}`
    const says = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
    open.push(
      ...(await Promise.all(Array.from({ length: AT_A_TIME }, () => opened(server.port, FLOODER, says))))
    )
    await ask()
  }
  let most = before
  for (let times = 0; times < 20; times++) {
    await ask()
    most = Math.max(most, memory(server))
    await Bun.sleep(100)
  }
  tally.check(most - before < MAX_GROWTH_MIB, () => `memory grew from ${before} to ${most} MiB`)
  for (const socket of open) socket.destroy()
  await server.stop()
  return tally.row(
    "doors: unread pages",
    `memory ${before} to ${most} MiB beside ${READERS} who read nothing, others answered within ${worst.toFixed(0)} ms`
  )
}

/** Resident memory of the program, in MiB. */
const memory = ({ child }: Served): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024)
