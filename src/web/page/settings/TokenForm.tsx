// Creates a token and shows its secret once.

import { useEffect, useRef, useState } from "preact/hooks"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { CopyBlock } from "../parts/CopyButton.tsx"
import { focusFirstError, NumberField, SelectField } from "../parts/Field.tsx"
import { ProblemNotice } from "../parts/GuideLink.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Notice } from "../parts/Toast.tsx"
import { Time } from "../parts/Value.tsx"
import { OneOf } from "./Choice.tsx"
import { type Draft, EXPIRIES, NEW, type NewToken, requestOf, SCOPES } from "./token.ts"

export const TokenForm = ({ onMade }: { onMade: () => void }) => {
  const [draft, setDraft] = useState<Draft>(NEW)
  const [made, setMade] = useState<NewToken>()
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const wasMade = useRef(false)
  useEffect(() => {
    // After the secret is dismissed, the focus returns to the form.
    if (made === undefined && wasMade.current)
      form.current?.querySelector<HTMLElement>("button[type=submit]")?.focus()
    wasMade.current = made !== undefined
  }, [made])
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const refuse = (fault: Problem) => {
    setProblem(fault)
    focusFirstError(form.current)
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    const { error, payload } = requestOf(draft)
    setProblem(undefined)
    if (payload === undefined)
      return refuse(new Problem(0, "invalid", "The token was not created.", { expires_days: [error] }))
    setBusy(true)
    try {
      setMade(await call("tokens", "create", { payload }))
      setDraft(NEW)
      onMade()
    } catch (fault) {
      refuse(Problem.of(fault))
    }
    setBusy(false)
  }
  if (made !== undefined) return <Made token={made} onDone={() => setMade(undefined)} />
  const errors = problem?.errors ?? {}
  const isBesideField = errors["scope"] !== undefined || errors["expires_days"] !== undefined
  return (
    <Panel title="Create a token">
      <form class="form form-narrow" aria-label="Create a token" ref={form} onSubmit={submit} noValidate>
        {problem === undefined || isBesideField ? null : <ProblemNotice problem={problem} />}
        <OneOf
          legend="Scope"
          name="scope"
          options={SCOPES}
          value={draft.scope}
          onValue={(scope) => set({ scope })}
          errors={errors["scope"]}
        />
        <SelectField
          label="Expires"
          name="expiry"
          value={draft.expiry}
          onValue={(expiry) => set({ expiry })}
          options={EXPIRIES}
          errors={draft.expiry === "own" ? undefined : errors["expires_days"]}
          explain="It never outlasts the token that you are signed in with. You can revoke it at any time."
        />
        {draft.expiry === "own" ? (
          <NumberField
            label="Days"
            name="expires_days"
            unit="days"
            whole
            value={draft.days}
            onValue={(days) => set({ days })}
            errors={errors["expires_days"]}
          />
        ) : null}
        <div class="actions">
          <button type="submit" class="button primary" disabled={busy}>
            Create token
          </button>
        </div>
      </form>
    </Panel>
  )
}

const Made = ({ token, onDone }: { token: NewToken; onDone: () => void }) => {
  const place = useRef<HTMLDivElement>(null)
  // Move the focus to the secret, which is shown only now.
  useEffect(() => place.current?.focus(), [])
  return (
    <Panel title={`Token ${token.id} is created`}>
      <div class="form" ref={place} tabIndex={-1}>
        <Notice tone="warn">
          Copy it now: it is shown only once and stored nowhere. Whoever has it can{" "}
          {token.scope === "full" ? "do everything that you can do" : "send alerts to your signals"}
          {token.expires_at === null ? (
            ", until you revoke it."
          ) : (
            <>
              , until <Time at={token.expires_at} /> or until you revoke it.
            </>
          )}
        </Notice>
        {token.token === null ? (
          <Notice tone="bad">Its secret was shown before: revoke it and create another.</Notice>
        ) : (
          <CopyBlock label={`Token ${token.id}, scope ${token.scope}`} text={token.token} />
        )}
        <div class="actions">
          <button type="button" class="button primary" onClick={onDone}>
            I have copied it
          </button>
        </div>
      </div>
    </Panel>
  )
}
