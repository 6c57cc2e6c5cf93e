import { Database } from "bun:sqlite"
import { expect } from "bun:test"
import { join } from "node:path"
import { Effect } from "effect"
import { it } from "../lib/effect.ts"
import { folder } from "../services/ports.ts"

const KILLS = 3

it.live(
  "a killed server loses no alert that it answered, and uses no id twice",
  () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "signalbox.db")
      const acknowledged: Array<number> = []
      for (let kill = 0; kill < KILLS; kill++) {
        const child = Bun.spawn([process.execPath, join(import.meta.dir, "append.child.ts"), filename], {
          stdout: "pipe"
        })
        const text = yield* Effect.promise(() => untilKilled(child, 100 + 137 * kill))
        // The last line may have been cut off by the kill.
        const lines = text.split("\n").slice(0, -1)
        expect(lines.length).toBeGreaterThan(0)
        acknowledged.push(...lines.map(Number))
      }
      expect(new Set(acknowledged).size).toBe(acknowledged.length)
      const rows = new Database(filename).query<{ id: number }, []>("SELECT id FROM alerts").all()
      const stored = new Set(rows.map(({ id }) => id))
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
    }),
  30_000
)

/** What the child said until it was killed, some ms after it had begun. */
const untilKilled = async (child: Bun.Subprocess<"ignore", "pipe", "inherit">, millis: number) => {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of child.stdout) {
    if (text === "") setTimeout(() => child.kill("SIGKILL"), millis)
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}
