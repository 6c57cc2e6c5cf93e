// Every fault of a Postgres server and of the way to it, and kills of the program, at random moments of alerts; then
// everything is compared.
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { isInstalled } from "../lib/postgres/Database.ts"
import * as Books from "./Books.ts"
import { ALERTS, AlertRow, answered, flawsOf, settle } from "./kill.ts"
import { type Life, Lives } from "./Lives.ts"
import { command, inFolder, type Served } from "./Program.ts"
import { FAULTS, type Fault } from "./postgres/faults.ts"
import { Ground } from "./postgres/Ground.ts"
import { betrays, Visitor } from "./postgres/Visitor.ts"
import { leftNow, leftToDo, Rows } from "./Rows.ts"
import { Storm } from "./Storm.ts"
import type { Row, Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"

const CALLERS = 8
/** Alerts that are answered between two faults, at most. */
const ANSWERS = 120
/** How soon alerts are answered again once the database is back; later where the network has forgotten connections. */
const BACK_MS = 1000
const REMEMBERED_MS = 6000
/** How long a fault lasts in a short form, and at most in a long one, where most pass sooner. */
const AWAY_MS = { short: 400, most: 1_000, longest: 20_000 }
const SHARE_OF_LONG = 0.05
/** How long answers are lost before the program is killed: it has committed, and answered nobody. */
const MUTE_MS = 100
const END_MS = 15_000
const KILLS = 200
/** How often the program is started, at most, until it stops with nothing left. */
const LAST_LIVES = 3

const suite: Suite = ({ kills = KILLS, short }) =>
  isInstalled
    ? inFolder((folder) => new Scene(folder, short).play(short ? EVENTS.length : kills))
    : Promise.resolve([
        {
          test: "postgres: left out, because Postgres is not installed here",
          trials: 0,
          failures: 0,
          worst: "apt-get install postgresql",
          details: []
        }
      ])
export default suite

/** Kills of the program: at any moment, and between a commit and its answer. */
const KILLINGS = ["program", "program after a commit"] as const
type Event = Fault | (typeof KILLINGS)[number]
const isFault = (event: Event): event is Fault => event in FAULTS
const NAMES: ReadonlyArray<string> = Object.keys(FAULTS)
const EVENTS: ReadonlyArray<Event> = [...NAMES.filter((name): name is Fault => name in FAULTS), ...KILLINGS]
/** A server that is away for long without a word is the hardest. */
const LONG_ONCE: ReadonlySet<Event> = new Set(["away", "frozen", "silent", "forgotten", "disk full"])

class Scene {
  private readonly folder: string
  private readonly short: boolean
  private readonly seed = Number(process.env["SIGNALBOX_SEED"] ?? Math.floor(Math.random() * 2 ** 31))
  private readonly dice = new SeededRandom(this.seed)
  private readonly back = new Tally()
  private readonly servers: Array<Served> = []
  private slowest = { ms: 0, fault: "" }

  constructor(folder: string, short: boolean) {
    this.folder = folder
    this.short = short
  }

  async play(count: number): Promise<ReadonlyArray<Row>> {
    const ground = await Ground.make(this.folder)
    try {
      return await this.storm(ground, count)
    } finally {
      for (const { child } of this.servers) child.kill("SIGKILL")
      await ground.close()
    }
  }

  private async storm(ground: Ground, count: number): Promise<ReadonlyArray<Row>> {
    // What is logged of a failure must not name the way into the database, however much is logged.
    const lives = new Lives(this.folder, ground.url, ["--log-level", "all"])
    const keys = await settle(lives)
    const weather = new Storm(this.dice, keys, true)
    const visitor = new Visitor(keys[0]?.api ?? "")
    const callers = weather.rage(CALLERS)
    let life = lives.begin()
    await this.listening(life, weather, visitor)
    const possible = EVENTS.filter((event) => event !== "disk full" || ground.noDisk === undefined)
    const counts = new Map<Event, number>()
    for (let index = 0; index < count; index++) {
      // Each once, and then at random.
      const event = possible[index] ?? this.dice.pick(possible)
      counts.set(event, (counts.get(event) ?? 0) + 1)
      await answered(weather, this.dice.between(20, this.short ? ANSWERS / 3 : ANSWERS))
      if (isFault(event)) await this.strike(ground, event, weather, index < possible.length)
      else life = await this.killed(lives, life, event, { ground, weather, visitor })
      if (life.child.exitCode !== null) break
    }
    weather.end()
    await callers
    await visitor.end()
    const tally = new Tally()
    await this.stopped(lives, life, ground, tally)
    await this.finished(lives, new Rows(ground.direct), tally)
    await this.judged(ground, weather, tally)
    const faults = [...counts].map(([event, count]) => `${count} ${event}`).join(", ")
    const noDisk = ground.noDisk === undefined ? "" : `; the disk was not filled: ${ground.noDisk}`
    return [
      tally.row(
        "postgres: no alert lost, none twice, books balance",
        `${weather.answers} answers, ${weather.postponed} times 503; ${faults}; seed ${this.seed}${noDisk}`
      ),
      this.back.row(
        "postgres: alerts are answered again once it is back",
        `${this.slowest.ms.toFixed(0)} ms after ${this.slowest.fault} (under ${BACK_MS} ms)`
      ),
      visitor.answers.row("postgres: pages meanwhile", `answered within ${visitor.slowest.toFixed(0)} ms`),
      visitor.secrets.row("postgres: pages without the way in", "none names the user or the password")
    ]
  }

  private async listening(life: Life, weather: Storm, visitor: Visitor): Promise<void> {
    const served = await life.listening
    this.servers.push(served)
    await served.ready(life.began)
    visitor.visit(served)
    weather.base = served.url("")
  }

  private async killed(
    lives: Lives,
    life: Life,
    event: Event,
    {
      ground,
      visitor,
      weather
    }: { readonly ground: Ground; readonly visitor: Visitor; readonly weather: Storm }
  ): Promise<Life> {
    const speak = event === "program" ? undefined : ground.proxy.mute()
    if (speak !== undefined) await Bun.sleep(MUTE_MS)
    visitor.visit(undefined)
    weather.base = undefined
    await lives.kill(life)
    speak?.()
    const next = lives.begin()
    await this.listening(next, weather, visitor)
    return next
  }

  /** Lets a fault come and go, and notes how long the next answer took since Postgres was back. */
  private async strike(ground: Ground, fault: Fault, weather: Storm, isFirst: boolean): Promise<void> {
    const unanswered = weather.unanswered
    await FAULTS[fault](ground, () => Bun.sleep(this.pause(fault, isFirst)))
    const [began, before] = [performance.now(), weather.answers]
    while (weather.answers === before && performance.now() - began < 20 * BACK_MS) await Bun.sleep(5)
    const took = performance.now() - began
    if (took > this.slowest.ms) this.slowest = { ms: took, fault }
    this.back.within(
      took,
      fault === "forgotten" ? REMEMBERED_MS : BACK_MS,
      () => `after ${fault}: ${took.toFixed(0)} ms`
    )
    const lost = weather.unanswered - unanswered
    this.back.check(lost === 0, () => `${lost} alerts got no answer at all while Postgres was ${fault}`)
  }

  private pause(fault: Fault, isFirst: boolean): number {
    if (this.short) return AWAY_MS.short
    if (isFirst && LONG_ONCE.has(fault)) return AWAY_MS.longest
    return this.dice.between(0, this.dice.chance(SHARE_OF_LONG) ? AWAY_MS.longest : AWAY_MS.most)
  }

  /** A silent server keeps nobody from ending. */
  private async stopped(lives: Lives, life: Life, { proxy }: Ground, tally: Tally): Promise<void> {
    const speak = proxy.silence()
    const began = performance.now()
    life.child.kill("SIGTERM")
    const code = await Promise.race([lives.ended(life), Bun.sleep(END_MS)])
    const took = performance.now() - began
    tally.check(
      code === 0,
      () => `after SIGTERM, beside a silent Postgres, it exits with ${code} in ${took.toFixed(0)} ms`
    )
    speak(true)
  }

  /**
   * Starts the program until it stops with nothing left: prices go on until the stop, and an order that was decided
   * just before it is sent by the next.
   */
  private async finished(lives: Lives, rows: Rows, tally: Tally): Promise<void> {
    let left = "the program was not started"
    for (let time = 0; time < LAST_LIVES && left !== ""; time++) {
      const life = lives.begin()
      this.servers.push(await life.listening)
      left = await leftToDo(rows)
      tally.check(left === "", () => `after a minute without a change: ${left}`)
      life.child.kill("SIGTERM")
      const code = await lives.ended(life)
      tally.check(code === 0, () => `SIGTERM ended it with ${code}`)
      left = leftNow(rows)
    }
    rows.close()
    tally.check(left === "", () => `after ${LAST_LIVES} orderly stops: ${left}`)
  }

  private async judged(ground: Ground, weather: Storm, tally: Tally): Promise<void> {
    const rows = new Rows(ground.direct)
    const verified = await command(["verify", "--db", ground.direct])
    tally.check(verified.exitCode === 0, () => `verify: ${verified.stdout.slice(0, 300)}${verified.stderr}`)
    const stored = rows.all(AlertRow, ALERTS)
    const byMark = Map.groupBy(stored, ({ mark }) => mark)
    for (const sent of weather.sent) {
      const flaws = flawsOf(sent, byMark.get(sent.mark) ?? [])
      tally.check(flaws.length === 0, () => flaws.join("; "))
    }
    tally.check(weather.refused.length === 0, () => [...new Set(weather.refused)].join("; "))
    for (const flaw of Books.audit(rows).flaws) tally.check(false, () => flaw)
    rows.close()
    const printed = [...this.servers.map((server) => server.printed), verified.stdout, verified.stderr]
    for (const text of printed) tally.check(!betrays(text), () => "the log holds the password")
  }
}
