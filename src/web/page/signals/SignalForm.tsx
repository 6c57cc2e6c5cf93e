// Creates and edits signals. Unsaved input is guarded.

import { useRef, useState } from "preact/hooks"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { focusFirstError, SwitchField, TextField } from "../parts/Field.tsx"
import { ProblemNotice } from "../parts/GuideLink.tsx"
import { useLeaving } from "../parts/Leaving.tsx"
import { PageHead, Panel } from "../parts/PageHead.tsx"
import { Loaded } from "../parts/States.tsx"
import { toast } from "../parts/Toast.tsx"
import { useQuery } from "../query.ts"
import { go } from "../router.ts"
import { href } from "../routes.ts"
import { draftOf, type Rule, type RuleDraft, ruleOf } from "./rule/draft.ts"
import { RuleFields } from "./rule/RuleFields.tsx"
import type { Signal } from "./signal.ts"

type Draft = Pick<Signal, "name" | "description" | "active" | "public"> & {
  readonly display_name: string | null
  readonly rule: RuleDraft | undefined
}

/** What a request sends of a draft. The rule is left out where it did not change. */
type Payload = Omit<Draft, "rule"> & { readonly rule?: Rule | null }

const NEW: Draft = {
  name: "",
  description: "",
  active: true,
  public: false,
  display_name: null,
  rule: undefined
}

export const NewSignal = () => (
  <>
    <PageHead title="New signal" lead="A named source of alerts. Strategies can follow it afterwards." />
    <Form
      initial={NEW}
      action="Create signal"
      cancel={href("signals")}
      save={async (payload) => {
        const { id, name } = await call("signals", "create", { payload })
        const next = payload.rule ? "let a strategy follow it" : "make a webhook address for it"
        toast(`${name} was created. Next, ${next}.`)
        go(href("signals", [id]))
      }}
    />
  </>
)

/** Edits a signal. */
export const EditSignal = ({ id }: { id: number }) => {
  const signal = useQuery(`signal ${id}`, (abort) =>
    call("records", "signal", { path: { id }, signal: abort })
  )
  return (
    <>
      <PageHead title={signal.data === undefined ? "Edit signal" : `Edit ${signal.data.name}`} />
      <Loaded query={signal}>
        {(found) => (
          <Form
            initial={{
              ...found,
              display_name: found.display_name ?? null,
              rule: found.rule === undefined ? undefined : draftOf(found.rule)
            }}
            action="Save"
            cancel={href("signals", [id])}
            save={async (payload) => {
              await call("signals", "update", { path: { id }, payload })
              toast("Saved.")
              go(href("signals", [id]))
            }}
          />
        )}
      </Loaded>
    </>
  )
}

interface FormProps {
  readonly initial: Draft
  readonly action: string
  readonly cancel: string
  readonly save: (payload: Payload) => Promise<void>
}

const FIELDS = ["name", "description", "active", "public", "display_name", "rule"] as const

/** Whether two values of a field are the same; a rule is read anew each time. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const payloadOf = ({ rule, ...fields }: Draft, initial: Draft): Payload => {
  if (isSame(rule, initial.rule)) return fields
  return { ...fields, rule: rule === undefined ? null : ruleOf(rule) }
}

const Form = ({ initial, action, cancel, save }: FormProps) => {
  const [draft, setDraft] = useState<Draft>({
    name: initial.name,
    description: initial.description,
    active: initial.active,
    public: initial.public,
    display_name: initial.display_name,
    rule: initial.rule
  })
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const isDirty = FIELDS.some((field) => !isSame(draft[field], initial[field]))
  const leaving = useLeaving(isDirty && !busy)
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      await save(payloadOf(draft, initial))
      leaving.release()
    } catch (fault) {
      setProblem(Problem.of(fault))
      focusFirstError(form.current)
    }
    setBusy(false)
  }
  const errors = problem?.errors ?? {}
  const isBesideField = Object.keys(errors).some((field) => FIELDS.some((it) => it === field))
  return (
    <Panel title="Settings of the signal">
      <form class="form narrow" ref={form} onSubmit={submit} noValidate>
        {problem === undefined || isBesideField ? null : <ProblemNotice problem={problem} />}
        <TextField
          name="name"
          label="Name"
          value={draft.name}
          onValue={(name) => set({ name })}
          errors={errors["name"]}
          placeholder="Trend, 15 minutes"
          explain="A name for lists: at most 35 characters."
        />
        <TextField
          name="description"
          label="Description"
          required={false}
          value={draft.description}
          onValue={(description) => set({ description })}
          errors={errors["description"]}
          explain="What its alerts are based on, for you and its followers: at most 120 characters."
        />
        <SwitchField
          name="active"
          label="On"
          value={draft.active}
          onValue={(active) => set({ active })}
          errors={errors["active"]}
          explain="While it is off, every alert to it is refused."
        />
        <SwitchField
          name="public"
          label="Public"
          value={draft.public}
          onValue={(it) => set({ public: it })}
          errors={errors["public"]}
          explain={
            initial.public
              ? "Other accounts of this server may follow it. If you make it private, their strategies lose it at once."
              : "Other accounts of this server may follow it: they see its name and description, but no alerts, tokens or accounts. Only you can change it and send alerts to it."
          }
        >
          <TextField
            name="display_name"
            label="Display name"
            required={false}
            value={draft.display_name ?? ""}
            onValue={(text) => set({ display_name: text === "" ? null : text })}
            errors={errors["display_name"]}
            explain="Who publishes it, as everybody reads it; without one it is not listed on Discover."
          />
        </SwitchField>
        <RuleFields rule={draft.rule} errors={errors["rule"]} onRule={(rule) => set({ rule })} />
        {leaving.question}
        <div class="actions">
          <button type="submit" class="button primary" disabled={busy}>
            {action}
          </button>
          <a class="button" href={cancel}>
            Cancel
          </a>
        </div>
      </form>
    </Panel>
  )
}
