// Who may import whom: folders and files of src, then packages. A type-only import counts too.
import type { Row } from "./house.ts"

const portable = "effect @effect/platform @effect/experimental"
const front = "domain trading services api http testing Composition.ts Memory.ts index.ts"
export const table: Record<string, Row> = {
  domain: { ours: "domain", packages: "effect-data" },
  trading: { ours: "domain trading", packages: "effect-data" },
  services: { ours: "domain trading services", packages: "effect @effect/experimental" },
  sql: { ours: "domain trading services sql", packages: `${portable} @effect/sql bun node` },
  sqlite: {
    ours: "domain trading services WorkerAddress.ts sql sqlite",
    packages: `${portable} @effect/sql @effect/sql-sqlite-bun bun node`
  },
  postgres: {
    ours: "domain trading services sql postgres",
    packages: `${portable} @effect/sql @effect/sql-pg pg bun node`
  },
  cluster: {
    ours: "domain trading services sql postgres http cluster",
    packages: `${portable} @effect/cluster @effect/rpc @effect/platform-bun bun node`
  },
  ccxt: { ours: "domain ccxt", packages: "*" },
  exchange: { ours: "domain trading services ccxt exchange", packages: `${portable} bun node` },
  prices: { ours: "domain trading services ccxt WorkerAddress.ts prices", packages: `${portable} bun node` },
  backtests: {
    ours: "domain trading services sql sqlite postgres prices WorkerAddress.ts backtests",
    packages: `${portable} bun node`
  },
  vault: { ours: "domain services vault", packages: "effect node" },
  outbound: { ours: "domain services outbound", packages: "effect node" },
  api: { ours: "domain api", packages: portable },
  http: { ours: "domain services api http", packages: portable },
  tls: { ours: "domain http tls", packages: `${portable} bun node` },
  sockets: { ours: "domain http sockets", packages: `${portable} bun node` },
  otlp: { ours: "domain services http otlp", packages: portable },
  web: { ours: "domain api web", packages: `${portable} preact lightweight-charts` },
  testing: { ours: front, packages: portable },
  "testing.ts": { ours: front, packages: portable },
  "WorkerAddress.ts": { ours: "", packages: "" },
  "Composition.ts": { ours: "domain trading services", packages: "effect" },
  "Memory.ts": { ours: front, packages: portable },
  "index.ts": { ours: front, packages: portable },
  config: { ours: "config domain", packages: "effect" },
  "Config.ts": { ours: "domain config", packages: "effect" },
  "Feed.ts": { ours: "domain trading services ccxt prices Config.ts", packages: "effect" },
  "Records.ts": {
    ours: "domain services Composition.ts sql sqlite postgres",
    packages: "effect @effect/sql"
  },
  "Server.ts": {
    ours: `${front} Feed.ts Records.ts sql ccxt exchange prices backtests vault outbound tls sockets otlp web cluster Config.ts`,
    packages: "*"
  },
  cli: {
    ours: `${front} sql sqlite postgres ccxt exchange prices backtests vault outbound web Config.ts Records.ts Server.ts WorkerAddress.ts cli`,
    packages: "*"
  },
  "main.ts": { ours: "cli backtests", packages: "*" }
}
