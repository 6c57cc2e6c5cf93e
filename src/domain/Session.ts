// Sessions of the dashboard: at most 30 days, 7 days without use, and never longer than the token they began with.
import type { AccountId, SessionId, TokenId } from "./Account.ts"

/** A user signed in to the dashboard with a token, until `expiresAt` at the latest (seconds since the epoch). */
export interface Session {
  readonly id: SessionId
  readonly account: AccountId
  readonly token: TokenId
  readonly expiresAt: number
}

const DAY = 86_400

/** The longest life of a session, in seconds. */
export const MAX_AGE_SECONDS = 30 * DAY
/** The longest time without use, in seconds. */
export const MAX_IDLE_SECONDS = 7 * DAY

/** Uses within this time (seconds) of the last recorded one are not recorded: a page sends many requests. */
export const NOTED_SECONDS = 3_600

/** The most sessions of an account; another one ends the oldest. */
export const MAX_SESSIONS = 20

/** A stored session and the expiry of its token. Times in seconds since the epoch. */
export interface Kept extends Session {
  readonly lastUsedAt: number
  readonly tokenExpiresAt: number | null
}

/**
 * The present time in seconds since the epoch: `ours` for people and sessions, `tokens` for tokens. In a replay
 * `tokens` is the replay's time, which runs faster.
 */
export interface Now {
  readonly ours: number
  readonly tokens: number
}

/** The end of a session that begins now with a token. */
export const endOf = ({ ours, tokens }: Now, tokenExpiresAt: number | null): number =>
  ours + Math.min(MAX_AGE_SECONDS, tokenExpiresAt === null ? MAX_AGE_SECONDS : tokenExpiresAt - tokens)

/** Whether a session is valid: not too old, not unused for too long, and its token not expired. */
export const isAlive = ({ expiresAt, lastUsedAt, tokenExpiresAt }: Kept, { ours, tokens }: Now): boolean =>
  ours < expiresAt &&
  ours < lastUsedAt + MAX_IDLE_SECONDS &&
  (tokenExpiresAt === null || tokens < tokenExpiresAt)

/** Whether a text has the shape of a session secret; anything else needs no look-up. */
export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)
