// The last check of a request, after it was made and signed and just before it leaves. A process that stands still in
// between sends what was signed before: the exchange then finds it expired.
import { AsyncLocalStorage } from "node:async_hooks"
import type { Fetch } from "../Ccxt.ts"

/** A request did not pass its check, and certainly was not sent. */
export class NotPassed extends Error {
  override readonly name = "NotPassed"
}

/** The check of a request, and the headers that it gets before it. */
export interface Check {
  readonly headers: () => Readonly<Record<string, string>>
  readonly passes: () => boolean
}

const checks = new AsyncLocalStorage<Check>()

/** Makes a request of which nothing is sent without passing the check; it fails with `NotPassed` otherwise. */
export const within = (check: Check, request: () => Promise<unknown>): Promise<unknown> =>
  checks.run(check, request)

/** A fetch function that makes the checks. */
export const checked =
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    const check = checks.getStore()
    if (check === undefined) return fetch(url, init)
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(check.headers())) headers.set(name, value)
    if (!check.passes()) throw new NotPassed("the request did not pass its last check")
    return fetch(url, { ...init, headers })
  }
