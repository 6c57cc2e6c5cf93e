import { useState } from "preact/hooks"
import { halt, haltEntries } from "../halt.ts"
import { Problem } from "../Problem.ts"
import { toast } from "../parts/Toast.tsx"
import { useStore } from "../store.ts"

/** Halts at once: who needs it has no time to be asked, and it is ended as easily. */
export const HaltButton = () => {
  const now = useStore(halt)
  const [busy, setBusy] = useState(false)
  const stop = async () => {
    setBusy(true)
    try {
      await haltEntries()
      toast("Entries are halted. Open positions keep their exits.")
      document.getElementById("main")?.focus()
    } catch (fault) {
      toast(Problem.of(fault).message, "bad")
    }
    setBusy(false)
  }
  return now === undefined || now.halted ? null : (
    <button
      type="button"
      class="button quiet-danger"
      title="No strategy of yours enters or averages into anything until you resume, on paper or live. Exits go on."
      disabled={busy}
      onClick={stop}
    >
      Halt entries
    </button>
  )
}
