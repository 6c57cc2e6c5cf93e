// The engine's core: it turns events into steps, synchronously and without effects. One turn of the engine:
// 1. Decide: an alert (`Judge`), a price, a deadline or a report changes a bot in memory, and the change becomes a `Step`
//    in the outbox (`Adoption`).
// 2. Store: `Settling` takes the outbox and commits its steps together with the journal's cursors.
// 3. Send: only then does `OrderSender` send the stored orders: cancellations, then exits, then the rest.
// 4. Hear: reports come back as events of the same bots (`Reporting`), and the turn continues at 1 until nothing is left.
import type { StartingBalances } from "../../domain/Bot.ts"
import type { AlertPatience } from "../../trading/AlertPatience.ts"
import type { Performance } from "../Performance.ts"
import { HeldAlertRetry } from "./alerts/HeldAlertRetry.ts"
import { Judge } from "./alerts/Judge.ts"
import { Adoption } from "./decide/Adoption.ts"
import { Faults } from "./decide/Faults.ts"
import { Outbox } from "./decide/Outbox.ts"
import type { OutcomeQuota } from "./decide/OutcomeQuota.ts"
import { Periods } from "./decide/Periods.ts"
import { SetAside } from "./decide/SetAside.ts"
import type { OrdersInFlight } from "./orders/OrdersInFlight.ts"
import { reporting } from "./orders/Reporting.ts"
import type { BotEntry, Roster } from "./Roster.ts"

export interface Parts {
  readonly roster: Roster
  readonly orders: OrdersInFlight
  readonly performance: typeof Performance.Service
  readonly patience: AlertPatience
  readonly paper: StartingBalances
  readonly quota: Pick<OutcomeQuota, "isSpent" | "add">
  /** Called for a bot that has more held alerts to judge than one call may. */
  readonly again: (bot: BotEntry) => void
}

/** Makes an engine. */
export const make = ({ again, orders, paper, patience, performance, quota, roster }: Parts) => {
  const faults = new Faults(roster)
  const outbox = new Outbox()
  const aside = new SetAside(roster, outbox)
  const periods = new Periods({ outbox, performance, paper })
  const adoption = new Adoption({ roster, outbox, periods, aside, performance, quota, patience })
  const judge = new Judge({ adoption, faults, quota, patience, outbox })
  return {
    outbox,
    faults,
    aside,
    periods,
    adoption,
    judge,
    held: new HeldAlertRetry({ judge, adoption, outbox, patience, again }),
    report: reporting(adoption, orders),
    /** Whether nothing was decided since the last commit began. */
    isIdle: () => outbox.isEmpty && faults.isEmpty
  }
}

export type Engine = ReturnType<typeof make>
