// `bun test/sim/plant.ts NAME [SEED [SEEDS]]`: a process of its own, in which a bug of `plants.ts` is put into the
// source before it is read. Prints, as JSON, the run of the first seed that finds it, or of the last: of the seeded
// world, or of the lives of orders, of rules or of nodes for a bug that they have to find.
import { plugin } from "bun"
import { nodePlants } from "./nodes/plants.ts"
import { type Edit, lifePlants, plants, postgresPlants } from "./plants.ts"
import { rulePlants } from "./rules/plants.ts"

const [name = "", first = "1", count = "200"] = process.argv.slice(2)
const isOfLives = lifePlants[name] !== undefined
const isOnPostgres = postgresPlants[name] !== undefined
const isOfRules = rulePlants[name] !== undefined
const isOfNodes = nodePlants[name] !== undefined
const edits = nodePlants[name] ?? lifePlants[name] ?? rulePlants[name] ?? postgresPlants[name] ?? plants[name]
if (edits === undefined) throw new Error(`there is no such bug: ${name}`)

const changed = (text: string, { file, from, to }: Edit): string => {
  if (text.split(from).length !== 2)
    throw new Error(`${file} says this ${text.split(from).length - 1} times, and should once: ${from}`)
  return text.replace(from, () => to)
}

const planted = new Set<string>()
plugin({
  name,
  setup: (build) => {
    for (const [file, own] of Map.groupBy(edits, ({ file }) => file))
      build.onLoad({ filter: new RegExp(`/src/${file}$`) }, async ({ path }) => {
        planted.add(file)
        return { contents: own.reduce(changed, await Bun.file(path).text()), loader: "ts" }
      })
  }
})
const last = Number(first) + Number(count) - 1
const ran = isOfNodes
  ? await ranWithNodes()
  : isOfRules
    ? await ranWithRules()
    : isOfLives
      ? await lived()
      : await ranInWorld()
for (const { file } of edits) if (!planted.has(file)) throw new Error(`nothing reads ${file}`)
console.log(JSON.stringify(ran))
process.exit()

async function ranWithRules() {
  const { ranOf } = await import("./rules/run.ts")
  let ran = await ranOf(Number(first))
  for (let seed = ran.seed + 1; seed <= last && ran.violation === undefined; seed++) ran = await ranOf(seed)
  return ran
}

async function ranWithNodes() {
  const { template } = await import("./nodes/SharedDisk.ts")
  const { run } = await import("./nodes/run.ts")
  const world = await template()
  let ran = await run(Number(first), world)
  for (let seed = ran.seed + 1; seed <= last && ran.violation === undefined; seed++)
    ran = await run(seed, world)
  world.close()
  return ran
}

async function ranInWorld() {
  const { ground } = await import("./ground.ts")
  const { run } = await import("./run.ts")
  const world = await ground(isOnPostgres)
  let ran = await run(Number(first), world)
  for (let seed = ran.seed + 1; seed <= last && ran.violation === undefined; seed++)
    ran = await run(seed, world)
  await world.close()
  return ran
}

async function lived() {
  const { ranOf } = await import("./lives/ran.ts")
  let ran = await ranOf(Number(first))
  for (let seed = ran.seed + 1; seed <= last && ran.violation === undefined; seed++) ran = await ranOf(seed)
  return ran
}
