// The operator's button that refreshes the lists of markets, with what became of it for each exchange.
import { useEffect, useRef, useState } from "preact/hooks"
import { call } from "../client.ts"
import { now } from "../clock.ts"
import { Problem } from "../Problem.ts"
import { Notice, toast } from "../parts/Toast.tsx"
import { Time } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { failuresOf, isBusy, mayAsk, progressText, type Refresh } from "./refreshes.ts"

/** How often the page looks while a refresh runs, and otherwise. */
const BUSY_MS = 2_000
const IDLE_MS = 15_000

/** Refreshes of markets on a server that has them. */
export interface RefreshControl {
  readonly of: (exchange: string) => Refresh | undefined
  readonly all: ReadonlyArray<Refresh>
  /** Begins a refresh of one exchange, or of all. */
  readonly begin: (exchange?: Refresh["exchange"]) => Promise<void>
}

/** Undefined for anybody but the operator, and on a server that refreshes nothing. `ended` is called after each end. */
export const useRefreshes = (operator: boolean, ended: () => void): RefreshControl | undefined => {
  const [busy, setBusy] = useState(false)
  const { data, refetch } = useQuery(
    operator ? "market refreshes" : null,
    (signal) => call("operator", "refreshes", { signal }),
    { everyMs: busy ? BUSY_MS : IDLE_MS }
  )
  const isRunning = isBusy(data)
  const before = useRef(isRunning)
  useEffect(() => {
    setBusy(isRunning)
    if (before.current && !isRunning) ended()
    before.current = isRunning
  }, [isRunning])
  if (data?.is_on !== true) return undefined
  const begin = async (exchange?: Refresh["exchange"]) => {
    try {
      await call("operator", "refresh", { payload: exchange === undefined ? {} : { exchange } })
      setBusy(true)
      refetch()
    } catch (fault) {
      toast(Problem.of(fault).message, "bad")
    }
  }
  return { of: (name) => data.data.find(({ exchange }) => exchange === name), all: data.data, begin }
}

/** Refreshes one exchange; disabled while it may not be asked. */
export const RefreshButton = ({ name, control }: { name: Refresh["exchange"]; control: RefreshControl }) => {
  const state = control.of(name)
  const may = mayAsk(state, now() / 1000)
  return (
    <>
      <button type="button" class="button small" disabled={!may} onClick={() => control.begin(name)}>
        {state?.stage === "running" || state?.stage === "waiting" ? "Asking…" : "Refresh now"}
        <span class="hidden-words"> the markets of {name}</span>
      </button>
      {may ||
      state === undefined ||
      state.not_before === null ||
      isBusy({ is_on: true, data: [state] }) ? null : (
        <span class="under">
          again <Time at={state.not_before} relative />
        </span>
      )}
    </>
  )
}

/** Refreshes every exchange that may be asked. */
export const RefreshAll = ({ exchanges, control }: AllProps) => (
  <button
    type="button"
    class="button"
    disabled={!exchanges.some((name) => mayAsk(control.of(name), now() / 1000))}
    onClick={() => control.begin()}
  >
    Refresh all markets now
  </button>
)

interface AllProps {
  readonly exchanges: ReadonlyArray<string>
  readonly control: RefreshControl
}

/** The progress of all refreshes, and why some failed. */
export const RefreshResult = ({ control }: { control: RefreshControl }) => {
  const progress = progressText(control.all)
  return (
    <div role="status" class="told form">
      {progress === "" ? null : <p class="explain">{progress}</p>}
      {failuresOf(control.all).map(({ at, exchanges, reason }) => (
        <Notice key={reason} tone="bad">
          Not refreshed, <Time at={at} relative />: {exchanges.join(", ")}. The reason: {reason}. Their lists
          stay as they were.
        </Notice>
      ))}
    </div>
  )
}
