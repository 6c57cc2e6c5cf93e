import type { AccountId, SessionId, TokenId } from "./Account.ts"

/** Somebody who is signed in to the dashboard with a token; at the latest until `expiresAt`, in seconds since the epoch. */
export interface Session {
  readonly id: SessionId
  readonly account: AccountId
  readonly token: TokenId
  readonly expiresAt: number
}

const DAY = 86_400

/** How long a session lasts at most, and how long one lasts that nobody uses, in seconds. */
export const MAX_AGE_SECONDS = 30 * DAY
/** For how long a session lasts without a use, in seconds. */
export const MAX_IDLE_SECONDS = 7 * DAY

/** Uses within this time of the last one that was noted are not noted: a page asks often. */
export const NOTED_SECONDS = 3_600

/** Sessions of one account; one more ends its oldest. */
export const MAX_SESSIONS = 20

/** What is kept of a session, with when its token ends. Times in seconds since the epoch. */
export interface Kept extends Session {
  readonly lastUsedAt: number
  readonly tokenExpiresAt: number | null
}

/**
 * What time it is, in seconds since the epoch: for people and their sessions, and for tokens. In a replay the second
 * is the replay's, which runs faster than life.
 */
export interface Now {
  readonly ours: number
  readonly tokens: number
}

/** The end of a session that begins now with a token. */
export const endOf = ({ ours, tokens }: Now, tokenExpiresAt: number | null): number =>
  ours + Math.min(MAX_AGE_SECONDS, tokenExpiresAt === null ? MAX_AGE_SECONDS : tokenExpiresAt - tokens)

/** Whether it still counts: not too old, not unused for too long, and its token has not expired. */
export const isAlive = ({ expiresAt, lastUsedAt, tokenExpiresAt }: Kept, { ours, tokens }: Now): boolean =>
  ours < expiresAt &&
  ours < lastUsedAt + MAX_IDLE_SECONDS &&
  (tokenExpiresAt === null || tokens < tokenExpiresAt)

/** Whether a text has the shape of one: anything else is no session, without a look-up. */
export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)
