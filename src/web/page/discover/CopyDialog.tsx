// Copies a public strategy: the settings that most people choose for themselves, and what does not come along.
import { useMemo } from "preact/hooks"
import { useActing } from "../byHand/acting.ts"
import { call } from "../client.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { ProblemNotice } from "../parts/GuideLink.tsx"
import { Notice, toast } from "../parts/Toast.tsx"
import { go } from "../router.ts"
import { href } from "../routes.ts"
import { Editor } from "../strategies/Editor.tsx"
import { useEditing } from "../strategies/editing.ts"
import { type FieldName, NAMES } from "../strategies/fields.ts"
import { changesOf, type Form, formOf, textOf, withText } from "../strategies/form.ts"
import type { Answer } from "../wire.ts"
import { Foreign } from "./Foreign.tsx"
import { harmless } from "./foreign.ts"
import type { Detail } from "./record.ts"
import { asStored } from "./settings.ts"

interface Props {
  readonly detail: Detail
  readonly onClose: () => void
}

export const CopyDialog = ({ detail, onClose }: Props) => {
  const before = useMemo(() => formOf(asStored(detail)), [])
  const { attempt, errors, form, setForm } = useEditing(readable(before), before)
  const payload = changesOf(form, before)
  const { act, isBusy, isLocked, problem } = useActing<Answer<"copies", "copy">>(
    JSON.stringify(payload),
    (headers) => call("copies", "copy", { path: { id: detail.strategy_id }, payload, headers }),
    ({ name, strategy_id, warnings }) => {
      toast([`${name} is yours now, on paper and private.`, ...warnings].join(" "))
      go(href("strategy", [strategy_id]))
    }
  )
  return (
    <Dialog title={`Copy ${harmless(detail.name)}`} onClose={onClose} wide>
      <p>
        The copy is your own strategy: on paper, private, with the settings of the original. What you choose
        here stays when you sync it later; all other settings can be changed on its page.
      </p>
      <SignalNotice detail={detail} chosen={textOf(form, "signal_id")} />
      <form
        class="form"
        aria-label="Copy"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (attempt()) act()
        }}
      >
        <Editor
          form={form}
          onForm={setForm}
          errors={{ ...problem?.errors, ...errors }}
          without={NAMES.filter((name) => !CHOSEN.has(name))}
        />
        {problem === undefined ? null : <ProblemNotice problem={problem} />}
        {isLocked ? (
          <Notice tone="warn">
            Nobody knows yet whether it was copied. Try again: the server makes one copy, however often this
            is sent.
          </Notice>
        ) : null}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={isBusy}>
            {isLocked ? "Try again" : "Copy strategy"}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The settings that the dialog offers. */
const CHOSEN: ReadonlySet<FieldName> = new Set<FieldName>([
  "name",
  "signal_id",
  "buy_percentage",
  "sell_minprofitpercent",
  "stop_loss",
  "stop_loss_percentage"
])

/** The form with texts of a stranger made readable: they become the copier's own. */
const readable = (form: Form): Form =>
  withText(
    withText(form, "name", harmless(textOf(form, "name"), 255)),
    "description",
    textOf(form, "description") === "" ? "" : harmless(textOf(form, "description"), 500)
  )

const SignalNotice = ({
  chosen,
  detail: { follows_signal, signal }
}: Pick<Props, "detail"> & { chosen: string }) => {
  if (signal !== null)
    return chosen === String(signal.id) ? (
      <Notice>
        The copy follows the same public signal, <Foreign text={signal.name} />: its owner’s alerts move your
        strategy.
      </Notice>
    ) : null
  return chosen === "" ? (
    <Notice tone="warn">
      {follows_signal
        ? "The original follows a private signal, which does not come along: choose a signal of your own, or the copy never enters."
        : "The original follows no signal: choose one, or the copy never enters."}
    </Notice>
  ) : null
}
