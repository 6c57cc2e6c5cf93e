// The port of dashboard sessions, with its in-memory layer. A session lives no longer than the token that it began
// with. How long one lasts: `domain/Session`.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type Identity, SessionId } from "../domain/Account.ts"
import { endOf, isAlive, type Kept, MAX_SESSIONS, NOTED_SECONDS, type Session } from "../domain/Session.ts"
import { Accounts } from "./Accounts.ts"
import { MemoryState, nowSeconds } from "./records/MemoryState.ts"

/**
 * The sessions of the dashboard. A port. A session is bound to the token it began with, and ends when that token
 * expires or is revoked by anybody. Only the SHA-256 of its secret is stored, so the secret is seen once, in the answer
 * to `begin`.
 *
 * **An implementation keeps**
 *
 * - Secrets: 256 bits of the platform's randomness; a malformed or unknown one is a none.
 * - Time: a session ends to the second: with its token, after `MAX_AGE_SECONDS`, or after `MAX_IDLE_SECONDS` without a
 *   use. `get` is no use.
 * - Bounds: an account has at most `MAX_SESSIONS`; one more ends its oldest, and no other account's.
 * - Repeats: ending an ended session is harmless.
 *
 * **Proved by** `SessionsContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Sessions extends Context.Tag("signalbox/services/Sessions")<
  Sessions,
  {
    /** Signs in the bearer of a token. Beyond `MAX_SESSIONS` of the account, its oldest session ends. */
    readonly begin: (
      bearer: Identity
    ) => Effect.Effect<{ readonly session: Session; readonly secret: Redacted.Redacted }>
    /**
     * Returns the session of a secret; none where the secret is malformed or unknown, or the session has ended. Records
     * the use.
     */
    readonly use: (secret: string) => Effect.Effect<Option.Option<Session>>
    /** Returns a session by its id, without recording a use. */
    readonly get: (id: SessionId) => Effect.Effect<Option.Option<Session>>
    /** Ends a session. Ending an ended one is harmless. */
    readonly end: (id: SessionId) => Effect.Effect<void>
  }
>() {
  /** Stores the secrets themselves, since they end with the process. */
  static readonly layerMemory = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { nextId } = yield* MemoryState
      const sessions = new Map<string, Omit<Kept, "tokenExpiresAt">>()

      const tokenOf = (id: number) =>
        Effect.map(accounts.tokens, (tokens) =>
          tokens.find((token) => token.id === id && Option.isNone(token.revokedAt))
        )
      const alive = Effect.fnUntraced(function* (secret: string) {
        const found = sessions.get(secret)
        const token = found === undefined ? undefined : yield* tokenOf(found.token)
        if (found === undefined || token === undefined) return Option.none<Kept>()
        const kept = { ...found, tokenExpiresAt: Option.getOrNull(token.expiresAt) }
        return isAlive(kept, bothAt(yield* nowSeconds)) ? Option.some(kept) : Option.none()
      })
      const secretOf = (id: SessionId) => [...sessions].find(([, session]) => session.id === id)?.[0] ?? ""

      return Sessions.of({
        begin: Effect.fn("Sessions.begin")(function* ({ account, token }) {
          const now = yield* nowSeconds
          const secret = drawSecret()
          const bound = yield* tokenOf(token)
          const expiresAt = endOf(bothAt(now), bound === undefined ? null : Option.getOrNull(bound.expiresAt))
          const session = { id: SessionId.make(nextId("sessions")), account, token, expiresAt }
          const own = [...sessions].filter(([, { account: whose }]) => whose === account)
          for (const [oldest] of own.slice(0, Math.max(0, own.length + 1 - MAX_SESSIONS)))
            sessions.delete(oldest)
          sessions.set(secret, { ...session, lastUsedAt: now })
          return { session, secret: Redacted.make(secret) }
        }),
        use: Effect.fn("Sessions.use")(function* (secret) {
          const found = yield* alive(secret)
          const now = yield* nowSeconds
          if (Option.isSome(found) && now - found.value.lastUsedAt >= NOTED_SECONDS)
            sessions.set(secret, { ...found.value, lastUsedAt: now })
          return Option.map(found, shown)
        }),
        get: Effect.fn("Sessions.get")((id) => Effect.map(alive(secretOf(id)), Option.map(shown))),
        end: Effect.fn("Sessions.end")((id) => Effect.sync(() => void sessions.delete(secretOf(id))))
      })
    })
  )
}

/** In memory, sessions and tokens share one clock: the embedder's. */
const bothAt = (now: number) => ({ ours: now, tokens: now })

const SECRET_BYTES = 32

/** 256 bits of the platform's randomness. */
export const drawSecret = (): string =>
  Encoding.encodeBase64Url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))

/** A session without its stored details. */
export const shown = ({ account, expiresAt, id, token }: Kept): Session => ({ id, account, token, expiresAt })
