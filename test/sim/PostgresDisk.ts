// A database of a real Postgres server as the disk of a simulated world. The server answers in its own time, and the
// world's time stands still meanwhile. Its back ends are terminated and killed, statements are cancelled, answers get
// lost, nobody reaches it, or it only reads; and a statement of a life that has crashed arrives in the middle of the next.
import { Effect, Exit, Layer, Scope } from "effect"
import * as Journal from "../../src/postgres/Journal.ts"
import * as Partitions from "../../src/postgres/Partitions.ts"
import * as Portfolio from "../../src/postgres/Portfolio.ts"
import * as Postgres from "../../src/postgres/Postgres.ts"
import * as AccountRows from "../../src/sql/Accounts.ts"
import * as HaltRows from "../../src/sql/Halts.ts"
import * as KeyRows from "../../src/sql/Idempotency.ts"
import type { EndOfTurn } from "../../src/sql/journal/JournalQueue.ts"
import * as MarketRows from "../../src/sql/Markets.ts"
import * as OrderRows from "../../src/sql/Orders.ts"
import * as SignalRows from "../../src/sql/Signals.ts"
import * as StrategyRows from "../../src/sql/StrategyStore.ts"
import * as TimelineRows from "../../src/sql/Timeline.ts"
import * as TradeRows from "../../src/sql/Trades.ts"
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { administrate, fresh, server, urlOf } from "../lib/postgres/Database.ts"
import { Eye } from "../lib/postgres/Eye.ts"
import * as Proxy from "../lib/postgres/Proxy.ts"
import type { Server } from "../lib/postgres/Server.ts"
import * as Stillness from "../lib/postgres/Stillness.ts"
import { type Disk, people, type Template } from "./Disk.ts"
import type { World } from "./World.ts"

const TEMPLATE = "simulated_world"

/** Records every change of an order's status, and who ever waited; `json` is SQLite's function of this name. */
const AUDIT = `
  CREATE TABLE sim_waits (alert bigint, strategy bigint, since bigint, PRIMARY KEY (alert, strategy));
  CREATE FUNCTION sim_waited() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO sim_waits VALUES (new.alert_id, new.strategy_id, new.since) ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$;
  CREATE TRIGGER sim_waited AFTER INSERT ON waiting FOR EACH ROW EXECUTE FUNCTION sim_waited();
  CREATE TABLE sim_transitions (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text, before text, after text
  );
  CREATE FUNCTION sim_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO sim_transitions (id, before, after) VALUES (old.id, old.status, new.status);
    RETURN NULL;
  END $$;
  CREATE TRIGGER sim_changed AFTER UPDATE OF status ON orders FOR EACH ROW EXECUTE FUNCTION sim_changed();
  CREATE FUNCTION json(text) RETURNS json LANGUAGE sql IMMUTABLE AS 'SELECT $1::json'`

/** The initial database, on a server of this process. */
export const template = async (): Promise<Template> => {
  const running = await server()
  await administrate(running, `CREATE DATABASE ${TEMPLATE}`)
  const url = urlOf(running, TEMPLATE)
  const found = await Effect.runPromise(
    Effect.provide(people, Layer.provideMerge(AccountRows.layer, Postgres.layer({ url, node: "template" })))
  )
  const eye = new Eye(url)
  eye.rows(AUDIT)
  eye.close()
  Stillness.watch()
  return {
    ...found,
    repeats: false,
    open: () => open(running),
    close: async () => {}
  }
}

const open = async (running: Server): Promise<Disk> => {
  const name = fresh("world")
  await administrate(running, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`)
  const scope = await Effect.runPromise(Scope.make())
  const proxy = await Effect.runPromise(Scope.extend(Proxy.open(running.port), scope))
  return new PostgresDisk(running, name, proxy, scope)
}

type Blow =
  | "terminated"
  | "all terminated"
  | "cancelled"
  | "killed"
  | "answer to alerts lost"
  | "answer to a commit lost"
  | "any answer lost"
  | "away"
  | "overtaken"

/** What may happen, with its share of all. Only a kill takes long, since the whole server starts again. */
const BLOWS: ReadonlyArray<readonly [Blow, number]> = [
  ["terminated", 0.2],
  ["all terminated", 0.1],
  ["cancelled", 0.1],
  ["killed", 0.02],
  ["answer to alerts lost", 0.1],
  ["answer to a commit lost", 0.15],
  ["any answer lost", 0.1],
  ["away", 0.08],
  ["overtaken", 0.15]
]

/** The functions of the database that append alerts, and that begin a commit of the engine. */
const APPEND = "signalbox_append("
const COMMIT = "signalbox_fence("

const OTHERS = "FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()"

/** The database of one run. */
class PostgresDisk implements Disk {
  readonly #server: Server
  readonly #name: string
  readonly #proxy: Proxy.Proxy
  readonly #scope: Scope.CloseableScope
  readonly #eye: Eye
  #back: (() => void) | undefined

  constructor(running: Server, name: string, proxy: Proxy.Proxy, scope: Scope.CloseableScope) {
    this.#server = running
    this.#name = name
    this.#proxy = proxy
    this.#scope = scope
    this.#eye = new Eye(urlOf(running, name))
  }

  layer(endOfTurn: EndOfTurn) {
    // Each life is a process of its own.
    const process = {
      url: urlOf({ ...this.#server, port: this.#proxy.port }, this.#name),
      node: fresh("life")
    }
    return Layer.mergeAll(
      SignalRows.layer,
      StrategyRows.layer,
      MarketRows.layer,
      Journal.layerWith(endOfTurn),
      TimelineRows.layer,
      Layer.provide(Portfolio.layer, Partitions.layerAlone),
      KeyRows.layer,
      OrderRows.layer,
      TradeRows.layer,
      HaltRows.layer
    ).pipe(Layer.provide(Postgres.layer(process)))
  }

  rows<Row>(sql: string, ...values: ReadonlyArray<string | number>): ReadonlyArray<Row> {
    let place = 0
    return this.#eye.rows<Row>(
      sql.replaceAll("?", () => `$${++place}`),
      ...values
    )
  }

  /** The kernel closes the connections of the process; what was sent already is done nevertheless. */
  cut(): void {
    const isAway = this.#back !== undefined
    const back = this.#proxy.leave()
    if (!isAway) back()
    Stillness.forget()
  }

  /** A fail-over to a server that only reads: every connection ends, and those that begin cannot write. */
  fill(): void {
    this.#readOnly("on")
  }

  makeRoom(): void {
    this.#back?.()
    this.#back = undefined
    this.#readOnly("off")
  }

  pending(): Promise<void> | undefined {
    return Stillness.next()
  }

  async close(): Promise<void> {
    this.cut()
    this.#eye.close()
    await Effect.runPromise(Scope.close(this.#scope, Exit.void))
    await administrate(this.#server, `DROP DATABASE ${this.#name} WITH (FORCE)`)
  }

  strike(world: World, dice: SeededRandom): void {
    const blow = drawn(dice)
    world.trace(`the database: ${blow}`)
    switch (blow) {
      case "terminated":
        return this.#signal("pg_terminate_backend", "ORDER BY random() LIMIT 1")
      case "all terminated":
        return this.#signal("pg_terminate_backend", "")
      case "cancelled":
        return this.#signal("pg_cancel_backend", "AND state <> 'idle'")
      case "killed":
        return this.#kill()
      case "answer to alerts lost":
        return this.#anew(() => this.#proxy.loseAnswerTo(APPEND))
      case "answer to a commit lost":
        return this.#anew(() => this.#proxy.loseAnswerTo(COMMIT))
      case "any answer lost":
        return this.#proxy.loseAnswerTo("")
      case "away":
        this.#back ??= this.#proxy.leave()
        return world.loom.after(dice.whole(200, 6_000), () => {
          this.#back?.()
          this.#back = undefined
        })
      case "overtaken":
        return this.#anew(() =>
          this.#proxy.strand(dice.chance(0.7) ? COMMIT : APPEND, (arrive) => {
            if (world.calm) return arrive()
            world.crash()
            world.loom.after(dice.whole(0, 4_000), arrive)
          })
        )
    }
  }

  /** A connection names a statement only once by its text: the next one is made on a new connection. */
  #anew(then: () => void): void {
    this.#signal("pg_terminate_backend", "")
    then()
  }

  #signal(how: string, which: string): void {
    this.#eye.rows(`SELECT ${how}(pid) ${OTHERS} ${which}`, this.#name)
  }

  #kill(): void {
    const [found] = this.#eye.rows<{ pid: number }>(`SELECT pid ${OTHERS} LIMIT 1`, this.#name)
    if (found !== undefined) process.kill(found.pid, "SIGKILL")
  }

  #readOnly(how: "on" | "off"): void {
    this.#eye.rows("SET default_transaction_read_only = off")
    this.#eye.rows(`ALTER DATABASE ${this.#name} SET default_transaction_read_only = ${how}`)
    this.#signal("pg_terminate_backend", "")
  }
}

const drawn = (dice: SeededRandom): Blow => {
  let left = dice.next()
  for (const [blow, share] of BLOWS) {
    left -= share
    if (left < 0) return blow
  }
  return "terminated"
}
