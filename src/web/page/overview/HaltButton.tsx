// The button that halts entries at once, without a question: it may be urgent, and resuming is as easy.
import { useState } from "preact/hooks"
import { halt, haltEntries } from "../layout/halt.ts"
import { Problem } from "../Problem.ts"
import { toast } from "../parts/Toast.tsx"
import { useStore } from "../store.ts"

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
      title="None of your strategies opens or averages a position until you resume, on paper or live. Exits go on."
      disabled={busy}
      onClick={stop}
    >
      Halt entries
    </button>
  )
}
