// Tabs with arrow-key navigation. The page owns which tab is shown, best in the URL (`setQuery`).
import type { ComponentChildren } from "preact"
import { useId, useRef } from "preact/hooks"

interface Props<Key extends string> {
  readonly label: string
  readonly tabs: ReadonlyArray<{ readonly key: Key; readonly title: string }>
  readonly shown: Key
  readonly onShow: (key: Key) => void
  /** The content of the selected tab. */
  readonly children: ComponentChildren
}

export const Tabs = <Key extends string>({ label, tabs, shown, onShow, children }: Props<Key>) => {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
    if (step === 0) return
    const at = (tabs.findIndex(({ key }) => key === shown) + step + tabs.length) % tabs.length
    const next = tabs[at]
    if (next === undefined) return
    event.preventDefault()
    onShow(next.key)
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[at]?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(({ key, title }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === shown}
            aria-controls={`${id}-panel`}
            tabIndex={key === shown ? 0 : -1}
            onClick={() => onShow(key)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown}`}>
        {children}
      </div>
    </>
  )
}
