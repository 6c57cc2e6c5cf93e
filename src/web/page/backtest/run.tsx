import { useEffect, useRef, useState } from "preact/hooks"
import { call } from "../client.ts"
import { every, now } from "../clock.ts"
import { Problem } from "../Problem.ts"
import * as Format from "../parts/format.ts"
import type { Request } from "../wire.ts"
import { MOST_BYTES } from "./files.ts"
import type { Result } from "./setup.ts"

type State =
  | { readonly at: "idle" | "stopped" }
  | { readonly at: "running"; readonly since: number }
  | { readonly at: "done"; readonly result: Result }
  | { readonly at: "failed"; readonly problem: Problem }

export interface Run {
  readonly state: State
  /** Runs one; what it was refused for, if it was. */
  readonly start: (payload: Request<"backtests", "run">["payload"]) => Promise<Problem | undefined>
  /** Ends the one that runs, on the server too. */
  readonly stop: () => void
  /** Forgets a refusal. */
  readonly forget: () => void
}

/** One back-test at a time; it ends with the page. */
export const useRun = (): Run => {
  const [state, setState] = useState<State>({ at: "idle" })
  const control = useRef<AbortController>()
  useEffect(() => () => control.current?.abort(), [])

  const start: Run["start"] = async (payload) => {
    const mine = new AbortController()
    control.current = mine
    setState({ at: "running", since: now() })
    try {
      if (sizeOf(payload) > MOST_BYTES) throw tooLarge()
      const result = await call("backtests", "run", { payload, signal: mine.signal })
      if (!mine.signal.aborted) setState({ at: "done", result })
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
  const forget = () => {
    if (state.at === "failed" || state.at === "stopped") setState({ at: "idle" })
  }
  return { state, start, stop, forget }
}

/** About what the request will have: files are nearly all of it, and each of their lines takes a byte more. */
const sizeOf = ({ alerts, candles }: Request<"backtests", "run">["payload"]): number =>
  [
    ...candles.map((one) => ("csv" in one ? one.csv : "")),
    alerts !== undefined && "text" in alerts ? alerts.text : ""
  ]
    .map((text) => text.length)
    .reduce((sum, length) => sum + length * 1.02, 0)

const tooLarge = () =>
  new Problem(
    0,
    "too_large",
    "The files are larger than 32 MB together: take fewer days or longer candles, or use signalbox backtest."
  )

/** How long it has been running. */
export const Elapsed = ({ since }: { since: number }) => {
  const [, draw] = useState({})
  useEffect(() => every(1000, () => draw({})), [])
  return (
    <span class="running">
      <span class="spinner" aria-hidden="true" />
      Running for {Format.duration((now() - since) / 1000)}, at most a minute
    </span>
  )
}
