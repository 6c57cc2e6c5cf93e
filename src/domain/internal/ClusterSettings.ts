// Violations in the settings of a server that shares its database with other servers.

/** The settings that have to fit together. */
export interface ClusterSettings {
  readonly cluster: boolean
  /** Whether a database of Postgres is named. */
  readonly isPostgres: boolean
  readonly nodeHost: string
  readonly tlsCert: string
}

/** Whether what is sent to a host stays on this machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host)

/** Why nodes must not talk at a host without a certificate. */
export const plainRefusal = (host: string): string =>
  `nodes talk in plain text on loopback only, and --node-host ${host} is not: set --tls-cert and --tls-key`

/** Why a server does not start with these; undefined where it may. */
export const clusterRefusal = ({
  cluster,
  isPostgres,
  nodeHost,
  tlsCert
}: ClusterSettings): string | undefined => {
  if (!cluster) return undefined
  if (!isPostgres)
    return "--cluster needs a database that several servers share: name one of Postgres with --database"
  return tlsCert === "" && !isLoopback(nodeHost) ? plainRefusal(nodeHost) : undefined
}
