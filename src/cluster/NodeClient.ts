// Requests to the port of another node. A request that may have begun there is never sent a second time: each has a
// connection of its own, because one that is used again may break after the request and be opened anew unasked.
import { X509Certificate } from "node:crypto"
import { checkServerIdentity, type PeerCertificate, rootCertificates } from "node:tls"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
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

/** Makes the client of a path at a node. */
export const make = Effect.fnUntraced(function* (
  { host, port }: NodeAddress,
  path: string,
  { certificate, proofs }: Identity
) {
  const client = yield* HttpClient.HttpClient
  const origin = `http${certificate === undefined ? "" : "s"}://${host.includes(":") ? `[${host}]` : host}:${port}`
  const init = requestInit(certificate)
  return HttpClient.make((request, url) => {
    if (certificate === undefined && !isLoopback(host))
      return failed(
        request,
        new NotBegun({ message: `${host} is not on this machine, and there is no certificate` })
      )
    const proof = proofs.prove(url.pathname)
    const signed = HttpClientRequest.setHeader(request, PROOF_HEADER, proof.header)
    return client.execute(signed).pipe(
      Effect.provideService(FetchHttpClient.RequestInit, init),
      Effect.catchTag("RequestError", (error) =>
        isUnconnected(error.cause)
          ? failed(request, new NotBegun({ message: `no connection to ${origin}` }))
          : Effect.fail(error)
      ),
      Effect.flatMap((response) => checked(request, response, proofs, proof.nonce))
    )
  }).pipe(HttpClient.mapRequest(HttpClientRequest.prependUrl(origin + path)))
})

/** The answer of a node that did what it was asked for. */
const checked = (
  request: HttpClientRequest.HttpClientRequest,
  response: HttpClientResponse.HttpClientResponse,
  proofs: Proofs,
  nonce: string
) => {
  const { headers, status } = response
  if (status === 401)
    return failed(request, new NotBegun({ message: "the other node has another master key" }))
  if (!proofs.isAnswer(headers[ANSWER_HEADER], nonce))
    return failed(request, new Error("the answer is not a node's"))
  if (status === 404)
    return failed(
      request,
      new NotBegun({ message: "the other node is of a version that this one cannot ask" })
    )
  return status === 200 ? Effect.succeed(response) : failed(request, new Error(`it answered ${status}`))
}

const failed = (request: HttpClientRequest.HttpClientRequest, cause: Error) =>
  Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", cause }))

/** Whether nothing was sent, because there was no connection or no trust in it. */
const isUnconnected = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" && UNCONNECTED.test(cause.code)

const UNCONNECTED =
  /^(ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT)/

/**
 * The peer's certificate is trusted if this node's own chain or a public root vouches for it, and it is the very same one
 * as this node's or is for the peer's host name.
 */
const requestInit = (certificate: NodeCertificate | undefined): BunFetchRequestInit => {
  const plain = { keepalive: false, redirect: "manual" } as const
  if (certificate === undefined) return plain
  const own = new X509Certificate(certificate.certificate).fingerprint256
  return {
    ...plain,
    tls: {
      ca: [certificate.certificate, ...rootCertificates],
      checkServerIdentity: (host: string, peer: PeerCertificate) =>
        peer.fingerprint256 === own ? undefined : checkServerIdentity(host, peer)
    }
  }
}
