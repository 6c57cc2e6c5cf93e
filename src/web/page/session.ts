// The session of the dashboard, shared by the whole page: whether somebody is signed in.
import { store } from "./shared.ts"
import type { Answer } from "./wire.ts"

/** The session of the signed-in user. */
export type Session = Answer<"sessions", "begin">

/** What is known where nobody is signed in. */
export interface SignedOut {
  /** The server has no account yet: a code from the terminal makes the first one. */
  readonly unclaimed?: boolean
  /** The code of the link that was opened. */
  readonly code?: string
  /** The link that was opened did not count. */
  readonly isRefused?: boolean
}

/** `asking` until the first response; `failed` if there was none. */
export type State =
  | { readonly state: "asking" }
  | ({ readonly state: "out"; readonly expired: boolean } & SignedOut)
  | { readonly state: "in"; readonly session: Session }
  | { readonly state: "failed"; readonly message: string }

export const session = store<State>({ state: "asking" })

/** Records that the session has ended; the user is asked to sign in and returns to the same page. */
export const signedOut = (): void => {
  const { state } = session.get()
  if (state !== "out") session.set({ state: "out", expired: state === "in" })
}
