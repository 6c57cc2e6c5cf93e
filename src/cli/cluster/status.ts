// The cluster of a database for people and for programs.
import { PARTITIONS } from "../../domain/Partition.ts"
import type { ClusterWhole, NodeReading } from "../../services/health/ClusterReading.ts"
import { columns, plain } from "../program/table.ts"

const stateOf = ({ isDraining, isThere }: NodeReading) =>
  isThere ? (isDraining ? "draining" : "running") : "lost"

/** Partitions that nobody has; the one server of a database has all of them without a lease. */
const darkOf = ({ dark }: ClusterWhole, isAlone: boolean) => (isAlone ? 0 : dark)

const HEAD = ["node", "version", "state", "partitions", "behind", "seen"]

/** A line for each node; `behind` are alerts that its bots have not judged yet. */
export const text = (place: string, whole: ClusterWhole, isAlone: boolean): string => {
  if (isAlone) return `One server serves ${place} alone.`
  const running = whole.nodes.filter(({ isThere }) => isThere).length
  const first = `${running} ${running === 1 ? "server shares" : "servers share"} ${place}; ${
    whole.dark === 0
      ? `each of its ${PARTITIONS} partitions has one`
      : `${whole.dark} of its ${PARTITIONS} partitions have none`
  }.`
  if (whole.nodes.length === 0) return first
  const rows = whole.nodes.map((node) => [
    plain(node.address),
    plain(node.version),
    stateOf(node),
    String(node.partitions),
    String(node.behind),
    `${Math.round(node.seenMs / 1000)} s ago`
  ])
  return `${first}\n\n${columns(HEAD, rows)}`
}

export const json = (place: string, whole: ClusterWhole, isAlone: boolean) => ({
  database: place,
  partitions: PARTITIONS,
  dark_partitions: darkOf(whole, isAlone),
  epochs: whole.epochs,
  nodes: whole.nodes.map((node) => ({
    address: node.address,
    version: node.version,
    state: stateOf(node),
    partitions: node.partitions,
    behind: node.behind,
    seen_seconds_ago: Math.round(node.seenMs / 1000)
  }))
})
