// Sends an order by hand once, whatever becomes of its answer: the same dialog sends it again under the same key, and
// the server acts once.
import { useMemo, useState } from "preact/hooks"
import { Problem } from "../Problem.ts"
import { figured } from "../parts/format.ts"
import { toast } from "../parts/Toast.tsx"
import type { Answer } from "../wire.ts"

export type Result = Answer<"positions", "close">

/** A market of a strategy, as the requests name it. */
export interface Market {
  readonly strategy_id: number
  readonly exchange: NonNullable<Result["position"]>["exchange"]
  readonly pair: string
  readonly kind: "spot" | "swap"
}

/** Whether nobody knows if the order was taken: the connection broke, or the server failed. */
const isLost = ({ status }: Problem): boolean => status === 0 || status >= 500

interface Acting {
  readonly problem: Problem | undefined
  readonly isBusy: boolean
  /** After a lost answer only the very same order may be sent again: a changed one would act twice. */
  readonly isLocked: boolean
  readonly act: () => Promise<void>
}

/** `send` sends the order under a key; `body` is all that the order says, so that a changed one gets another key. */
export const useActing = <A = Result>(
  body: string,
  send: (headers: { readonly "idempotency-key": string }) => Promise<A>,
  done: (result: A) => void
): Acting => {
  const key = useMemo(() => crypto.randomUUID(), [body])
  const [problem, setProblem] = useState<Problem>()
  const [isBusy, setBusy] = useState(false)
  return {
    problem,
    isBusy,
    isLocked: problem !== undefined && isLost(problem),
    act: async () => {
      setBusy(true)
      setProblem(undefined)
      try {
        done(await send({ "idempotency-key": key }))
      } catch (fault) {
        setProblem(Problem.of(fault))
      }
      setBusy(false)
    }
  }
}

/** What follows once an order is taken: its text is shown, and the dialog closes. */
export const closing =
  ({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) =>
  ({ text }: Result): void => {
    toast(figured(text))
    onDone()
    onClose()
  }
