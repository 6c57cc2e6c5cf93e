// A process on a database of tests: connections, caches and ports of its own.
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, type Redacted } from "effect"
import * as Postgres from "../../../src/postgres/Postgres.ts"
import { Journal } from "../../../src/services/Journal.ts"
import { fresh } from "./Database.ts"

/** Opens a process for as long as the scope lives. */
export const process = (url: Redacted.Redacted) =>
  Effect.map(
    Layer.build(Layer.provideMerge(Postgres.layerPorts, Postgres.layer({ url, node: fresh("node") }))),
    (context) => ({
      context,
      journal: Context.get(context, Journal),
      sql: Context.get(context, SqlClient.SqlClient)
    })
  )
