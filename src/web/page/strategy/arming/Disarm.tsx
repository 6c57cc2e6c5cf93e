import type { ComponentChildren } from "preact"
import { call } from "../../client.ts"
import { Confirm } from "../../parts/Dialog.tsx"
import { toast } from "../../parts/Toast.tsx"

/** How it is to end: with nothing open, by its own rules, by selling, or by writing off what is gone. */
export type How = "flat" | "manage" | "close" | "forget"

interface Props {
  readonly id: number
  readonly name: string
  readonly isLeaving: boolean
  readonly astray: ReadonlyArray<string>
  readonly how: How
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Asks before real money is let go of. */
export const Disarm = (props: Props) => {
  const { id, name, how, onDone, onClose } = props
  const { action, text, title } = wordsOf(props)
  return (
    <Confirm
      title={title}
      action={action}
      onClose={onClose}
      onConfirm={async () => {
        const { mode } = await call("live", "disarm", { path: { id }, urlParams: PARAMS[how] })
        toast(
          mode === "paper"
            ? `${name} is on paper again.`
            : `${name} enters nothing more, and is on paper again once nothing is open.`
        )
        onDone()
      }}
    >
      {text}
    </Confirm>
  )
}

const PARAMS = { flat: {}, manage: {}, close: { close: "1" }, forget: { forget: "1" } } as const

interface Words {
  readonly title: string
  readonly action: string
  readonly text: ComponentChildren
}

const AFTERWARDS = "Once nothing is open it is on paper again, and its performance begins anew."

const wordsOf = ({ astray, how, isLeaving, name }: Props): Words => {
  switch (how) {
    case "flat":
      return {
        title: `Disarm ${name}?`,
        action: "Disarm",
        text: <p>Nothing is open: it is on paper again at once, and its performance begins anew.</p>
      }
    case "manage":
      return {
        title: `Disarm ${name}?`,
        action: "Disarm",
        text: (
          <>
            <p>It enters nothing more. What is open keeps its exits and closing alerts, with real money.</p>
            <p>{AFTERWARDS}</p>
          </>
        )
      }
    case "close":
      return {
        title: isLeaving ? "Sell all that is open?" : `Disarm ${name} and sell?`,
        action: isLeaving ? "Sell now" : "Disarm and sell",
        text: (
          <>
            <p>
              All that is open is closed at the exchange at once, at the price that the market gives, with a
              profit or with a loss.
            </p>
            <p>{AFTERWARDS}</p>
          </>
        )
      }
    case "forget":
      return {
        title: `Write off ${astray.join(", ")}?`,
        action: "Write off",
        text: (
          <>
            <p>
              It is taken out of the books without an order. What the exchange still holds of it is yours
              alone to look after.
            </p>
            <p>
              {isLeaving ? "" : `${name} is disarmed with it: it enters nothing more. `}
              {AFTERWARDS}
            </p>
          </>
        )
      }
  }
}
