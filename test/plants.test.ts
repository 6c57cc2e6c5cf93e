// Planted bugs are texts of the source that are put in the place of others: where the source has changed, a bug cannot be
// planted any more, and the seeded worlds would not notice until its turn comes.
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { nodePlants } from "./sim/nodes/plants.ts"
import { type Edit, lifePlants, plants, postgresPlants } from "./sim/plants.ts"
import { rulePlants } from "./sim/rules/plants.ts"

const source = (file: string) => readFileSync(join(import.meta.dir, "../src", file), "utf8")

/** What does not stand once in its file, when the edits before it are made. */
const misfits = (edits: ReadonlyArray<Edit>): ReadonlyArray<string> => {
  const texts = new Map<string, string>()
  return edits.flatMap(({ file, from, to }) => {
    const text = texts.get(file) ?? source(file)
    texts.set(
      file,
      text.replace(from, () => to)
    )
    return text.split(from).length === 2 ? [] : [`${file}: ${from}`]
  })
}

for (const [name, edits] of Object.entries({
  ...plants,
  ...lifePlants,
  ...rulePlants,
  ...nodePlants,
  ...postgresPlants
}))
  test(`the bug can be planted: ${name}`, () => {
    expect(edits.length).toBeGreaterThan(0)
    expect(misfits(edits)).toEqual([])
  })
