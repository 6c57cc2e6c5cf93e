// Saves the tested settings as a new strategy, which starts switched off.

import { useMemo, useState } from "preact/hooks"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { TextField } from "../parts/Field.tsx"
import { ProblemText } from "../parts/GuideLink.tsx"
import { Notice, toast } from "../parts/Toast.tsx"
import { go } from "../router.ts"
import { href } from "../routes.ts"
import {
  bodyOf,
  type Errors,
  errorLines,
  type Form,
  textOf,
  withSwitch,
  withText
} from "../strategies/form.ts"

export const Save = ({
  form,
  onClose,
  onRefused
}: {
  form: Form
  onClose: () => void
  onRefused: (errors: Errors) => void
}) => {
  const [name, setName] = useState(textOf(form, "name"))
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  // The idempotency key: saving again after a lost response creates no second strategy.
  const key = useMemo(() => crypto.randomUUID(), [name, form])
  const save = async () => {
    setBusy(true)
    try {
      const payload = bodyOf(
        withSwitch(withSwitch(withText(form, "name", name), "active", false), "public", false)
      )
      const made = await call("strategies", "create", { payload, headers: { "idempotency-key": key } })
      toast(`${made.name} was created. It is switched off.`)
      go(href("strategy", [made.strategy_id]))
    } catch (fault) {
      const refused = Problem.of(fault)
      setProblem(refused)
      onRefused(refused.errors)
      setBusy(false)
    }
  }
  const { name: violations, ...others } = problem?.errors ?? {}
  const lines = errorLines(others)
  return (
    <Dialog title="Save as strategy" onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          label="Name"
          name="save-name"
          value={name}
          maxLength={255}
          errors={violations}
          explain="The strategy is created with these settings, switched off."
          onValue={setName}
        />
        {problem === undefined || violations !== undefined ? null : (
          <Notice tone="bad">
            {lines.length === 0 ? (
              <ProblemText problem={problem} />
            ) : (
              lines.map(({ name, text }) => <p key={name}>{text}</p>)
            )}
          </Notice>
        )}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={busy}>
            Create strategy
          </button>
        </div>
      </form>
    </Dialog>
  )
}
