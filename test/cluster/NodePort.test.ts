// The port at which nodes reach each other, and strangers who try it: without a proof, with another key, with a proof that was
// used before or is old, with heads and bodies that never end, with answers that never end, and as a node of another version.
import { describe, expect } from "bun:test"
import { connect } from "node:net"
import { HttpServerResponse } from "@effect/platform"
import { Effect, Exit, Redacted } from "effect"
import * as NodeClient from "../../src/cluster/NodeClient.ts"
import * as NodePort from "../../src/cluster/NodePort.ts"
import * as NodeProof from "../../src/cluster/NodeProof.ts"
import { textOf } from "../../src/cluster/PartitionLease.ts"
import { selfSigned } from "../lib/certificate.ts"
import { it } from "../lib/effect.ts"

/** Connections of one stranger. */
const LORISES = 300

const own = () => NodeProof.make(Redacted.make(new Uint8Array(32).fill(1)))
const other = () => NodeProof.make(Redacted.make(new Uint8Array(32).fill(2)))

/** A port that counts what gets through. */
const opened = (certificate?: NodePort.NodeCertificate, host = "127.0.0.1") =>
  Effect.gen(function* () {
    const seen: Array<string> = []
    const app = Effect.sync(() => {
      seen.push("asked")
      return HttpServerResponse.text("yes")
    })
    const options = { host, port: 0, certificate }
    const port = yield* NodePort.listen(options, own(), new Map([["/ask/1", app]]))
    return { address: { host, port }, seen }
  })

const ask = (address: { host: string; port: number }, path: string, identity: NodeClient.Identity) =>
  Effect.flatMap(NodeClient.make(address, path, identity).post(""), ({ text }) => text)

const certificateOf = (name: string): NodePort.NodeCertificate => {
  const { certificate, key } = selfSigned(name)
  return { certificate, key: Redacted.make(key) }
}

/** What a raw connection is sent before it ends, or within three seconds. */
const raw = (port: number, text: string) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve) => {
        let got = ""
        const socket = connect(port, "127.0.0.1", () => socket.write(text))
        socket.on("data", (data) => {
          got += data.toString()
        })
        socket.on("close", () => resolve(got))
        socket.on("error", () => resolve(got))
        setTimeout(() => socket.destroy(), 3000)
      })
  )

const failureOf = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isFailure(exit) && exit.cause._tag === "Fail" && exit.cause.error instanceof Error
    ? String(exit.cause.error.cause)
    : String(exit)

describe("a stranger at the port of nodes", () => {
  it.live("is ended before the body is read, and learns nothing but a status", () =>
    Effect.gen(function* () {
      const { address, seen } = yield* opened()
      const head = "POST /ask/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n"
      const answer = yield* raw(address.port, `${head}begin`)
      expect(answer.split("\r\n")[0]).toBe("HTTP/1.1 401 Unauthorized")
      expect(answer.split("\r\n\r\n")[1]).toBe("")
      expect(answer.toLowerCase()).not.toContain("signalbox")
      for (const path of ["/", "/ask/2", "/bots/1", "/healthz"])
        expect(yield* raw(address.port, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)).toStartWith(
          "HTTP/1.1 401"
        )
      expect(seen).toEqual([])
    })
  )

  it.live("with another master key is refused, and the request has not begun", () =>
    Effect.gen(function* () {
      const { address, seen } = yield* opened()
      const exit = yield* Effect.exit(ask(address, "/ask/1", { proofs: other() }))
      expect(failureOf(exit)).toContain("another master key")
      expect(seen).toEqual([])
      expect(yield* ask(address, "/ask/1", { proofs: own() })).toBe("yes")
    })
  )

  it.live("cannot send what it overheard, nor use a proof for another path or another node", () =>
    Effect.gen(function* () {
      const { address, seen } = yield* opened()
      const { header } = own().prove({ node: textOf(address), path: "/ask/1" })
      const other = yield* opened()
      expect(
        yield* raw(
          other.address.port,
          `POST /ask/1 HTTP/1.1\r\nHost: a\r\n${NodeProof.PROOF_HEADER}: ${header}\r\n\r\n`
        )
      ).toStartWith("HTTP/1.1 401")
      const sent = (path: string) =>
        `POST ${path} HTTP/1.1\r\nHost: a\r\n${NodeProof.PROOF_HEADER}: ${header}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
      expect(yield* raw(address.port, sent("/ask/2"))).toStartWith("HTTP/1.1 401")
      expect(yield* raw(address.port, sent("/ask/1"))).toStartWith("HTTP/1.1 200")
      expect(yield* raw(address.port, sent("/ask/1"))).toStartWith("HTTP/1.1 401")
      expect(seen).toEqual(["asked"])
    })
  )

  it.live("that holds many connections open with heads that never end keeps no node from its answer", () =>
    Effect.gen(function* () {
      const { address } = yield* opened()
      const sockets = yield* Effect.acquireRelease(
        Effect.promise(() =>
          Promise.all(
            Array.from(
              { length: LORISES },
              () =>
                new Promise<ReturnType<typeof connect>>((resolve) => {
                  const socket = connect(address.port, "127.0.0.1", () => {
                    socket.write("POST /ask/1 HTTP/1.1\r\nHost: a\r\nX-Slow: ")
                    resolve(socket)
                  })
                })
            )
          )
        ),
        (all) => Effect.sync(() => all.map((socket) => socket.destroy()))
      )
      expect(sockets).toHaveLength(LORISES)
      expect(yield* Effect.timeout(ask(address, "/ask/1", { proofs: own() }), "3 seconds")).toBe("yes")
    })
  )

  it.live("that announces a body of a gigabyte, or sends a head of a megabyte, is ended at once", () =>
    Effect.gen(function* () {
      const { address, seen } = yield* opened()
      const huge = "POST /ask/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1073741824\r\n\r\n"
      expect(yield* raw(address.port, huge)).toStartWith("HTTP/1.1 4")
      const head = `POST /ask/1 HTTP/1.1\r\nHost: a\r\nX-Long: ${"x".repeat(2 ** 20)}\r\n\r\n`
      expect(yield* raw(address.port, head)).toMatch(/^(HTTP\/1.1 4|$)/)
      expect(seen).toEqual([])
      expect(yield* ask(address, "/ask/1", { proofs: own() })).toBe("yes")
    })
  )

  it.live("that answers in the place of a node without end is left at the head of its answer", () =>
    Effect.gen(function* () {
      let sent = 0
      const endless = yield* Effect.acquireRelease(
        Effect.sync(() =>
          Bun.serve({
            hostname: "127.0.0.1",
            port: 0,
            fetch: () =>
              new Response(
                new ReadableStream({
                  pull: (controller) => {
                    sent++
                    controller.enqueue(new Uint8Array(2 ** 16))
                  }
                })
              )
          })
        ),
        (server) => Effect.promise(() => server.stop(true))
      )
      const address = { host: "127.0.0.1", port: Number(endless.port) }
      const exit = yield* Effect.exit(ask(address, "/ask/1", { proofs: own() }))
      expect(failureOf(exit)).toContain("not a node's")
      expect(sent).toBeLessThan(1000)
    })
  )

  it.live("that answers in the place of a node is not believed", () =>
    Effect.gen(function* () {
      const fake = yield* Effect.acquireRelease(
        Effect.sync(() => Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("yes") })),
        (server) => Effect.promise(() => server.stop(true))
      )
      const address = { host: "127.0.0.1", port: Number(fake.port) }
      const exit = yield* Effect.exit(ask(address, "/ask/1", { proofs: own() }))
      expect(failureOf(exit)).toContain("not a node's")
    })
  )
})

describe("a node", () => {
  it.live("of another version gets a plain answer, and the request has not begun", () =>
    Effect.gen(function* () {
      const { address, seen } = yield* opened()
      const exit = yield* Effect.exit(ask(address, "/ask/2", { proofs: own() }))
      expect(failureOf(exit)).toContain("of a version that this one cannot ask")
      expect(seen).toEqual([])
    })
  )

  it.live("that is not there has not begun", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(ask({ host: "127.0.0.1", port: 1 }, "/ask/1", { proofs: own() }))
      expect(failureOf(exit)).toContain("no connection")
    })
  )

  it.live("talks in plain text on loopback only", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(NodePort.listen({ host: "0.0.0.0", port: 0 }, own(), new Map()))
      expect(String(exit)).toContain("--tls-cert")
      const asked = yield* Effect.exit(ask({ host: "192.0.2.1", port: 9 }, "/ask/1", { proofs: own() }))
      expect(failureOf(asked)).toContain("there is no certificate")
    })
  )

  it.live("trusts the certificate that all nodes share, and no other", () =>
    Effect.gen(function* () {
      const [shared, foreign] = [certificateOf("shared"), certificateOf("foreign")]
      // By a name that is not in it.
      const { address, seen } = yield* opened(shared, "localhost")
      expect(yield* ask(address, "/ask/1", { proofs: own(), certificate: shared })).toBe("yes")
      const exit = yield* Effect.exit(ask(address, "/ask/1", { proofs: own(), certificate: foreign }))
      expect(failureOf(exit)).toContain("no connection")
      expect(seen).toEqual(["asked"])
      expect(yield* raw(address.port, "POST /ask/1 HTTP/1.1\r\nHost: a\r\n\r\n")).not.toContain("200")
    })
  )
})

describe("a node with many requests for another one", () => {
  it.live("has at most so many connections to it, and each request is answered", () =>
    Effect.gen(function* () {
      const now = { count: 0, most: 0 }
      const app = Effect.gen(function* () {
        now.most = Math.max(now.most, ++now.count)
        yield* Effect.sleep("10 millis")
        now.count--
        return HttpServerResponse.text("yes")
      })
      const place = { host: "127.0.0.1", port: 0 }
      const port = yield* NodePort.listen(place, own(), new Map([["/ask/1", app]]))
      const client = NodeClient.make({ ...place, port }, "/ask/1", { proofs: own() })
      const all = Array.from({ length: 5 * NodeClient.MOST_AT_ONCE }, () => client.post(""))
      const answers = yield* Effect.all(all, { concurrency: "unbounded" })
      expect(answers).toHaveLength(all.length)
      expect(now.most).toBeLessThanOrEqual(NodeClient.MOST_AT_ONCE)
      expect(now.most).toBeGreaterThan(1)
    })
  )
})
