import type { AccountId } from "../../domain/Account.ts"
import { type Door, incoming } from "../../domain/alert/Incoming.ts"
import type { Refusals } from "../../services/health/Refusals.ts"
import * as Problems from "../Problems.ts"

/** What is known of the body of an alert that was turned away: nothing where it was not read. */
export interface Remains {
  readonly door: Door
  readonly query: string
  readonly body: Uint8Array | undefined
}

const utf8 = new TextDecoder("utf-8")

/** Remembers that an alert of a known account was turned away, and why. */
export const remember = (
  refusals: typeof Refusals.Service,
  account: AccountId,
  failure: Problems.Failure,
  { body, door, query }: Remains,
  at: number
): void => {
  const { code, message, status } = Problems.of(failure, "")
  refusals.add(account, {
    at,
    door,
    status,
    code,
    message,
    body: body === undefined ? undefined : incoming(door, utf8.decode(body), query).body
  })
}
