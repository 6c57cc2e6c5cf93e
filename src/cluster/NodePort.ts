// The port at which nodes reach each other: HTTP over TLS, or plain on loopback only. A request without a node's proof ends
// before its body is read, and gets no more than a status.

import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as BunHttpServer from "@effect/platform-bun/BunHttpServer"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { isLoopback, plainRefusal } from "../domain/internal/ClusterSettings.ts"
import { SettingRefused } from "../domain/requests/SettingRefused.ts"
import { ANSWER_HEADER, PROOF_HEADER, type Proofs } from "./NodeProof.ts"
import { textOf } from "./PartitionLease.ts"

/** A certificate with its chain, and its key, in PEM. All nodes use the same one, or each one for its own host name. */
export interface NodeCertificate {
  readonly certificate: string
  readonly key: Redacted.Redacted
}

/** Where a node listens for others; port 0 takes a free one. Without a certificate it must be a loopback address. */
export interface Options {
  readonly host: string
  readonly port: number
  readonly certificate?: NodeCertificate | undefined
}

/** What is served, by path. */
export type Apps = ReadonlyMap<string, HttpApp.Default<never, Scope.Scope>>

/** The longest request between nodes: the strategies of an account, changed together. */
const MAX_BODY_BYTES = 16 * 1024 * 1024
/** How long a connection may be silent (s). No request between nodes may take as long: arming takes the longest. */
const IDLE_SECONDS = 30

/** Listens until the scope closes; returns the port. */
export const listen = Effect.fnUntraced(function* (
  { certificate, host, port }: Options,
  proofs: Proofs,
  apps: Apps
) {
  if (certificate === undefined && !isLoopback(host))
    return yield* new SettingRefused({ message: plainRefusal(host) })
  const server = yield* BunHttpServer.make({
    hostname: host,
    port,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: MAX_BODY_BYTES,
    development: false,
    ...(certificate === undefined
      ? {}
      : { tls: { cert: certificate.certificate, key: Redacted.value(certificate.key) } })
  })
  const listening = server.address._tag === "TcpAddress" ? server.address.port : port
  yield* server.serve(guarded(textOf({ host, port: listening }), proofs, apps))
  return listening
})

/** Answers nodes that ask this one, and nobody else. */
const guarded = (node: string, proofs: Proofs, apps: Apps) =>
  Effect.gen(function* () {
    const { headers, url } = yield* HttpServerRequest.HttpServerRequest
    const nonce = proofs.accept(headers[PROOF_HEADER], { node, path: url })
    if (nonce === undefined) return ENDED
    const app = apps.get(url)
    const response = app === undefined ? HttpServerResponse.empty({ status: 404 }) : yield* app
    return HttpServerResponse.setHeader(response, ANSWER_HEADER, proofs.answer(nonce))
  })

const ENDED = HttpServerResponse.empty({ status: 401, headers: { connection: "close" } })
