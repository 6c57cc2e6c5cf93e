// Requests to the port of another node. A request that may have begun there is never sent a second time: each has a
// connection of its own, because one that is used again may break after the request and be opened anew unasked. Neither
// goes through a proxy, which `fetch` would take from the environment.
import { X509Certificate } from "node:crypto"
import { type IncomingMessage, request as plainRequest } from "node:http"
import { type RequestOptions, request as secureRequest } from "node:https"
import { checkServerIdentity, type PeerCertificate, rootCertificates } from "node:tls"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { isLoopback } from "../domain/internal/ClusterSettings.ts"
import type { NodeCertificate } from "./NodePort.ts"
import { ANSWER_HEADER, PROOF_HEADER, type Proofs } from "./NodeProof.ts"
import { type NodeAddress, textOf } from "./PartitionLease.ts"

/** The request has certainly not begun at the other node. The cause of a request's error. */
export class NotBegun extends Data.TaggedError("NotBegun")<{ readonly message: string }> {}

/** The request may have begun, and what came back is no answer to it. */
class WrongAnswer extends Data.TaggedError("WrongAnswer")<{ readonly message: string }> {}

/** What a node shows others: its proofs, and its certificate, if it has one. */
export interface Identity {
  readonly proofs: Proofs
  readonly certificate?: NodeCertificate | undefined
}

/** Makes the client of one path at a node, which posts bytes there. */
export const make = (
  { host, port }: NodeAddress,
  path: string,
  { certificate, proofs }: Identity
): HttpClient.HttpClient => {
  const trust = certificate === undefined ? undefined : trustOf(certificate)
  const origin = `http${trust === undefined ? "" : "s"}://${host.includes(":") ? `[${host}]` : host}:${port}`
  const sent = (request: HttpClientRequest.HttpClientRequest) => {
    const failed = (cause: Error) =>
      Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", cause }))
    if (trust === undefined && !isLoopback(host))
      return failed(new NotBegun({ message: `${host} is not on this machine, and there is no certificate` }))
    const proof = proofs.prove({ node: textOf({ host, port }), path })
    const headers = { ...request.headers, [PROOF_HEADER]: proof.header }
    return Effect.matchEffect(
      posted(
        { host, port, path, headers, ...trust },
        request.body._tag === "Uint8Array" ? request.body.body : "",
        (head) => errorOf(head, (answer) => proofs.isAnswer(answer, proof.nonce))
      ),
      {
        onFailure: (cause) =>
          failed(isUnconnected(cause) ? new NotBegun({ message: `no connection to ${origin}` }) : cause),
        onSuccess: (response) => Effect.succeed(webOf(request, response))
      }
    )
  }
  const turns = Effect.unsafeMakeSemaphore(MOST_AT_ONCE)
  // The proof is made when its turn has come: it holds for a minute.
  return HttpClient.make((request) => turns.withPermits(1)(Effect.suspend(() => sent(request)))).pipe(
    HttpClient.mapRequest(HttpClientRequest.prependUrl(origin + path))
  )
}

/** Requests that a node has at another one at once, each on a connection of its own; more wait for their turn. */
export const MOST_AT_ONCE = 64

/** The longest answer that is read: the standings of the strategies of a partition. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** The beginning of a response. */
interface Head {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
}

interface Response {
  readonly status: number
  readonly body: Uint8Array<ArrayBuffer>
}

/**
 * Posts a body on a connection of its own; an interruption ends it. Of a response in which `wrong` finds something, the
 * body is not read.
 */
const posted = (
  options: RequestOptions,
  body: Uint8Array | string,
  wrong: (head: Head) => Error | undefined
) =>
  Effect.async<Response, Error>((resume) => {
    const send = options.ca === undefined ? plainRequest : secureRequest
    const end = (error: Error) => {
      resume(Effect.fail(error))
      sent.destroy()
    }
    const sent = send({ ...options, method: "POST", agent: false }, (incoming) => {
      // An error that nobody hears ends the process, and one comes where the rest of an answer is not read.
      incoming.on("error", end)
      const { headers, statusCode: status = 0 } = incoming
      const error = wrong({ status, headers })
      if (error !== undefined) return end(error)
      const parts: Array<Buffer> = []
      let bytes = 0
      incoming.on("data", (part: Buffer) => {
        parts.push(part)
        bytes += part.length
        if (bytes > MAX_ANSWER_BYTES)
          end(new WrongAnswer({ message: `it is longer than ${MAX_ANSWER_BYTES} bytes` }))
      })
      incoming.on("end", () => resume(Effect.succeed({ status, body: new Uint8Array(Buffer.concat(parts)) })))
    })
    sent.on("error", (error) => resume(Effect.fail(error)))
    sent.end(body)
    return Effect.sync(() => sent.destroy())
  })

/** What is wrong with a response; undefined of a node that did what it was asked for. */
const errorOf = (
  { headers, status }: Head,
  isAnswer: (header: string | undefined) => boolean
): Error | undefined => {
  if (status === 401) return new NotBegun({ message: OTHER_KEY })
  const proof = headers[ANSWER_HEADER]
  if (!isAnswer(typeof proof === "string" ? proof : undefined))
    return new WrongAnswer({ message: "the answer is not a node's" })
  if (status === 404)
    return new NotBegun({ message: "the other node is of a version that this one cannot ask" })
  return status === 200 ? undefined : new WrongAnswer({ message: `it answered ${status}` })
}

const OTHER_KEY =
  "the other node has another master key, or the clocks of the two machines differ by more than a minute"

const webOf = (request: HttpClientRequest.HttpClientRequest, { body, status }: Response) =>
  HttpClientResponse.fromWeb(request, new globalThis.Response(body, { status }))

/** Whether nothing was sent, because there was no connection or no trust in it. */
const isUnconnected = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" && UNCONNECTED.test(cause.code)

const UNCONNECTED =
  /^(ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT)/

/**
 * The peer's certificate is trusted if this node's own chain or a public root vouches for it, and it is the very same one
 * as this node's or is for the peer's host name.
 */
const trustOf = ({ certificate }: NodeCertificate) => {
  const own = new X509Certificate(certificate).fingerprint256
  return {
    ca: [certificate, ...rootCertificates],
    checkServerIdentity: (host: string, peer: PeerCertificate) =>
      peer.fingerprint256 === own ? undefined : checkServerIdentity(host, peer)
  }
}
