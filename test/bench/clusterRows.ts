// People for the bench of several servers: accounts in all partitions, each with strategies that follow signals of one
// sender. They are copied as rows, because making them one by one would take minutes.
import { SQL } from "bun"
import { PARTITIONS } from "../../src/domain/Partition.ts"

/** Adds accounts to the one that is there, two for each partition, without any strategy. */
const ACCOUNTS = 2 * PARTITIONS

const PEOPLE = `INSERT INTO accounts (name, created_at)
  SELECT 'follower-' || number, 0 FROM generate_series(1, ${ACCOUNTS}) AS number`

/** Copies the first strategy so often to each of the accounts in turn, as followers of a signal or of each in turn. */
const STRATEGIES = `INSERT INTO strategies (account, signal_id, settings, created_at, updated_at)
  SELECT 2 + number % ${ACCOUNTS}, ($1::bigint[])[1 + number % $2], settings, created_at, updated_at
  FROM strategies, generate_series(0, $3 - 1) AS number WHERE strategies.id = 1`
const FOLLOWINGS = `INSERT INTO followings (signal_id, strategy_id, account, from_alert)
  SELECT signal_id, id, account, 0 FROM strategies
  WHERE id NOT IN (SELECT strategy_id FROM followings) ORDER BY id`

/** The database of the bench, beside its servers. */
export class Rows {
  readonly #sql: SQL

  constructor(url: string) {
    this.#sql = new SQL(url, { max: 1 })
  }

  people = () => this.#sql.unsafe(PEOPLE)

  /** So many followers, spread over these signals. */
  async follow(signals: ReadonlyArray<number>, count: number): Promise<void> {
    await this.#sql.unsafe(STRATEGIES, [`{${signals.join(",")}}`, signals.length, count])
    await this.#sql.unsafe(FOLLOWINGS)
    await this.#sql.unsafe("ANALYZE")
  }

  /** How many partitions these many servers hold, each one at least a few. */
  async held(nodes: number): Promise<number> {
    const rows = await this.#sql.unsafe(
      "SELECT owner, count(*)::int AS held FROM partitions WHERE lease > clock_timestamp() GROUP BY owner"
    )
    const counts = rows.map(({ held }: { held: number }) => held)
    return counts.length === nodes ? counts.reduce((sum: number, held: number) => sum + held, 0) : 0
  }

  /** How many outcomes are stored. */
  async outcomes(): Promise<number> {
    const [row] = await this.#sql.unsafe("SELECT count(*)::int AS count FROM outcomes")
    return Number(row.count)
  }

  /** What the database takes on its disk (bytes). */
  async bytes(): Promise<number> {
    const [row] = await this.#sql.unsafe("SELECT pg_database_size(current_database()) AS bytes")
    return Number(row.bytes)
  }

  end = () => this.#sql.end()
}
