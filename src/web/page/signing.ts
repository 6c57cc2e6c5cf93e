// Signing in and out. Both clear cached responses, so that no user sees another's data.
import { call } from "./client.ts"
import { agree } from "./clock.ts"
import { Problem } from "./Problem.ts"
import { forget } from "./query.ts"
import { type Session, session, signedOut } from "./session.ts"

/** Asks the server who is signed in. */
export const resume = async (): Promise<void> => {
  try {
    const shown = await call("sessions", "show")
    if (shown.account === null) signedOut()
    else enter(shown)
  } catch (fault) {
    const problem = Problem.of(fault)
    // A user who is signed in stays so while the server is unreachable.
    if (problem.status !== 401 && session.get().state !== "in")
      session.set({ state: "failed", message: problem.message })
  }
}

const enter = (found: Session): void => {
  agree(found.now)
  session.set({ state: "in", session: found })
}

/** Exchanges a token for a session; throws a rejection. */
export const signIn = async (token: string): Promise<void> => {
  const response = await call("sessions", "begin", { payload: { token } })
  forget()
  enter(response)
}

/** Ends the session, here and on the server. */
export const signOut = async (): Promise<void> => {
  await call("sessions", "end").catch(() => undefined)
  leave()
}

/** Ends the session here. */
export const leave = (): void => {
  forget()
  session.set({ state: "out", expired: false })
}
