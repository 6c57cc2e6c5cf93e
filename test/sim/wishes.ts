// Parses the arguments of `bun run sim`.
import type { Mutant } from "./World.ts"

/** The parsed arguments. */
export interface Wishes {
  readonly first: number
  readonly seeds: number
  /** Stops at this time (ms of `performance.now`), however many seeds were asked for. */
  readonly minutes: number | undefined
  readonly mutants: boolean
  readonly mutant: Mutant | undefined
  readonly isOnPostgres: boolean
  /** The world, where it is another than that of one server. */
  readonly world?: "nodes"
}

export const USAGE = `usage: bun run sim [--seed N] [--seeds K] [--minutes M] [--mutants] [--mutant NAME] [--database postgres]
  --seed N       the first seed; alone, that one seed with its trace
  --seeds K      so many seeds from there on (200)
  --minutes M    as many seeds as go into M minutes
  --mutants      plants each known bug in turn, and tells which seed found it; with --seed from that bug on, and with
                 --minutes as many bugs as go into that time
  --mutant NAME  plants this one bug
  --database postgres  keeps the rows on a real Postgres server; with --mutants, the bugs that only it can find`

const VALUED = new Set(["--seed", "--seeds", "--minutes", "--mutant", "--database"])

/** The arguments, or what is wrong with them. */
export const read = (args: ReadonlyArray<string>, mutants: ReadonlyArray<Mutant>): Wishes | string => {
  const given = new Map<string, string>()
  for (let place = 0; place < args.length; place++) {
    const name = args[place] ?? ""
    if (name === "--mutants") given.set(name, "")
    else if (VALUED.has(name) && args[place + 1] !== undefined) given.set(name, args[++place] ?? "")
    else return `not understood: ${name}`
  }
  const number = (name: string) => (given.has(name) ? Number(given.get(name)) : undefined)
  for (const name of ["--seed", "--seeds", "--minutes"])
    if (Number.isNaN(number(name))) return `${name} takes a number`
  const database = given.get("--database")
  if (database !== undefined && database !== "postgres") return "--database takes postgres"
  const mutant = mutants.find(({ name }) => name === given.get("--mutant"))
  if (given.has("--mutant") && mutant === undefined)
    return `there is no such bug; there are:\n${mutants.map(({ name }) => `  ${name}`).join("\n")}`
  const first = number("--seed")
  const minutes = number("--minutes")
  const many = minutes === undefined ? 200 : Number.POSITIVE_INFINITY
  return {
    first: first ?? 1,
    seeds: number("--seeds") ?? (first !== undefined && minutes === undefined ? 1 : many),
    minutes,
    mutants: given.has("--mutants"),
    mutant,
    isOnPostgres: database !== undefined
  }
}
