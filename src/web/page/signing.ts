import { send } from "./client.ts"
import { Problem } from "./Problem.ts"
import { forget } from "./query.ts"
import { type Session, session } from "./session.ts"

const PATH = "/v1/dashboard/session"

/** Asks who is signed in. */
export const resume = async (): Promise<void> => {
  try {
    const told: Session = await (await send("GET", PATH)).json()
    session.set({ state: "in", session: told })
  } catch (fault) {
    const problem = Problem.of(fault)
    if (problem.status !== 401) session.set({ state: "failed", message: problem.message })
  }
}

/** Trades a token for a session; refusals are thrown. */
export const signIn = async (token: string): Promise<void> => {
  await send("POST", PATH, { payload: { token } })
  await resume()
}

/** Ends the session, here and on the server. */
export const signOut = async (): Promise<void> => {
  await send("DELETE", PATH).catch(() => undefined)
  forget()
  session.set({ state: "out", expired: false })
}
