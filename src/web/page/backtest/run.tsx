// Runs one back-test at a time. Leaving the page or pressing Stop ends it, on the server too.
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
  /** Runs a back-test; returns its rejection, if any. */
  readonly start: (payload: Request<"backtests", "run">["payload"]) => Promise<Problem | undefined>
  /** Stops the running back-test, on the server too. */
  readonly stop: () => void
  /** Forgets a rejection. */
  readonly forget: () => void
}

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

/** The request's approximate size: mostly files, whose line ends take an extra byte in JSON. */
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
    "The files exceed 32 MB in all: choose fewer days or longer candles, or use the command signalbox backtest."
  )

/** The elapsed time of a back-test. */
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
