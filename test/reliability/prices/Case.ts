// A case: a fault of an exchange's prices with its required result.
import type { Row } from "../suite.ts"
import { Tally } from "../Tally.ts"
import type { Venue } from "./Venue.ts"
import type { World } from "./World.ts"

/** The time until prices recovered (ms), if the case measures it. */
export type Took = number | undefined

/** The result of a case at one exchange. */
export interface Result {
  readonly name: string
  readonly took?: Took
  /** The failure. */
  readonly flaw?: string | undefined
}

/** One fault of an exchange, and its required result. */
export interface Case {
  readonly number: number
  readonly title: string
  /** How long recovery may take (ms). */
  readonly allowedMs?: number
  readonly run: (world: World) => Promise<ReadonlyArray<Result>>
}

/** Runs a case at all exchanges at once, and ends all faults afterwards. */
export const each =
  (act: (venue: Venue, world: World) => Promise<Took>): Case["run"] =>
  (world) =>
    Promise.all(
      world.venues.map(async (venue) => {
        const came = await result(venue.name, () => act(venue, world))
        await venue.heal()
        return came
      })
    )

export const result = async (name: string, act: () => Promise<Took>): Promise<Result> => {
  try {
    return { name, took: await act() }
  } catch (error) {
    return { name, took: undefined, flaw: error instanceof Error ? error.message : String(error) }
  }
}

/** Runs the cases one after the other. */
export const runAll = async (cases: ReadonlyArray<Case>, world: World): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  for (const one of cases) {
    const row = rowOf(one, await one.run(world))
    rows.push(row)
    if (process.env["SIGNALBOX_VERBOSE"] !== undefined)
      console.error([row.test, row.worst, ...row.details].join("\n  "))
  }
  return rows
}

export const rowOf = (
  { allowedMs, number, title }: Omit<Case, "run">,
  results: ReadonlyArray<Result>
): Row => {
  const tally = new Tally()
  for (const { flaw, name, took = 0 } of results)
    if (flaw === undefined)
      tally.within(took, allowedMs ?? Number.POSITIVE_INFINITY, () => `${name}: took ${seconds(took)}`)
    else tally.check(false, () => `${name}: ${flaw}`)
  const slowest = results.reduce<Result | undefined>(
    (worst, one) => ((one.took ?? -1) > (worst?.took ?? -1) ? one : worst),
    undefined
  )
  const time =
    allowedMs === undefined || slowest?.took === undefined
      ? ""
      : `; ${seconds(slowest.took)} (${slowest.name}), ${allowedMs / 1000} s allowed`
  return tally.row(`prices ${number}: ${title}`, `${tally.trials - tally.failures}/${tally.trials}${time}`)
}

const seconds = (millis: number): string => `${(millis / 1000).toFixed(1)} s`
