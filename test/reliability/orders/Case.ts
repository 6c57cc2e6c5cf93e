// A case: an event of orders with its required result. Cases run at all seven exchanges at once.
import { type Result, result } from "../prices/Case.ts"
import type { Row } from "../suite.ts"
import { Tally } from "../Tally.ts"
import { COINS, type Coin } from "./Venue.ts"
import type { Owned, World } from "./World.ts"

export interface Case {
  readonly number: number
  readonly title: string
  readonly run: (world: World, number: number) => Promise<ReadonlyArray<Result>>
}

/** A case's actions at one exchange; returns a text with its measurements, if any. */
export type Act = (owner: Owned, world: World, coin: Coin) => Promise<string | undefined>

/** The coin of a case. Paper trades another one than the exchange whose prices it shares. */
export const coinOf = (number: number, { isPaper }: Owned): Coin =>
  COINS[(number + (isPaper ? COINS.length / 2 : 0)) % COINS.length] ?? "BTC"

/** Runs a case at all seven exchanges at once, and ends all faults afterwards. */
export const each = (act: Act): Case["run"] => among(({ isPaper }) => !isPaper, act)

/** Runs on paper too. */
export const eachAndPaper = (act: Act): Case["run"] => among(() => true, act)

/** Runs at exchanges with perpetuals, and on paper. */
export const eachWithSwapsAndPaper = (act: Act): Case["run"] => among(hasSwaps, act)

/** Runs at exchanges with perpetuals. */
export const eachWithSwaps = (act: Act): Case["run"] =>
  among((owner) => !owner.isPaper && hasSwaps(owner), act)

const hasSwaps = ({ venue }: Owned): boolean => venue.markets.some(({ kind }) => kind === "swap")

const among =
  (isOne: (owner: Owned) => boolean, act: Act): Case["run"] =>
  (world, number) =>
    Promise.all(
      world.owners.filter(isOne).map(async (owner) => {
        const came = await told(owner.name, () => act(owner, world, coinOf(number, owner)))
        // Paper waits, because it shares an exchange whose faults have not ended yet.
        if (!owner.isPaper) owner.venue.heal()
        return came
      })
    )

interface Told extends Result {
  readonly words?: string | undefined
}

const told = async (name: string, act: () => Promise<string | undefined>): Promise<Told> => {
  let words: string | undefined
  const came = await result(name, async () => {
    words = await act()
    return undefined
  })
  return { ...came, words }
}

/** Runs the cases one after the other. */
export const runAll = async (cases: ReadonlyArray<Case>, world: World): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  for (const one of cases) {
    const began = performance.now()
    // A case whose beginning fails, for all exchanges at once, fails alone.
    const told = await one
      .run(world, one.number)
      .catch((error: unknown) => [{ name: "all", flaw: saidBy(error) }])
    const row = rowOf(one, told, performance.now() - began)
    rows.push(row)
    if (process.env["SIGNALBOX_VERBOSE"] !== undefined)
      console.error([row.test, row.worst, ...row.details].join("\n  "))
  }
  return rows
}

/** What an error says. */
export const saidBy = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** `7/7, paper; 12 s`, and the measurements. */
export const rowOf = (
  { number, title }: Omit<Case, "run">,
  results: ReadonlyArray<Told>,
  tookMs: number
): Row => {
  const tally = new Tally()
  for (const { flaw, name } of results) tally.check(flaw === undefined, () => `${name}: ${flaw}`)
  const live = results.filter(({ name }) => name !== "paper")
  const sound = live.filter(({ flaw }) => flaw === undefined).length
  const paper = results.find(({ name }) => name === "paper")
  const onPaper = paper === undefined ? "" : paper.flaw === undefined ? ", paper" : ", not paper"
  const words = [...new Set(results.flatMap((one) => one.words ?? []))].slice(0, 3)
  const all = [`${sound}/${live.length}${onPaper}`, `${(tookMs / 1000).toFixed(0)} s`, ...words]
  return tally.row(`orders ${number}: ${title}`, all.join("; "))
}
