// Fetches data for components, caches it, and fetches it again on events, at intervals, and when the page becomes
// visible.
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { after, every, now } from "./clock.ts"
import { type Happening, onEvent } from "./live.ts"
import { Problem } from "./Problem.ts"
import { session } from "./session.ts"

/** The most responses to keep. */
const MOST_KEPT = 60
/** Events within this time cause one request. */
const BURST_MS = 250

/** Responses by key. A key determines the type of its value. */
const kept = new Map()

/** Forgets every response: the next user must not see them. */
export const forget = (): void => kept.clear()

export interface Query<A> {
  /** The last response, also while a newer one is fetched or has failed; undefined before the first. */
  readonly data: A | undefined
  /** Why the last request failed, if it did. */
  readonly problem: Problem | undefined
  readonly loading: boolean
  /** When `data` arrived, in ms since the epoch. */
  readonly at: number
  readonly refetch: () => void
}

export interface Options {
  /** Fetches again after an event for which this is true. */
  readonly on?: (event: Happening) => boolean
  /** Fetches again at this interval while the page is visible. */
  readonly everyMs?: number
  /** A response stays until it is fetched again by hand: it takes the server long. */
  readonly once?: boolean
}

/** The response of `ask`. A cached one is shown at once, then fetched again. A null key asks nothing. */
export const useQuery = <A>(
  key: string | null,
  ask: (signal: AbortSignal) => Promise<A>,
  options: Options = {}
): Query<A> => {
  const [, draw] = useState({})
  const latest = useRef({ ask, options })
  latest.current = { ask, options }
  const state = useRef<State<A>>(initial(null))
  if (state.current.key !== key) state.current = initial(key)

  // A layout effect starts the request before the first paint.
  useLayoutEffect(() => {
    if (key === null) return
    const mine = state.current
    let running: AbortController | undefined
    let again = false
    let waiting = false
    let callOff = () => {}
    const fetchNow = async () => {
      running?.abort()
      const control = new AbortController()
      running = control
      mine.loading = true
      draw({})
      try {
        const data = await latest.current.ask(control.signal)
        if (control.signal.aborted) return
        mine.data = data
        mine.problem = undefined
        mine.at = now()
        keep(key, { data, at: mine.at })
      } catch (fault) {
        if (control.signal.aborted) return
        mine.problem = Problem.of(fault)
      }
      mine.loading = false
      running = undefined
      draw({})
      if (again) soon()
      again = false
    }
    const soon = () => {
      if (waiting) return
      waiting = true
      callOff = after(BURST_MS, () => {
        waiting = false
        // A running request may have missed this event: fetch once more after it.
        if (running === undefined) fetchNow()
        else again = true
      })
    }
    // Ask nothing while signed out, and continue after signing in.
    const visible = () => document.visibilityState === "visible" && session.get().state === "in"
    const { everyMs, once } = latest.current.options
    const isKept = () => once === true && (mine.data !== undefined || running !== undefined)
    const seen = () => !isKept() && visible() && soon()
    mine.refetch = fetchNow
    if (isKept()) {
      mine.loading = false
      draw({})
    } else fetchNow()
    document.addEventListener("visibilitychange", seen)
    const offSession = session.subscribe(seen)
    const offEvents = onEvent((event) => latest.current.options.on?.(event) === true && soon())
    const offTimer =
      everyMs === undefined ? () => {} : every(everyMs, () => visible() && !running && fetchNow())
    return () => {
      callOff()
      running?.abort()
      offSession()
      offEvents()
      offTimer()
      document.removeEventListener("visibilitychange", seen)
    }
  }, [key, options.everyMs])

  const { at, data, loading, problem, refetch } = state.current
  return { at, data, loading, problem, refetch }
}

interface State<A> {
  readonly key: string | null
  data: A | undefined
  problem: Problem | undefined
  loading: boolean
  at: number
  refetch: () => void
}

const initial = <A>(key: string | null): State<A> => ({
  key,
  ...remembered<A>(key),
  problem: undefined,
  loading: key !== null,
  refetch: () => {}
})

const remembered = <A>(key: string | null): { data: A | undefined; at: number } =>
  kept.get(key) ?? { data: undefined, at: 0 }

const keep = (key: string, value: { readonly data: unknown; readonly at: number }): void => {
  kept.delete(key)
  kept.set(key, value)
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break
    kept.delete(oldest)
  }
}
