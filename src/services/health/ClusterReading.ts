// What a node of a cluster knows of itself and of the whole. A server that is alone has none of this.

/** A node as the database lists it. */
export interface NodeReading {
  /** Where other nodes reach it: its name. */
  readonly address: string
  readonly version: string
  /** The partitions that it has under a lease. */
  readonly partitions: number
  /** Alerts that its bots have not judged yet, as it told last. */
  readonly behind: number
  /** How long ago it told of itself (ms). */
  readonly seenMs: number
  /** Whether that is recent: else it was killed, or is cut off. */
  readonly isThere: boolean
  /** Whether it gives its partitions away, to be stopped. */
  readonly isDraining: boolean
}

/** The cluster as its database has it. */
export interface ClusterWhole {
  readonly nodes: ReadonlyArray<NodeReading>
  /** Partitions that no node has: their bots stand still. */
  readonly dark: number
  /** How often partitions have changed their owner, ever. */
  readonly epochs: number
}

/** The cluster as one node sees it. */
export interface ClusterReading {
  readonly address: string
  /** The partitions that it has under a lease, by its own clock. */
  readonly partitions: number
  /** Alerts that its bots have not judged yet, about a second ago. */
  readonly behind: number
  /** Whether it gives its partitions away, by what it read last. */
  readonly isDraining: boolean
  /** Undefined while the database is away. */
  readonly whole: ClusterWhole | undefined
}
