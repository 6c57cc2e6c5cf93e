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
import { isLoopback, type NodeCertificate } from "./NodePort.ts"
import { ANSWER_HEADER, PROOF_HEADER, type Proofs } from "./NodeProof.ts"
import type { NodeAddress } from "./PartitionLease.ts"

/** The request has certainly not begun at the other node. The cause of a request's error. */
export class NotBegun extends Data.TaggedError("NotBegun")<{ readonly message: string }> {}

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
  return HttpClient.make((request) => {
    const failed = (cause: Error) =>
      Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", cause }))
    if (trust === undefined && !isLoopback(host))
      return failed(new NotBegun({ message: `${host} is not on this machine, and there is no certificate` }))
    const proof = proofs.prove(path)
    const headers = { ...request.headers, [PROOF_HEADER]: proof.header }
    return Effect.matchEffect(
      posted(
        { host, port, path, headers, ...trust },
        request.body._tag === "Uint8Array" ? request.body.body : ""
      ),
      {
        onFailure: (cause) =>
          failed(isUnconnected(cause) ? new NotBegun({ message: `no connection to ${origin}` }) : cause),
        onSuccess: (response) => {
          const error = errorOf(response, (answer) => proofs.isAnswer(answer, proof.nonce))
          return error === undefined ? Effect.succeed(webOf(request, response)) : failed(error)
        }
      }
    )
  }).pipe(HttpClient.mapRequest(HttpClientRequest.prependUrl(origin + path)))
}

interface Response {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: Uint8Array<ArrayBuffer>
}

/** Posts a body on a connection of its own; an interruption ends it. */
const posted = (options: RequestOptions, body: Uint8Array | string) =>
  Effect.async<Response, Error>((resume) => {
    const send = options.ca === undefined ? plainRequest : secureRequest
    const sent = send({ ...options, method: "POST", agent: false }, (incoming) => {
      const parts: Array<Buffer> = []
      incoming.on("data", (part: Buffer) => parts.push(part))
      incoming.on("error", (error) => resume(Effect.fail(error)))
      incoming.on("end", () => {
        const { headers, statusCode: status = 0 } = incoming
        resume(Effect.succeed({ status, headers, body: new Uint8Array(Buffer.concat(parts)) }))
      })
    })
    sent.on("error", (error) => resume(Effect.fail(error)))
    sent.end(body)
    return Effect.sync(() => sent.destroy())
  })

/** What is wrong with a response; undefined of a node that did what it was asked for. */
const errorOf = (
  { headers, status }: Response,
  isAnswer: (header: string | undefined) => boolean
): Error | undefined => {
  if (status === 401) return new NotBegun({ message: "the other node has another master key" })
  const proof = headers[ANSWER_HEADER]
  if (!isAnswer(typeof proof === "string" ? proof : undefined)) return new Error("the answer is not a node's")
  if (status === 404)
    return new NotBegun({ message: "the other node is of a version that this one cannot ask" })
  return status === 200 ? undefined : new Error(`it answered ${status}`)
}

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
