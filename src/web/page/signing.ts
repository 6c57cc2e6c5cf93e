// Signing in and out. Both clear cached responses, so that no user sees another's data.
import { call } from "./client.ts"
import { agree } from "./clock.ts"
import { Problem } from "./Problem.ts"
import { forget } from "./query.ts"
import { type Session, session, signedOut } from "./session.ts"
import type { Request } from "./wire.ts"

/** Asks the server who is signed in. */
export const resume = (): Promise<void> => lookUp()

/** `code` is that of the link that was opened, if any. */
const lookUp = async (code?: string): Promise<void> => {
  try {
    const shown = await call("sessions", "show")
    if (shown.account !== null) enter(shown)
    else if (shown.unclaimed === true)
      session.set({ state: "out", expired: false, unclaimed: true, ...(code === undefined ? {} : { code }) })
    else signedOut()
  } catch (fault) {
    const problem = Problem.of(fault)
    // A user who is signed in stays so while the server is unreachable.
    if (problem.status !== 401 && session.get().state !== "in")
      session.set({ state: "failed", message: problem.message })
  }
}

/** Signs in by the link that was opened. Where there is no account yet, the form asks for its name first. */
export const arrive = async (code: string): Promise<void> => {
  // A browser that loads pages ahead must not use up the code.
  await seen()
  await lookUp(code)
  const before = session.get()
  if (before.state === "failed" || (before.state === "out" && before.unclaimed === true)) return
  try {
    await signIn({ code })
  } catch (fault) {
    const { message, status } = Problem.of(fault)
    // Whoever is signed in needs no link.
    if (before.state === "in") session.set(before)
    else if (status === 401) session.set({ state: "out", expired: false, isRefused: true })
    else session.set({ state: "failed", message })
  }
}

/** Resolves once the page is visible, which a page that is loaded ahead is not. */
const seen = (): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== "visible") return
      document.removeEventListener("visibilitychange", look)
      resolve()
    }
    document.addEventListener("visibilitychange", look)
    look()
  })

const enter = (found: Session): void => {
  agree(found.now)
  session.set({ state: "in", session: found })
}

/** A token, or a code from the terminal. */
type Proof = Request<"sessions", "begin">["payload"]

/** Exchanges a token or a code for a session; throws a rejection. */
export const signIn = async (payload: Proof): Promise<void> => {
  const response = await call("sessions", "begin", { payload })
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
