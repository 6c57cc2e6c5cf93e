// Rejected alerts of known accounts, recorded for their owners with the body redacted.
import type { AccountId } from "../../domain/Account.ts"
import { type Door, incoming } from "../../domain/alert/Incoming.ts"
import type { Refusals } from "../../services/health/Refusals.ts"
import * as Problems from "../Problems.ts"

/** The body of a rejected alert; undefined where it was not read. */
export interface Remains {
  readonly door: Door
  readonly query: string
  readonly body: Uint8Array | undefined
}

const utf8 = new TextDecoder("utf-8")

/** Records a rejected alert and the reason, at a time (ms since the epoch). */
export const remember =
  ({ add }: typeof Refusals.Service) =>
  (account: AccountId, failure: Problems.Failure, { body, door, query }: Remains, at: number): void => {
    const { code, message, status } = Problems.of(failure, "")
    const text = body === undefined ? undefined : incoming(door, utf8.decode(body), query).body
    add(account, { at, door, status, code, message, body: text })
  }
