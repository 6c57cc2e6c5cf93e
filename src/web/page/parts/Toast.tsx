// Short messages that disappear, and notices that stay. Both are announced to screen readers.
import type { ComponentChildren } from "preact"
import { after } from "../clock.ts"
import { store } from "../shared.ts"
import { useStore } from "../store.ts"

interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: "good" | "bad"
}

const SHOWN_MS = 5_000
const toasts = store<ReadonlyArray<Toast>>([])
let last = 0

/** Shows a message for a few seconds. */
export const toast = (text: string, tone: Toast["tone"] = "good"): void => {
  last += 1
  const id = last
  toasts.set([...toasts.get().slice(-2), { id, text, tone }])
  after(tone === "bad" ? 2 * SHOWN_MS : SHOWN_MS, () => dismiss(id))
}

const dismiss = (id: number) => toasts.set(toasts.get().filter((it) => it.id !== id))

/** The place where toasts appear: once, in the layout. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {useStore(toasts).map(({ id, text, tone }) => (
      <p key={id} class={`toast ${tone}`}>
        {text}
        <button type="button" class="close" aria-label="Dismiss" onClick={() => dismiss(id)}>
          ×
        </button>
      </p>
    ))}
  </div>
)

/** A notice within a page. */
export const Notice = ({
  tone = "plain",
  children
}: {
  tone?: "plain" | "good" | "warn" | "bad"
  children: ComponentChildren
}) => (
  <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : "note"}>
    {children}
  </div>
)
