// The report of a sweep, opened from disk without a network: its map is drawn, turned and read by keyboard, it is
// accessible, and it requests nothing.
import { join } from "node:path"
import { command } from "../reliability/Program.ts"
import { must } from "../reliability/prices/until.ts"
import { DESKTOP, onEachSize, opened } from "./lib/offline.ts"
import { example } from "./lib/replay.ts"
import type { Suite } from "./lib/Stage.ts"
import { sound, walked } from "./lib/sound.ts"

const NAME = `</script><img src=x onerror="alert(1)"><!-- %TITLE% \u2029 $\``
const GRID = {
  sell_minprofitpercent: { from: 0.2, to: 4, step: 0.2 },
  stop_loss_percentage: [0.3, 0.5, 1],
  take_profit_steps: [null, [{ profit_percent: 0.3, close_percent: 50 }]]
}

const suite: Suite = async (stage) => {
  const { folder, steps } = stage
  const { candles, folder: given, strategy } = await example(folder)
  const file = join(folder, "sweep.html")

  await steps.take("the command writes the report of a sweep with a hostile name", async () => {
    await Bun.write(join(folder, "hostile.json"), JSON.stringify({ ...strategy, name: NAME }))
    await Bun.write(join(folder, "grid.json"), JSON.stringify(GRID))
    const files = ["--strategy", join(folder, "hostile.json"), "--grid", join(folder, "grid.json")]
    const recording = ["--alerts", `${given}/alerts.jsonl`, "--candles", `BTC/USDT=${candles}`]
    const ran = await command(["sweep", ...files, ...recording, "--html", file])
    must(ran.exitCode === 0, ran.stderr)
    return `${Math.round(Bun.file(file).size / 1000)} kB`
  })

  const open = opened(stage, file, async (page) => {
    await page.getByRole("heading", { level: 1, name: `${NAME}: sweep` }).waitFor()
  })
  await onEachSize(stage, open)

  await steps.check("its map is turned, and its ranking sorted, by keyboard", async () => {
    const page = await open(DESKTOP)
    await walked(page)
    await page.getByLabel("Down", { exact: true }).selectOption({ label: "stop_loss_percentage" })
    await page.getByLabel("Figure", { exact: true }).selectOption({ label: "Largest drawdown" })
    await page.getByLabel("A cell shows", { exact: true }).selectOption("mean")
    const map = page.getByRole("table", { name: "Largest drawdown in train: stop_loss_percentage down" })
    must((await map.getByRole("row").count()) === 4, "the map has no row for each stop loss")
    must((await map.getByRole("cell").count()) >= 60, "the map has no cell for each two values")
    const ranking = page.getByRole("table", { name: "Ranking" })
    await ranking.getByRole("button", { name: "ROI, test" }).press("Enter")
    await ranking
      .getByRole("columnheader", { name: "ROI, test" })
      .and(page.locator("[aria-sort=descending]"))
      .waitFor()
    await sound(page)
  })
}
export default suite
