import { store } from "./store.ts"

/** Who is signed in, as `GET /v1/dashboard/session` tells it. */
export interface Session {
  readonly account: string
  readonly token_id: number | string
  /** Whether what concerns the whole server may be seen and done. */
  readonly operator: boolean
  /** Seconds since the epoch. */
  readonly expires_at: number
  readonly version: string
  /** Where prices come from. */
  readonly prices: string
}

/** `asking` until the server told; `failed` where it could not be asked. */
export type State =
  | { readonly state: "asking" }
  | { readonly state: "out"; readonly expired: boolean }
  | { readonly state: "in"; readonly session: Session }
  | { readonly state: "failed"; readonly message: string }

export const session = store<State>({ state: "asking" })

/** The server no longer knows us: whoever looks at a page is asked to sign in, and comes back to it. */
export const signedOut = (): void => {
  const { state } = session.get()
  if (state !== "out") session.set({ state: "out", expired: state === "in" })
}
