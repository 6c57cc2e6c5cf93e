// The invariants F1 to F8 of several nodes: who has a partition, whose commits are stored, and who sends orders.
import { PARTITIONS, Partition } from "../../../src/domain/Partition.ts"
import type { People } from "../People.ts"
import type { World } from "../World.ts"
import type { Nodes } from "./Nodes.ts"
import type { Fenced, Lease } from "./SharedDatabase.ts"

export class FenceChecks {
  readonly #world: World
  readonly #nodes: Nodes
  readonly #known = new Map<number, Lease>()
  /** The one that each epoch of each partition belongs to. */
  readonly #owners = new Map<string, string>()
  readonly #partitions = new Map<number, Partition>()
  /** How often partitions went from one node to another, and how many commits were refused. */
  handed = 0
  refused = 0

  constructor(world: World, nodes: Nodes) {
    this.#world = world
    this.#nodes = nodes
  }

  /** Somebody may have taken, held or given back partitions. */
  moved(all: ReadonlyArray<Lease>, by: string): void {
    for (const now of all) {
      const before = this.#known.get(now.id)
      this.#known.set(now.id, now)
      if (before === undefined) continue
      this.#owner(before, now)
      if (before.owner !== null && now.owner === null) this.#givenBack(now.id, by)
      if (now.cursor < before.cursor)
        this.#world.fail(
          "F7",
          `the cursor of partition ${now.id} went from ${before.cursor} to ${now.cursor}`
        )
    }
  }

  /** A commit has passed the fence, or was refused. */
  fenced({ epoch, id, isStored, owner }: Fenced, { epoch: current, owner: holder }: Lease): void {
    if (!isStored) this.refused++
    else if (owner !== holder || epoch !== current)
      this.#world.fail(
        "F3",
        `a commit of ${owner} in epoch ${epoch} of partition ${id} was stored, which ${holder} has in epoch ${current}`
      )
  }

  /** A node has looked at its lease for the last time, and its request leaves. It may arrive until it expires. */
  leaves(node: string, order: string): void {
    const partition = this.partitionOf(order)
    const lease = this.#nodes.database.partitions().find(({ id }) => id === partition)
    if (lease?.owner !== node || (lease.lease ?? 0) <= this.#world.now)
      this.#world.fail(
        "F4",
        `${node} sent order ${order} of partition ${partition}, which ${lease?.owner ?? "nobody"} has until ${lease?.lease}, at ${this.#world.now}`
      )
  }

  /** The partition of an order, whose id begins with its strategy's. */
  partitionOf(order: string): Partition {
    const strategy = Number.parseInt(order, 10)
    const known = this.#partitions.get(strategy)
    if (known !== undefined) return known
    const [row] = this.#world.disk.rows<{ account: number }>(
      "SELECT account FROM strategies WHERE id = ?",
      strategy
    )
    const found = Partition.make((row?.account ?? 0) % PARTITIONS)
    this.#partitions.set(strategy, found)
    return found
  }

  /** F8: what was answered is judged after a while of calm (ms). */
  judged({ bareAnswered, keyed, strategies }: People, afterMs: number): void {
    const answered = [
      ...bareAnswered,
      ...keyed.flatMap(({ answered, signal }) => (answered === undefined ? [] : [{ id: answered, signal }]))
    ]
    for (const { id, signal } of answered)
      for (const { deleted, id: strategy, signal: followed } of strategies) {
        if (followed !== signal || deleted !== "no") continue
        const [found] = this.#world.disk.rows(
          `SELECT 1 FROM outcomes WHERE alert_id = ?1 AND strategy_id = ?2
            UNION ALL SELECT 1 FROM waiting WHERE alert_id = ?1 AND strategy_id = ?2`,
          id,
          strategy
        )
        if (found === undefined)
          return this.#world.fail(
            "F8",
            `alert ${id} is not judged by strategy ${strategy} after ${afterMs / 1000} s of calm`
          )
      }
  }

  /** F6: a strategy judges alerts in their sequence, those aside that waited for something. */
  finally(): void {
    const [wrong] = this.#world.disk.rows<{ alert: number; before: number; strategy: number }>(
      `SELECT * FROM (
         SELECT alert_id AS alert, strategy_id AS strategy,
           lag(alert_id) OVER (PARTITION BY strategy_id ORDER BY id) AS before
         FROM timeline WHERE rule = 'alert' AND NOT EXISTS
           (SELECT 1 FROM sim_waits WHERE alert = alert_id AND strategy = strategy_id)
       ) AS told WHERE before > alert`
    )
    if (wrong !== undefined)
      this.#world.fail("F6", `strategy ${wrong.strategy} judged alert ${wrong.before} before ${wrong.alert}`)
  }

  #owner(before: Lease, { epoch, id, owner }: Lease): void {
    const { fail } = { fail: (invariant: string, text: string) => this.#world.fail(invariant, text) }
    if (epoch < before.epoch) fail("F2", `the epoch of partition ${id} went from ${before.epoch} to ${epoch}`)
    if (owner === null || owner === before.owner) return
    this.handed++
    if (before.owner !== null && (before.lease ?? 0) > this.#world.now)
      fail(
        "F1",
        `${owner} took partition ${id}, which ${before.owner} had for ${(before.lease ?? 0) - this.#world.now} ms more`
      )
    const name = `${id} ${epoch}`
    const first = this.#owners.get(name) ?? owner
    this.#owners.set(name, first)
    if (first !== owner)
      fail("F2", `${owner} has partition ${id} in epoch ${epoch}, which was that of ${first}`)
  }

  #givenBack(partition: number, by: string): void {
    const node = this.#nodes.living.find(({ link }) => link.name === by)
    if (node?.runsUnder(Partition.make(partition)) === true)
      this.#world.fail("F5", `${by} gave partition ${partition} back while its engine ran the bots of it`)
  }
}
