// The metrics of a node of a cluster: its own part, and the whole as its database has it. A server that is alone has none.
import type { ClusterReading, NodeReading } from "../../services/health/ClusterReading.ts"
import type { Plain } from "./Exposition.ts"

const family = (type: Plain["type"], name: string, help: string, samples: Plain["samples"]): Plain => ({
  ...{ name: `signalbox_cluster_${name}`, type },
  ...{ help, samples }
})

/** The metrics; those of the whole have no value while the database is away. */
export const families = (reading: ClusterReading | undefined): ReadonlyArray<Plain> => {
  if (reading === undefined) return []
  const { isDraining, partitions, whole } = reading
  const count = (state: string, is: (node: NodeReading) => boolean) =>
    whole === undefined ? [] : [{ labels: { state }, value: whole.nodes.filter(is).length }]
  return [
    family("gauge", "partitions", "Partitions that this node has under a lease.", [{ value: partitions }]),
    family("gauge", "draining", "Whether this node gives its partitions away, to be stopped.", [
      { value: isDraining ? 1 : 0 }
    ]),
    family("gauge", "nodes", "Nodes of the database, by state; those that are lost were seen within a day.", [
      ...count("running", ({ isDraining, isThere }) => isThere && !isDraining),
      ...count("draining", ({ isDraining, isThere }) => isThere && isDraining),
      ...count("lost", ({ isThere }) => !isThere)
    ]),
    family(
      "gauge",
      "partitions_dark",
      "Partitions of the database that no node has: their bots stand still.",
      whole === undefined ? [] : [{ value: whole.dark }]
    ),
    family(
      "counter",
      "epochs_total",
      "How often partitions of the database have changed their node.",
      whole === undefined ? [] : [{ value: whole.epochs }]
    )
  ]
}
