// Checks the Postgres server of a database: version, durability, clock, connections, rights, and whether it takes writes.
import type { Health } from "../../postgres/Health.ts"
import { type Check, fail, GUIDE, ok, warn } from "./Check.ts"

/** The first version that we know to work. */
const OLDEST = 14
/** Connections that one server uses, and with how few left the doctor fails. */
const USED = 12
const FEW = 3
/** From which difference of clocks (ms) the doctor warns, and fails. */
const SKEW_MS = 1_000
const MOST_SKEW_MS = 5_000
/** From which lag (s) a follower is far behind. */
const LAG_SECONDS = 60

/** All checks of a server; a running server of ours holds its connections already. */
export const postgres = (health: Health, isServed: boolean): ReadonlyArray<Check> => [
  version(health),
  durability(health),
  clock(health),
  connections(health, isServed),
  rights(health),
  writes(health),
  ...followers(health)
]

const version = ({ name, version }: Health): Check =>
  version >= OLDEST * 10_000
    ? ok("postgres", `version ${name}`)
    : fail(
        "postgres",
        `version ${name} is older than ${OLDEST}`,
        "upgrade the Postgres server",
        GUIDE.postgres
      )

const durability = ({ fsync, fullPageWrites, synchronousCommit }: Health): Check => {
  const off = [...(fsync ? [] : ["fsync"]), ...(fullPageWrites ? [] : ["full_page_writes"])]
  if (off.length > 0)
    return fail(
      "durable",
      `${off.join(" and ")} ${off.length === 1 ? "is" : "are"} off: a power cut may damage the database`,
      `switch it on in postgresql.conf (${off.map((name) => `${name} = on`).join(", ")}), and reload`,
      GUIDE.postgres
    )
  const isOwn = synchronousCommit === "off" || synchronousCommit === "local"
  return ok(
    "durable",
    isOwn
      ? `synchronous_commit is ${synchronousCommit}, and on for Signalbox: an answered alert is on disk`
      : `synchronous_commit is ${synchronousCommit}: an answered alert is on disk`
  )
}

const clock = ({ clockDifference }: Health): Check => {
  const apart = Math.abs(clockDifference)
  const text = `the clock of the Postgres server is ${(apart / 1000).toFixed(1)} s ${clockDifference < 0 ? "behind" : "ahead of"} this machine's`
  const advice = "set both clocks by a time service: timedatectl set-ntp true"
  if (apart > MOST_SKEW_MS) return fail("clocks", text, advice, GUIDE.postgres)
  if (apart > SKEW_MS) return warn("clocks", text, advice, GUIDE.postgres)
  return ok("clocks", "the Postgres server and this machine have the same time")
}

const connections = ({ connectionsLeft }: Health, isServed: boolean): Check => {
  const left = Math.max(connectionsLeft, 0)
  const text = `${left} ${left === 1 ? "connection is" : "connections are"} left to this user`
  const advice = `raise max_connections, or the limit of the role or database: one server uses up to ${USED}`
  if (connectionsLeft < FEW) return fail("connects", text, advice, GUIDE.postgres)
  if (!isServed && connectionsLeft < USED) return warn("connects", text, advice, GUIDE.postgres)
  return ok("connects", text)
}

const rights = ({ closedTables, mayCreate }: Health): Check => {
  if (!mayCreate)
    return fail(
      "rights",
      "this user may make no tables in the database",
      "let the role own the database: ALTER DATABASE ... OWNER TO ...",
      GUIDE.postgresSetup
    )
  return closedTables > 0
    ? fail(
        "rights",
        `this user may not read and write ${closedTables} of the tables`,
        "use the role that made them, or let this one own them: REASSIGN OWNED BY ... TO ...",
        GUIDE.postgresSetup
      )
    : ok("rights", "this user may make, read and write tables")
}

const writes = ({ behindSeconds, follows, readOnly }: Health): Check => {
  if (follows)
    return fail(
      "writes",
      `the Postgres server only follows another one${behindSeconds === null ? "" : `, ${Math.round(behindSeconds)} s behind it`}`,
      "use the address of the one that takes writes",
      GUIDE.postgres
    )
  return readOnly
    ? fail(
        "writes",
        "the database takes no writes: default_transaction_read_only is on",
        "switch it off for the database or the role",
        GUIDE.postgres
      )
    : ok("writes", "the database takes writes")
}

const followers = ({ followers, lagSeconds }: Health): ReadonlyArray<Check> => {
  if (followers === 0) return []
  const text = `${followers} ${followers === 1 ? "server follows" : "servers follow"} this one`
  if (lagSeconds !== null && lagSeconds > LAG_SECONDS)
    return [
      warn(
        "replicas",
        `${text}, the slowest ${Math.round(lagSeconds)} s behind`,
        "a fail-over would lose that much: see pg_stat_replication",
        GUIDE.postgres
      )
    ]
  return [ok("replicas", lagSeconds === null ? text : `${text}, at most ${lagSeconds.toFixed(1)} s behind`)]
}
