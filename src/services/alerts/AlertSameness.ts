// Decides which requests are the same alert: by their Idempotency-Key, by the sender's own id, or by a time within a
// short span. `Journal.judge` decides what a repeat or a key with another body becomes.
import type { Identity } from "../../domain/Account.ts"
import type { AlertRequest, AlertSource } from "../../domain/alert/AlertBody.ts"
import { joined } from "../internal/Digest.ts"
import type { Sameness } from "../Journal.ts"

/** How long a repeat is recognised (ms): of an alert with an id or key, and of one that carries only a time. */
const NAMED_MS = 24 * 60 * 60 * 1000
const TIMED_MS = 20 * 1000

/** The parts of a request that tell whether it is a repeat. `key` is its Idempotency-Key, if any. */
interface Named {
  readonly post: Pick<AlertSource, "body" | "query">
  readonly key: string | undefined
  readonly digest: (text: string) => string
}

/** The alert's idempotency key; undefined where every sending is an alert of its own. */
export const samenessOf = (
  { token }: Identity,
  { id, instruction: { signalId }, timed }: AlertRequest,
  { digest, key, post }: Named
): Sameness | undefined => {
  if (key === undefined && id === undefined && !timed) return undefined
  const body = digest(
    joined(typeof post.body === "string" ? post.body : JSON.stringify(post.body), post.query)
  )
  const [whose, which] = [String(token), String(signalId)]
  if (key !== undefined)
    return { key: digest(joined("key", whose, key)), body, spanMs: NAMED_MS, onOtherBody: "refuse" }
  if (id !== undefined)
    return { key: digest(joined("id", whose, which, id)), body, spanMs: NAMED_MS, onOtherBody: "warn" }
  return { key: digest(joined("time", whose, which, body)), body, spanMs: TIMED_MS, onOtherBody: "warn" }
}
