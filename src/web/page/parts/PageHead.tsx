// The headings of pages and panels, and figures with their names.
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"

/** A page's heading with its actions; it also sets the window's title. */
export const PageHead = ({
  title,
  window = title,
  children,
  lead
}: {
  title: string
  /** The window's title, if the heading alone does not tell pages apart. */
  window?: string
  lead?: ComponentChildren
  children?: ComponentChildren
}) => {
  useEffect(() => {
    document.title = `${window} · Signalbox`
  }, [window])
  return (
    <header class="page-head">
      <div>
        <h1>{title}</h1>
        {lead === undefined ? null : <p class="lead">{lead}</p>}
      </div>
      {children === undefined ? null : <div class="actions">{children}</div>}
    </header>
  )
}

/** A panel with a heading. */
export const Panel = ({
  title,
  children,
  actions
}: {
  title: string
  actions?: ComponentChildren
  children: ComponentChildren
}) => (
  <section class="panel" aria-label={title}>
    <div class="panel-head">
      <h2>{title}</h2>
      {actions === undefined ? null : <div class="actions">{actions}</div>}
    </div>
    {children}
  </section>
)

/** A named figure. */
export const Figure = ({
  label,
  children,
  note
}: {
  label: string
  note?: ComponentChildren
  children: ComponentChildren
}) => (
  <div class="figure">
    <dt>{label}</dt>
    <dd>
      <span class="figure-value">{children}</span>
      {note === undefined ? null : <span class="figure-note">{note}</span>}
    </dd>
  </div>
)

/** A row of figures. */
export const Figures = ({ children }: { children: ComponentChildren }) => <dl class="figures">{children}</dl>
