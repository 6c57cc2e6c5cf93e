import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { after, every, now } from "./clock.ts"
import { type Happening, onEvent } from "./live.ts"
import { Problem } from "./Problem.ts"
import { session } from "./session.ts"

/** Answers that are kept to be shown at once when a page is opened again. */
const MOST_KEPT = 60
/** Events that come in a burst cause one request. */
const BURST_MS = 250

/** Answers by key, each with the time it came. A key names what it holds: whoever asks under it expects that type. */
const kept = new Map()

/** Forgets every answer, as nobody else may see them. */
export const forget = (): void => kept.clear()

export interface Query<A> {
  /** The last answer, also while a newer one is fetched or could not be; undefined before the first. */
  readonly data: A | undefined
  /** Why the last request failed; undefined where it did not. */
  readonly problem: Problem | undefined
  readonly loading: boolean
  /** When `data` came, in ms since the epoch. */
  readonly at: number
  readonly refetch: () => void
}

export interface Options {
  /** Fetches again after an event that this holds for. */
  readonly on?: (event: Happening) => boolean
  /** Fetches again every so often while the page is visible. */
  readonly everyMs?: number
}

/**
 * What `ask` answers, kept under `key`: shown at once from the last time, then fetched again. A null key asks nothing.
 * It is fetched again on events, in intervals, and when the page comes back into view.
 */
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

  // At once, and not only after the next frame was painted.
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
        // What is under way may not know yet what has just happened.
        if (running === undefined) fetchNow()
        else again = true
      })
    }
    // Behind the sign-in nothing is asked; then it goes on.
    const visible = () => document.visibilityState === "visible" && session.get().state === "in"
    const seen = () => visible() && soon()
    mine.refetch = fetchNow
    fetchNow()
    document.addEventListener("visibilitychange", seen)
    const offSession = session.subscribe(seen)
    const offEvents = onEvent((event) => latest.current.options.on?.(event) === true && soon())
    const { everyMs } = latest.current.options
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
