import type { EventView } from "../../api/Events.ts"
import { after, reached } from "./clock.ts"
import { store } from "./store.ts"

/** An event as the stream tells it. */
export type Happening = typeof EventView.Encoded

/** Whether events arrive: `live`, `waiting` while it connects again, `off` where nobody is signed in. */
export const liveness = store<"live" | "waiting" | "off">("off")

/** How soon it comes again after it was refused: later and later. */
const AGAIN_MS = 5_000
const MOST_AGAIN_MS = 60_000
/** A page that nobody has looked at for this long gives its stream back: an account has only a few. */
const HIDDEN_MS = 60_000

const listeners = new Set<(event: Happening) => void>()
/** The stream of this page, and how far it was read, or where it begins: what happened since then is never missed. */
let source: EventSource | undefined
let position = ""
let refusals = 0
let callOff = () => {}
let onReturn = () => {}

/** Calls back with every event from now on. */
export const onEvent = (listener: (event: Happening) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Follows the account's events from a position until it is stopped; what is missed in between comes later. `returned`
 * is called when the server answers again or refuses: it may be another by then, or no longer know us.
 */
export const follow = (returned: () => void, from: string): (() => void) => {
  onReturn = returned
  position = from
  const seen = () => {
    callOff()
    if (document.visibilityState === "hidden") callOff = after(HIDDEN_MS, close)
    else if (source === undefined) open()
  }
  document.addEventListener("visibilitychange", seen)
  open()
  return () => {
    document.removeEventListener("visibilitychange", seen)
    callOff()
    close()
    refusals = 0
    liveness.set("off")
  }
}

const open = (): void => {
  close()
  liveness.set("waiting")
  const opened = new EventSource(`/v1/events?last_event_id=${encodeURIComponent(position)}`)
  let opens = 0
  source = opened
  opened.onopen = () => {
    refusals = 0
    opens += 1
    if (opens > 1) onReturn()
    liveness.set("live")
  }
  opened.onerror = () => {
    liveness.set("waiting")
    // The browser comes again by itself unless it was refused: then we do, from where we were.
    if (opened.readyState !== EventSource.CLOSED) return
    close()
    callOff = after(Math.min(MOST_AGAIN_MS, AGAIN_MS * 2 ** refusals), open)
    refusals += 1
    onReturn()
  }
  for (const kind of __KINDS__) {
    opened.addEventListener(kind, (message) => {
      position = message.lastEventId
      const event: Happening = JSON.parse(message.data)
      reached(event.at)
      for (const listener of [...listeners]) listener(event)
    })
  }
}

const close = (): void => {
  source?.close()
  source = undefined
}
