// The Signals page's routes: `signals`, `signals/new`, `signals/12`, `signals/12/edit`.
import type { PageProps } from "../routes.ts"
import { EditSignal, NewSignal } from "./SignalForm.tsx"
import { SignalList } from "./SignalList.tsx"
import { SignalPage } from "./SignalPage.tsx"

export const Signals = ({ rest: [first, second] }: PageProps) => {
  if (first === undefined) return <SignalList />
  if (first === "new") return <NewSignal />
  // An invalid number becomes NaN, and the server answers that there is no such signal.
  const id = Number(first)
  return second === "edit" ? <EditSignal id={id} /> : <SignalPage id={id} />
}
