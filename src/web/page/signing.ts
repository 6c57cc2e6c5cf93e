import { call } from "./client.ts"
import { Problem } from "./Problem.ts"
import { forget } from "./query.ts"
import { session } from "./session.ts"

/** Asks who is signed in. */
export const resume = async (): Promise<void> => {
  try {
    session.set({ state: "in", session: await call("sessions", "show") })
  } catch (fault) {
    const problem = Problem.of(fault)
    // Who is in the middle of something is not thrown out because the server was away for a moment.
    if (problem.status !== 401 && session.get().state !== "in")
      session.set({ state: "failed", message: problem.message })
  }
}

/** Trades a token for a session; refusals are thrown. */
export const signIn = async (token: string): Promise<void> => {
  const begun = await call("sessions", "begin", { payload: { token } })
  forget()
  session.set({ state: "in", session: begun })
}

/** Ends the session, here and on the server. */
export const signOut = async (): Promise<void> => {
  await call("sessions", "end").catch(() => undefined)
  leave()
}

/** The session is over, and whoever ended it knows: here too. */
export const leave = (): void => {
  forget()
  session.set({ state: "out", expired: false })
}
