// Creates a notification. A webhook's secret is shown once, afterwards.

import { useEffect, useRef, useState } from "preact/hooks"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { CopyBlock } from "../parts/CopyButton.tsx"
import { focusFirstError, TextField } from "../parts/Field.tsx"
import { words } from "../parts/format.ts"
import { GuidePage, ProblemNotice } from "../parts/GuideLink.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Notice } from "../parts/Toast.tsx"
import { href } from "../routes.ts"
import { OneOf, SomeOf } from "./Choice.tsx"
import * as Notification from "./notification.ts"
import { useTest } from "./useTest.tsx"

const EVENTS = __KINDS__
  .filter((kind) => kind !== "test")
  .map((kind) => ({ value: kind, label: words(kind), explain: __KIND_WORDS__[kind] }))
const NEW: Notification.Draft = {
  kind: "webhook",
  name: "",
  url: "",
  token: "",
  chat: "",
  events: __USUAL_KINDS__
}
const LIST = href("settings", ["notifications"])

export const NewNotification = () => {
  const [made, setMade] = useState<Notification.NewNotification>()
  return made === undefined ? <Form onMade={setMade} /> : <Made of={made} />
}

const Form = ({ onMade }: { onMade: (made: Notification.NewNotification) => void }) => {
  const [draft, setDraft] = useState(NEW)
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const set = (change: Partial<Notification.Draft>) => setDraft({ ...draft, ...change })
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      onMade(await call("notifications", "create", { payload: Notification.payloadOf(draft) }))
    } catch (fault) {
      setProblem(Problem.of(fault))
      focusFirstError(form.current)
      setBusy(false)
    }
  }
  const errors = problem?.errors ?? {}
  const isBesideField = Notification.besideFields(draft.kind, errors).length > 0
  return (
    <Panel
      title="Add a notification"
      actions={<GuidePage page="notifications#set-up">More about notifications</GuidePage>}
    >
      <form class="form" aria-label="Add a notification" ref={form} onSubmit={submit} noValidate>
        {problem === undefined || isBesideField ? null : <ProblemNotice problem={problem} />}
        <OneOf
          legend="Send by"
          name="kind"
          options={Notification.KINDS}
          value={draft.kind}
          onValue={(kind) => set({ kind, token: "" })}
          errors={errors["kind"]}
        />
        <div class="form form-narrow">
          <TextField
            name="name"
            label="Name"
            required={false}
            value={draft.name}
            onValue={(name) => set({ name })}
            errors={errors["name"]}
            explain="A name for lists: at most 64 characters."
          />
          <Where draft={draft} set={set} errors={errors} />
        </div>
        <SomeOf
          legend="Events to send"
          name="events"
          options={EVENTS}
          values={draft.events}
          onValues={(events) => set({ events })}
          errors={
            draft.events.length === 0 && problem !== undefined ? ["choose at least one"] : errors["events"]
          }
        />
        <div class="actions">
          <button type="submit" class="button primary" disabled={busy}>
            Add notification
          </button>
          <a class="button" href={LIST}>
            Cancel
          </a>
        </div>
      </form>
    </Panel>
  )
}

interface WhereProps {
  readonly draft: Notification.Draft
  readonly set: (change: Partial<Notification.Draft>) => void
  readonly errors: Problem["errors"]
}

/** The fields for the destination, which depend on the kind. */
const Where = ({ draft, set, errors }: WhereProps) => {
  const { address, token } = Notification.WORDS[draft.kind]
  return (
    <>
      {address === undefined ? null : (
        <TextField
          name="url"
          type="url"
          label={address.label}
          placeholder={address.placeholder}
          value={draft.url}
          onValue={(url) => set({ url })}
          errors={errors["url"]}
          explain={`${address.explain} It must be https and public, unless the operator allows others. It is never shown again.`}
        />
      )}
      {token === undefined ? null : (
        <TextField
          name="token"
          type="password"
          autocomplete="new-password"
          label={token.label}
          required={token.required}
          value={draft.token}
          onValue={(it) => set({ token: it })}
          errors={errors["token"]}
          explain={`${token.explain} It is never shown again.`}
        />
      )}
      {draft.kind === "telegram" ? (
        <TextField
          name="chat_id"
          label="Chat"
          placeholder="123456789"
          value={draft.chat}
          onValue={(chat) => set({ chat })}
          errors={errors["chat_id"]}
          explain="The number of the chat with the bot, or the @name of a channel. Write to the bot first: it cannot start a chat."
        />
      ) : null}
    </>
  )
}

const Made = ({ of }: { of: Notification.NewNotification }) => {
  const place = useRef<HTMLDivElement>(null)
  // Move the focus to the secret, which is shown only now.
  useEffect(() => place.current?.focus(), [])
  const { button, message } = useTest({ of, onTested: () => {} })
  return (
    <Panel title={`${of.name} is added`}>
      <div class="form" ref={place} tabIndex={-1}>
        {of.secret === undefined ? null : (
          <>
            <Notice tone="warn">
              Copy the secret now: it is shown only once. Your receiver needs it to verify the header
              <code>webhook-signature</code> of each request.
            </Notice>
            <CopyBlock label="Signing secret" text={of.secret} />
          </>
        )}
        <p>Events are sent from now on. Send a test to see that they arrive.</p>
        {message}
        <div class="actions">
          {button}
          <a class="button primary" href={LIST}>
            Go to the notifications
          </a>
        </div>
      </div>
    </Panel>
  )
}
