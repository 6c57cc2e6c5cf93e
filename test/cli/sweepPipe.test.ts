// Long output into a pipe whose reader is slow: the very bytes that go to a file.
import { afterAll, expect, test } from "bun:test"
import { program } from "../lib/cli.ts"
import { buys, hours, strategy, usual, world } from "./sweepWorld.ts"

const { file, remove, write } = world()
afterAll(remove)

test("a slow reader of a sweep's JSON gets every byte once", async () => {
  const grid = {
    sell_minprofitpercent: { from: 0.5, to: 10, step: 0.5 },
    stop_loss_percentage: { from: 1, to: 12, step: 1 }
  }
  await write("s.json", [JSON.stringify(strategy)])
  await write("g.json", [JSON.stringify(grid)])
  await write("c.csv", hours(480))
  await write("a.jsonl", buys(480, 3))
  const command = [...program, "sweep", ...usual(), "--json"].map((part) => `'${part}'`).join(" ")
  const script = `${command} > whole.json; ${command} | (sleep 0.2; cat) > piped.json`
  expect(await Bun.spawn(["sh", "-c", script], { cwd: file("") }).exited).toBe(0)
  const whole = await Bun.file(file("whole.json")).text()
  expect(JSON.parse(whole).rows).toHaveLength(240)
  expect((await Bun.file(file("piped.json")).text()) === whole).toBe(true)
})
