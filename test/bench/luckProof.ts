// The long proof against false praise, in pieces: counts the verdicts of sweeps and searches over the random walks of some
// seeds and adds them to luckProof.csv, which test/trading/luck/Proof.test.ts sums up. `bun test/bench/luckProof.ts 241-300`
// does a piece, of one method where it is named too; what is in the table already is left out.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { verdictOf } from "./luck.ts"
import { countsOf, METHODS } from "./luckSearch.ts"

const FILE = join(import.meta.dir, "luckProof.csv")
const HEAD = "date,method,first_seed,last_seed,holds,may_be_luck,too_few\n"

const [from = 0, to = 0] = (process.argv[2] ?? "").split("-").map(Number)
const wanted = process.argv[3]
if (!(from >= 1 && to >= from)) throw new Error("name the seeds, such as 241-300")
if (!existsSync(FILE)) writeFileSync(FILE, HEAD)
const date = new Date().toISOString().slice(0, 10)
for (const [method, verdict] of Object.entries({ sweep: verdictOf, ...METHODS })) {
  const isDone = readFileSync(FILE, "utf8")
    .split("\n")
    .map((row) => row.split(","))
    .some(([, of, first, last]) => of === method && Number(first) <= to && Number(last) >= from)
  if (isDone || (wanted !== undefined && wanted !== method)) continue
  const { holds, mayBeLuck, none, tooFew } = countsOf(verdict, from, to)
  appendFileSync(FILE, `${[date, method, from, to, holds, mayBeLuck, tooFew + none].join(",")}\n`)
}
