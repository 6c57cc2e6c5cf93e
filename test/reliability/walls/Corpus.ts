// Collections of inputs that break parsers. The files name their sources and licences.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"

const read = <A, I>(name: string, schema: Schema.Schema<A, I>): A =>
  Schema.decodeUnknownSync(Schema.parseJson(schema))(
    readFileSync(join(import.meta.dir, "../corpus", name), "utf8")
  )

const Naughty = Schema.Struct({ strings: Schema.Array(Schema.String) })
const JsonCases = Schema.Struct({
  cases: Schema.Array(Schema.Struct({ name: Schema.String, expect: Schema.String, base64: Schema.String }))
})
const Alerts = Schema.Struct({
  alerts: Schema.Array(Schema.Struct({ source: Schema.String, type: Schema.String, body: Schema.String }))
})

/** Strings that have broken programs. */
export const naughty = (): ReadonlyArray<string> => read("naughty.json", Naughty).strings

/** A document that is JSON (accept, transform), is not (reject), or is open to either. */
export interface JsonCase {
  readonly name: string
  readonly expect: string
  readonly bytes: Buffer
}

export const jsonCases = (): ReadonlyArray<JsonCase> =>
  read("json.json", JsonCases).cases.map(({ base64, expect, name }) => ({
    name,
    expect,
    bytes: Buffer.from(base64, "base64")
  }))

/** Bodies that are sent to services like this one. */
export const alertBodies = () => read("alerts.json", Alerts).alerts
