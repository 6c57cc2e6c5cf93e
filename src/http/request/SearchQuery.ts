// The filters of alerts and of timelines, checked with all violations at once.
import { TIMELINE_PARTS } from "../../api/Dashboard.ts"
import { ACTED, IGNORED, type Reason } from "../../domain/Alert.ts"
import type { AlertFilter } from "../../services/records/AlertOutcomes.ts"
import type { TimelineFilter } from "../../services/records/TimelineSearch.ts"
import type { Read, Texts } from "./DashboardQuery.ts"
import { Parameters } from "./Parameters.ts"
import { pairIn, rangeIn } from "./TradesQuery.ts"

type Query = Texts<"pair" | "from" | "to" | "reason">

/** Parses the filters of alerts; undefined where none is given. */
export const alerts = (query: Query & Texts<"outcome">): Read<AlertFilter | undefined> => {
  const parameters = new Parameters()
  const outcome = parameters.oneOrNone("outcome", query.outcome, ["acted", "ignored"])
  const filter = { ...searched(query, parameters), ...(outcome === undefined ? {} : { outcome }) }
  return parameters.read(isEmpty(filter) ? undefined : filter)
}

/** Parses the filters of a timeline; undefined where none is given. */
export const timeline = (query: Query & Texts<"entries">): Read<TimelineFilter | undefined> => {
  const parameters = new Parameters()
  const part = parameters.one("entries", query.entries, [...TIMELINE_PARTS])
  const filter = { ...searched(query, parameters), ...(part === "all" ? {} : { part }) }
  return parameters.read(isEmpty(filter) ? undefined : filter)
}

const isEmpty = (filter: object) => Object.keys(filter).length === 0

const searched = (query: Query, parameters: Parameters) => {
  const pair = pairIn(query.pair, parameters)
  const reason = reasonIn(query.reason, parameters)
  const { from, until } = rangeIn(query, parameters)
  return {
    ...(pair === undefined ? {} : { pair }),
    ...(reason === undefined ? {} : { reason }),
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until })
  }
}

const REASONS: ReadonlyArray<Reason> = [...ACTED, ...IGNORED]

/** There are too many reasons to list them in a message. */
const reasonIn = (text: string | undefined, parameters: Parameters): Reason | undefined =>
  text === undefined
    ? undefined
    : (REASONS.find((it) => it === text) ??
      parameters.refuse("reason", "must be a reason of an outcome, such as opened or below_min_profit"))
