// Follows the server's download of candles, which only the operator may see.
import { useEffect, useRef, useState } from "preact/hooks"
import { call } from "../client.ts"
import { useQuery } from "../query.ts"

/** How often the page looks while a download runs, and otherwise. */
const BUSY_MS = 1_000
const IDLE_MS = 15_000

/** The operator's download, which is polled; `ended` is called after its end. */
export const useDownload = (operator: boolean, ended: () => void) => {
  const [busy, setBusy] = useState(false)
  const { data, refetch } = useQuery(
    operator ? "candle download" : null,
    (signal) => call("candles", "download", { signal }),
    { everyMs: busy ? BUSY_MS : IDLE_MS }
  )
  const last = data?.download ?? undefined
  const isRunning = last?.stage === "running"
  // A short download may begin and end between two looks: its end is told by its time.
  const end = data === undefined ? undefined : `${last?.began} ${last?.ended}`
  const before = useRef(end)
  useEffect(() => {
    setBusy(isRunning)
    if (before.current !== undefined && before.current !== end && !isRunning) ended()
    before.current = end
  }, [isRunning, end])
  return { last, isRunning, refetch }
}
