// Fresh databases of one server for each process of tests, made from a template in which the program's tables stand.
import { Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import { layer } from "../../../src/postgres/Postgres.ts"
import { programs, type Server, start } from "./Server.ts"

/** Whether this machine has Postgres. */
export const isInstalled = programs() !== undefined

const TEMPLATE = "signalbox_template"

/** The address of a database. The server lets everybody in; the password is one that must be seen nowhere. */
export const urlOf = ({ port }: Server, database: string) =>
  Redacted.make(`postgres://signalbox:${PASSWORD}@127.0.0.1:${port}/${database}`)
export const PASSWORD = "pa55w0rd-of-postgres"

let counted = 0
/** A name that no other database and no other process has. */
export const fresh = (word: string): string => `${word}_${++counted}`

/** Runs a statement as the server's administrator. */
export const administrate = (server: Server, statement: string): Promise<unknown> => {
  const admin = new Client({ connectionString: Redacted.value(urlOf(server, "postgres")) })
  return admin
    .connect()
    .then(() => admin.query(statement))
    .finally(() => admin.end())
}

const templated = async (): Promise<Server> => {
  const server = await start()
  await administrate(server, `CREATE DATABASE ${TEMPLATE}`)
  const options = { url: urlOf(server, TEMPLATE), node: "template" }
  await Effect.runPromise(Effect.scoped(Effect.asVoid(Layer.build(layer(options)))))
  return server
}

let running: Promise<Server> | undefined
/** The server of this process, with the template; it starts when it is needed first. */
export const server = (): Promise<Server> => {
  running ??= templated()
  return running
}

/** A database that goes with the scope; `empty` has no tables. */
export const database = (from: "template" | "empty" = "template") =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const running = await server()
        const name = fresh("test")
        const template = from === "template" ? TEMPLATE : "template0"
        await administrate(running, `CREATE DATABASE ${name} TEMPLATE ${template}`)
        return { running, name }
      }),
      ({ name, running }) => Effect.promise(() => administrate(running, `DROP DATABASE ${name} WITH (FORCE)`))
    ),
    ({ name, running }) => ({ server: running, name, url: urlOf(running, name) })
  )

/** Ends some connections to a database at random, about sixty times a second, for as long as the scope lives. */
export const killing = (server: Server, name: string, share: number) =>
  Effect.promise(async () => {
    await Bun.sleep(15)
    await administrate(
      server,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND random() < ${share}`
    )
  }).pipe(Effect.uninterruptible, Effect.forever, Effect.forkScoped)
