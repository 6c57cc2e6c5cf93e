// Follows the server's event stream. The position of the last event is kept, so that no event is missed between
// connections.
import type { EventView } from "../../api/Events.ts"
import { after, reached } from "./clock.ts"
import { store } from "./shared.ts"

/** An event of the stream. */
export type Happening = typeof EventView.Encoded

/** `live` while connected, `waiting` while reconnecting, `off` while signed out. */
export const liveness = store<"live" | "waiting" | "off">("off")

/** The delay after a refused connection; it doubles each time. */
const AGAIN_MS = 5_000
const MOST_AGAIN_MS = 60_000
/** A page hidden for this long closes its stream, because an account may have only a few. */
const HIDDEN_MS = 60_000

const listeners = new Set<(event: Happening) => void>()
/** The page's stream, and the position of the last event read. */
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
 * Follows events from a position until it is stopped. `returned` is called when the server answers or refuses after a
 * break: it may have restarted, or ended the session.
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
    // The browser reconnects by itself, except after a refusal: then reconnect here, from the last position.
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
