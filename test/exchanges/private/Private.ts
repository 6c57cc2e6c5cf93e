import type { KnownExchange } from "../../../src/domain/Market.ts"
import type { RestRequest } from "../Protocol.ts"
import type { Policy } from "./Book.ts"
import type { Desk } from "./Desk.ts"
import type { Flaw } from "./Flaw.ts"

/** What a request is about; `account` is whatever else a client wants to know before it trades. */
export type Kind =
  | ("place" | "cancel" | "order" | "open" | "closed" | "trades" | "balance")
  | ("permissions" | "time" | "leverage" | "positions" | "account")

export interface Credentials {
  readonly apiKey: string
  readonly secret: string
  /** Three of the seven want a passphrase too. */
  readonly password?: string
}

/** Text goes out as it is, everything else as JSON. */
export interface Reply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The private part of an exchange's REST protocol. */
export interface Private {
  readonly name: KnownExchange
  /** A key that the stub knows. */
  readonly credentials: Credentials
  readonly policy: Policy
  /** Undefined where it is none of this part. */
  readonly kindOf: (request: RestRequest) => Kind | undefined
  /** What is wrong with the key, the signature or the time of a request. `now` is the exchange's clock. */
  readonly flawOf: (request: RestRequest, credentials: Credentials, now: number) => Flaw | undefined
  /** Does what is asked, and answers with the body of a 200; throws `Refused`. */
  readonly perform: (request: RestRequest, desk: Desk) => unknown
  /** How it says no. */
  readonly refusal: (flaw: Flaw, kind: Kind, request: RestRequest, now: number) => Reply
}
