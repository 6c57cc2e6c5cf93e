// `cluster` where there is none: a file has one server. What it does beside nodes is tried in `test/cluster/Draining.test.ts`.
import { expect } from "bun:test"
import { Effect } from "effect"
import { type Ended, signalbox } from "../lib/cli.ts"
import { it } from "../lib/effect.ts"

const run = (...args: ReadonlyArray<string>) => Effect.promise(() => signalbox("cluster", ...args))

const failed = ({ code, error, out }: Ended) => ({
  code,
  error: error.replace("signalbox: ", "").trim(),
  out
})

it.live("a file has no cluster: a wrong command line", () =>
  Effect.gen(function* () {
    const [status, drain] = yield* Effect.all(
      [run("status", "--db", "bots.db"), run("drain", "10.0.0.2:8090", "--db", "bots.db")],
      { concurrency: 2 }
    )
    for (const ended of [status, drain])
      expect(failed(ended)).toEqual({
        code: 2,
        error:
          "the database bots.db is a file: one server serves it alone; servers that share a database of Postgres start with --cluster",
        out: ""
      })
  })
)
