// One server of the built program after the other on one database, with recorded candles that continue from the previous
// one.
import { join } from "node:path"
import * as Candles from "./Candles.ts"
import { Served } from "./Program.ts"

/** How many times faster the replay's time passes, with a candle every 50 ms of real time. */
const SPEED = 20
const CANDLE_MS = 1000
const CANDLES_A_LIFE = 2400
const BEGINNING = Date.UTC(2024, 0, 1)

export interface Life {
  readonly began: number
  readonly child: Served["child"]
  readonly listening: Promise<Served>
}

export class Lives {
  readonly db: string
  private readonly folder: string
  private readonly ahead: ReadonlyArray<string>
  private next = BEGINNING

  /** `ahead` are options before the command. */
  constructor(folder: string, db = join(folder, "signalbox.db"), ahead: ReadonlyArray<string> = []) {
    this.folder = folder
    this.db = db
    this.ahead = ahead
  }

  begin(): Life {
    const stretch = { from: this.next, every: CANDLE_MS, count: CANDLES_A_LIFE }
    const candles = Candles.write(join(this.folder, "candles"), stretch)
    const replay = ["--prices", `replay:${candles}`, "--replay-speed", `${SPEED}`]
    const began = performance.now()
    const { child, listening } = Served.launch(
      this.db,
      [...replay, "--alert-rate", "0", "--crud-rate", "0"],
      { ahead: this.ahead }
    )
    // A server that is killed before it listens is not waited for.
    listening.catch(() => {})
    return { began, child, listening }
  }

  async kill(life: Life): Promise<void> {
    life.child.kill("SIGKILL")
    await this.ended(life)
  }

  /** Waits for the end of a life. The candles of the next begin where those of this one ended. */
  async ended({ began, child }: Life): Promise<number> {
    const code = await child.exited
    const passed = (performance.now() - began) * SPEED
    this.next += Math.ceil(passed / CANDLE_MS + 1) * CANDLE_MS
    return code
  }
}
