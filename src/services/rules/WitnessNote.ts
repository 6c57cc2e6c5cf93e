// What a witness tells: the announcement that an alert did not come from outside, and the warning of one that stands in.
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { TimelineNote } from "../../domain/Timeline.ts"
import type { AwaitedAlert } from "./RuleWitnesses.ts"

/** The rule of the announcement's timeline entry. */
export const UNWITNESSED = "rule_unwitnessed"

/** The announcement, at a time (ms). */
export const unwitnessed = (alert: AwaitedAlert, now: number): TimelineNote => {
  const { at, instruction, signal, version } = alert
  const pair = `${instruction.coin}/${instruction.quoteCurrency}`
  const type = instruction.type.replaceAll("_", " ")
  return {
    at: now,
    rule: UNWITNESSED,
    alertId: Option.none(),
    reason: Option.none(),
    text: `The rule of signal ${signal} says ${type} ${pair} at ${timeOf(at)} UTC, and no such alert came within ${secondsOf(alert)} s. Nothing was traded: look whether the chart's alert is still on.`,
    facts: {
      signal_id: signal,
      rule_version: version,
      type: instruction.type,
      pair,
      rule_at: Math.floor(at / 1000),
      witness_seconds: secondsOf(alert)
    }
  }
}

/** The warning on an alert that a rule raised in place of one from outside. */
export const stoodIn = (alert: Pick<AwaitedAlert, "at" | "dueAt">): string =>
  `raised by the signal's rule, since no such alert came from outside within ${secondsOf(alert)} s`

const secondsOf = ({ at, dueAt }: Pick<AwaitedAlert, "at" | "dueAt">): number =>
  Math.round((dueAt - at) / 1000)

const timeOf = (at: number): string =>
  DateTime.formatIso(DateTime.unsafeMake(at)).slice(0, 16).replace("T", " ")
