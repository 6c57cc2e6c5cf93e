// Confirms the end of trading with real money: by the strategy's own exits, by closing now, or by writing off
// positions that the exchange does not hold.
import type { ComponentChildren } from "preact"
import { call } from "../../client.ts"
import { Confirm } from "../../parts/Dialog.tsx"
import { toast } from "../../parts/Toast.tsx"

/** How trading with real money ends: nothing is open, own exits, close now, or write off. */
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
            : `${name} makes no more entries, and is on paper again once nothing is open.`
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

const AFTERWARDS = "Once nothing is open it trades on paper again, and its performance starts at zero."

const wordsOf = ({ astray, how, isLeaving, name }: Props): Words => {
  switch (how) {
    case "flat":
      return {
        title: `Disarm ${name}?`,
        action: "Disarm",
        text: <p>Nothing is open: it trades on paper again at once, and its performance starts at zero.</p>
      }
    case "manage":
      return {
        title: `Disarm ${name}?`,
        action: "Disarm",
        text: (
          <>
            <p>
              It makes no more entries. Open positions keep their exits and closing alerts, with real money.
            </p>
            <p>{AFTERWARDS}</p>
          </>
        )
      }
    case "close":
      return {
        title: isLeaving ? "Close all open positions?" : `Disarm ${name} and close positions?`,
        action: isLeaving ? "Close now" : "Disarm and close",
        text: (
          <>
            <p>
              All open positions are closed at the exchange at once, at market price, with a profit or a loss.
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
              It is removed from the books without an order. Whatever the exchange still holds is yours to
              manage.
            </p>
            <p>
              {isLeaving ? "" : `${name} is disarmed as well: it makes no more entries. `}
              {AFTERWARDS}
            </p>
          </>
        )
      }
  }
}
