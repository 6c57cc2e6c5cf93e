import { store } from "./store.ts"
import type { Answer } from "./wire.ts"

/** Who is signed in, and to what. */
export type Session = Answer<"sessions", "begin">

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
