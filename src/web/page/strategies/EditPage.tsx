// Creates and edits strategies. Unsaved input is guarded, and an edit sends only what changed.
import { useMemo, useRef, useState } from "preact/hooks"
import type { TemplateKey } from "../../../domain/requests/StrategyTemplates.ts"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { focusFirstError } from "../parts/Field.tsx"
import { useLeaving } from "../parts/Leaving.tsx"
import { PageHead } from "../parts/PageHead.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { toast } from "../parts/Toast.tsx"
import { useQuery } from "../query.ts"
import { go } from "../router.ts"
import { href } from "../routes.ts"
import { BLANK } from "./blank.ts"
import { carried } from "./carried.ts"
import { Editor } from "./Editor.tsx"
import { ErrorSummary } from "./ErrorSummary.tsx"
import { useEditing } from "./editing.ts"
import { bodyOf, changesOf, type Form, formOf, withText } from "./form.ts"
import { named } from "./pairs.ts"
import { startFrom } from "./templates/starting.ts"
import { TemplateChoice } from "./templates/TemplateChoice.tsx"

const board = (id: number) => (signal: AbortSignal) => call("dashboard", "strategy", { path: { id }, signal })

/** What a new strategy starts with: a copy, or a signal and a template. */
interface Beginning {
  readonly copyOf: number | undefined
  readonly signal: number | undefined
  readonly template: TemplateKey | undefined
}

/** Creates a strategy, from blank settings, a template or a copy. */
export const Create = ({ copyOf, signal, template }: Beginning) => {
  const query = useQuery(copyOf === undefined ? null : `strategy ${copyOf}`, board(copyOf ?? 0))
  if (copyOf === undefined) {
    const blank = signal === undefined ? BLANK : withText(BLANK, "signal_id", `${signal}`)
    return (
      <New
        initial={template === undefined ? blank : startFrom(blank, template)}
        template={template}
        gallery={href("strategies", ["templates"], { signal })}
      />
    )
  }
  return (
    <Loaded query={query}>
      {({ strategy }) => <New initial={copied(formOf(strategy))} title={`Copy of ${strategy.name}`} />}
    </Loaded>
  )
}

const copied = (form: Form): Form => ({
  ...withText(form, "name", `${[...(form.texts.name ?? "")].slice(0, 245).join("")} (copy)`),
  on: { ...form.on, active: false, public: false }
})

const New = ({ initial, title = "New strategy", template, gallery }: NewProps) => {
  // The idempotency key: saving again after a lost response creates no second strategy.
  const key = useMemo(() => crypto.randomUUID(), [])
  return (
    <Page
      title={title}
      lead="You can change everything later, also while positions are open."
      initial={initial}
      gallery={gallery}
      template={template}
      action="Create strategy"
      back={href("strategies")}
      save={async (form) => {
        const payload = bodyOf(form)
        const body = JSON.stringify(payload)
        const headers = { "idempotency-key": `${key}-${hashOf(body)}` }
        const made = await call("strategies", "create", { payload, headers })
        toast(`${made.name} was created.`)
        return href("strategy", [made.strategy_id])
      }}
    />
  )
}

interface NewProps {
  readonly initial: Form
  readonly title?: string
  readonly template?: TemplateKey | undefined
  /** The address of the gallery; absent where there is no template to choose. */
  readonly gallery?: string
}

/** A changed body needs a changed key. */
const hashOf = (text: string): string => {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0
  return hash.toString(36)
}

/** Edits a stored strategy. */
export const Edit = ({ id }: { id: number }) => {
  const query = useQuery(`strategy ${id}`, board(id))
  // Keep the first response: a newer one must not overwrite what is being typed.
  const first = useRef<typeof query.data>()
  first.current ??= query.at > 0 && !query.loading ? query.data : undefined
  const shown = first.current
  const [changed] = useState(() => carried(id))
  return (
    <Loaded query={{ ...query, data: shown }}>
      {({ is_own, strategy, trading }) => {
        if (!is_own)
          return <Empty title="This strategy belongs to another account: only its owner can change it." />
        const before = formOf(strategy)
        return (
          <Page
            title={`Edit ${strategy.name}`}
            lead={
              trading.mode === "paper"
                ? "New settings apply to open positions at once."
                : "It trades with real money: new settings apply to its open positions at once."
            }
            initial={before}
            changed={changed}
            before={before}
            action="Save changes"
            back={href("strategy", [id])}
            save={async (form) => {
              const payload = changesOf(form, before)
              if (Object.keys(payload).length > 0)
                await call("strategies", "update", { path: { id }, payload })
              toast(`${form.texts.name} was saved.`)
              return href("strategy", [id])
            }}
          />
        )
      }}
    </Loaded>
  )
}

interface Props {
  readonly title: string
  readonly lead: string
  readonly initial: Form
  /** The form with changes that were made elsewhere, and are not saved. */
  readonly changed?: Form | undefined
  /** The stored strategy, when editing. */
  readonly before?: Form
  /** The address of the templates' gallery, and the template that the form was filled with. */
  readonly gallery?: string | undefined
  readonly template?: TemplateKey | undefined
  readonly action: string
  readonly back: string
  /** Saves the form; returns the URL to go to. */
  readonly save: (form: Form) => Promise<string>
}

const Page = ({ title, lead, initial, changed, before, gallery, template, action, back, save }: Props) => {
  const [began] = useState(initial)
  const [chosen, setChosen] = useState(template)
  const { form, setForm, errors, attempt, refuse } = useEditing(changed ?? began, before)
  const [problem, setProblem] = useState<Problem>()
  const [summary, setSummary] = useState(false)
  const [busy, setBusy] = useState(false)
  const place = useRef<HTMLFormElement>(null)
  const isDirty = Object.keys(changesOf(form, began)).length > 0
  const leaving = useLeaving(isDirty && !busy)

  const submit = async () => {
    setProblem(undefined)
    setSummary(true)
    if (!attempt()) return focusFirstError(place.current)
    setBusy(true)
    try {
      const next = await save(form)
      leaving.release()
      go(next)
    } catch (fault) {
      const refused = Problem.of(fault)
      setBusy(false)
      setProblem(refused)
      const { exchanges = [], ...others } = refused.errors
      const places = exchanges.map((text) => named(text, form.exchanges))
      refuse(places.length === 0 ? others : { ...others, exchanges: places })
      focusFirstError(place.current)
    }
  }

  return (
    <>
      <PageHead title={title} lead={lead} />
      <form
        class="form strategy-form"
        aria-label={title}
        ref={place}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {summary ? <ErrorSummary errors={errors} problem={problem} form={place.current} /> : null}
        {gallery === undefined ? null : (
          <TemplateChoice
            chosen={chosen}
            gallery={gallery}
            onChoose={(key) => {
              setChosen(key)
              setForm(startFrom(form, key))
            }}
          />
        )}
        <Editor form={form} onForm={setForm} errors={errors} />
        <div class="save-bar">
          <span class="quiet" role="status">
            {isDirty ? "Unsaved" : ""}
          </span>
          <a class="button" href={back}>
            Cancel
          </a>
          <button type="submit" class="button primary" disabled={busy}>
            {action}
          </button>
        </div>
      </form>
      {leaving.question}
    </>
  )
}
