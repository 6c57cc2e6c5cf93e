// Tries one what-if at a time. Leaving the tab or pressing Stop ends it, on the server too.
import { useEffect, useRef, useState } from "preact/hooks"
import { call } from "../../client.ts"
import { now } from "../../clock.ts"
import { Problem } from "../../Problem.ts"
import type { Answer, Request } from "../../wire.ts"

type State =
  | { readonly at: "idle" | "stopped" }
  | { readonly at: "running"; readonly since: number }
  | { readonly at: "done"; readonly answer: Answer<"backtests", "whatIf"> }
  | { readonly at: "failed"; readonly problem: Problem }

export interface Attempt {
  readonly state: State
  /** Tries it; returns the rejection, if any. */
  readonly start: (payload: Request<"backtests", "whatIf">["payload"]) => Promise<Problem | undefined>
  readonly stop: () => void
}

export const useTry = (id: number): Attempt => {
  const [state, setState] = useState<State>({ at: "idle" })
  const control = useRef<AbortController>()
  useEffect(() => () => control.current?.abort(), [])

  const start: Attempt["start"] = async (payload) => {
    const mine = new AbortController()
    control.current = mine
    setState({ at: "running", since: now() })
    try {
      const answer = await call("backtests", "whatIf", { path: { id }, payload, signal: mine.signal })
      if (!mine.signal.aborted) setState({ at: "done", answer })
      return undefined
    } catch (fault) {
      if (mine.signal.aborted) return undefined
      const problem = Problem.of(fault)
      setState({ at: "failed", problem })
      return problem
    }
  }
  const stop = () => {
    control.current?.abort()
    setState({ at: "stopped" })
  }
  return { state, start, stop }
}
