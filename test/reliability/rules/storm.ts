// Rules under kills: a server on replayed candles is killed or ended at random moments, and goes on where it was. Each
// alert of a schedule comes once, each of a candle once at most, and as the candle says.
import * as Schema from "effect/Schema"
import { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import { Lives } from "../Lives.ts"
import { Owner } from "../Owner.ts"
import { inFolder, type Served, token } from "../Program.ts"
import { Rows } from "../Rows.ts"
import type { Row } from "../suite.ts"
import { Tally } from "../Tally.ts"

const MINUTE = 60_000
/** How long a life lasts, and the last one (ms). */
const LIFE_MS = [500, 12_000] as const
const LAST_MS = 30_000

const MARKETS = [{ exchange: "binance", kind: "spot", pairs: ["BTC/USDT", "ETH/USDT"] }]
const EACH_MINUTE = [{ type: "buy", cron: "* * * * *", timezone: "Europe/Berlin" }]
const NEVER = [{ type: "sell", when: "close < 0" }]
const RULES = {
  candles: [
    { type: "buy", when: "close > open" },
    { type: "sell", when: "close < open" }
  ],
  clock: NEVER,
  standIn: NEVER,
  tell: NEVER
}
type Name = keyof typeof RULES
const ruleOf = (name: Name) => ({
  ...{ markets: MARKETS, timeframe: "1m", on: RULES[name] },
  ...(name === "candles" ? {} : { schedule: EACH_MINUTE }),
  ...(name === "standIn" ? { witness: "stand_in", witness_seconds: 10 } : {}),
  ...(name === "tell" ? { witness: "tell", witness_seconds: 10 } : {})
})

const Origin = Schema.parseJson(
  Schema.Struct({
    by: Schema.String,
    pair: Schema.String,
    at: Schema.Int,
    close: Schema.NullOr(Schema.Number),
    values: Schema.Array(Schema.Struct({ text: Schema.String, value: Schema.NullOr(Schema.Number) }))
  })
)
const Raised = Schema.Struct({ signal: Schema.Int, type: Schema.String, origin: Origin })
const Told = Schema.Struct({
  facts: Schema.parseJson(Schema.Struct({ signal_id: Schema.Int, pair: Schema.String, rule_at: Schema.Int }))
})

/** The row of the table. */
export const killedRules = (kills: number): Promise<Row> =>
  inFolder(async (folder) => {
    const tally = new Tally()
    const seed = Number(process.env["SIGNALBOX_SEED"] ?? Math.floor(Math.random() * 2 ** 31))
    const dice = new SeededRandom(seed)
    const lives = new Lives(folder)
    const key = await token(lives.db, "rules", "full")
    let signals: ReadonlyMap<Name, number> = new Map()
    for (let kill = 0; kill <= kills; kill++) {
      const life = lives.begin()
      if (signals.size === 0) signals = await settled(await life.listening, key)
      await Bun.sleep(kill === kills ? LAST_MS : dice.between(...LIFE_MS))
      if (dice.chance(0.3)) {
        // It may end before it listens.
        life.child.kill("SIGTERM")
        await life.child.exited
      }
      await lives.kill(life)
    }
    const counts = compare(lives.db, signals, tally)
    tally.check(tally.failures === 0, () => `seed ${seed}`)
    return tally.row("rules: killed, and each alert once", `${kills} kills, ${counts}`)
  })

const settled = async (server: Served, key: string): Promise<ReadonlyMap<Name, number>> => {
  const owner = new Owner(server, key)
  const signals = new Map<Name, number>()
  for (const name of ["candles", "clock", "standIn", "tell"] as const) {
    const id = await owner.signal(name)
    const response = await server.fetch(`/v1/signals/${id}`, {
      method: "PUT",
      headers: { ...owner.headers, "content-type": "application/json" },
      body: JSON.stringify({ rule: ruleOf(name) })
    })
    if (!response.ok) throw new Error(`the rule was answered ${response.status}: ${await response.text()}`)
    signals.set(name, id)
  }
  await owner.strategy(signals.get("candles") ?? 0, ["BTC/USDT", "ETH/USDT"])
  return signals
}

const compare = (db: string, signals: ReadonlyMap<Name, number>, tally: Tally): string => {
  const rows = new Rows(db)
  try {
    const alerts = rows.all(
      Raised,
      "SELECT signal_id AS signal, type, body AS origin FROM alerts WHERE door = 'rule' ORDER BY id"
    )
    const told = rows.all(Told, "SELECT facts FROM timeline WHERE rule = 'rule_unwitnessed' ORDER BY id")
    const of = (name: Name) => alerts.filter(({ signal }) => signal === signals.get(name))
    const names = alerts.map(({ origin: { at, by, pair }, signal }) => [signal, pair, by, at].join(" "))
    tally.check(
      new Set(names).size === names.length,
      () => `${names.length - new Set(names).size} came twice`
    )
    const clock = of("clock").map(({ origin: { at, pair } }) => ({ at, pair }))
    const stoodIn = of("standIn").map(({ origin: { at, pair } }) => ({ at, pair }))
    const unwitnessed = told.map(({ facts: { pair, rule_at } }) => ({ at: rule_at * 1_000, pair }))
    whole("a schedule", clock, tally)
    whole("a rule that stands in", stoodIn, tally)
    whole("a rule that tells", unwitnessed, tally)
    for (const { origin, type } of of("candles")) {
      const [close, open] = ["close", "open"].map(
        (text) => origin.values.find((value) => value.text === text)?.value ?? Number.NaN
      )
      const isUp = Number(close) > Number(open)
      tally.check(
        close === origin.close && isUp === (type === "buy"),
        () => `${type} at ${origin.at} with ${JSON.stringify(origin.values)} and the close ${origin.close}`
      )
    }
    const candles = of("candles").length
    tally.check(candles > 3, () => `${candles} alerts of candles are too few`)
    return `${candles} alerts of candles, ${clock.length} of the clock, ${stoodIn.length} stood in, ${told.length} told`
  } finally {
    rows.close()
  }
}

/** Each minute from the first to the last has its one alert, on both markets. */
const whole = (
  name: string,
  found: ReadonlyArray<{ readonly at: number; readonly pair: string }>,
  tally: Tally
): void => {
  for (const pair of ["BTC/USDT", "ETH/USDT"]) {
    const times = found.filter((one) => one.pair === pair).map(({ at }) => at)
    const [first = 0, last = 0] = [Math.min(...times), Math.max(...times)]
    const expected = (last - first) / MINUTE + 1
    tally.check(
      times.length > 10 && times.length === expected && new Set(times).size === expected,
      () => `${name} raised ${times.length} of ${expected} alerts on ${pair}`
    )
  }
}
