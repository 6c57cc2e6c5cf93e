import type { PageProps } from "../routes.ts"
import { EditSignal, NewSignal } from "./SignalForm.tsx"
import { SignalList } from "./SignalList.tsx"
import { SignalPage } from "./SignalPage.tsx"

/** The signals: `signals`, `signals/new`, `signals/12`, `signals/12/edit`. */
export const Signals = ({ rest: [first, second] }: PageProps) => {
  if (first === undefined) return <SignalList />
  if (first === "new") return <NewSignal />
  // What is no number is asked for as it is: the server says that there is no such signal.
  const id = Number(first)
  return second === "edit" ? <EditSignal id={id} /> : <SignalPage id={id} />
}
