// Wrong tokens are limited to ten a minute for each peer; a valid token always passes.
import { join } from "node:path"
import { command, Served, token } from "../Program.ts"
import type { Row } from "../suite.ts"
import { Tally } from "../Tally.ts"
import { Line } from "../Wire.ts"
import { Person } from "./Person.ts"

const NO_LIMITS = ["--crud-rate", "0", "--alert-rate", "0"]

export const strangers = async (folder: string): Promise<Row> => {
  const tally = new Tally()
  for (const [args, byHeader] of [
    [[], false],
    [["--trusted-proxies", "10.0.0.0/8"], false],
    [["--trusted-proxies", "10.0.0.0/8,127.0.0.1"], true]
  ] as const) {
    const db = join(folder, `${args.join("_").replaceAll("/", "-")}.db`)
    const server = await Served.start(db, [...NO_LIMITS, ...args])
    const good = new Person(server.port, await token(db, "ann", "full"))
    const line = new Line(server.port)
    const statuses: Array<number> = []
    for (let index = 0; index < 12; index++) {
      const headers = { authorization: "Bearer sbx_api_wrong", "x-forwarded-for": `198.51.100.${index}` }
      statuses.push((await line.ask({ method: "GET", target: "/v1/signals", headers }))?.status ?? 0)
    }
    const limited = statuses.filter((status) => status === 429).length
    tally.check(limited === (byHeader ? 0 : 2), () => `${args.join(" ")}: ${statuses.join(", ")}`)
    tally.check(
      (await good.ask("GET", "/v1/signals"))?.status === 200,
      () => `${args.join(" ")}: a good token`
    )
    good.line.close()
    line.close()
    await server.stop()
  }
  const refused = await command([
    "serve",
    "--port",
    "0",
    "--db",
    join(folder, "no.db"),
    "--trusted-proxies",
    "everybody"
  ])
  tally.check(
    refused.exitCode === 2 && refused.stderr.includes("--trusted-proxies"),
    () => `a list that is none: ${refused.exitCode}, ${refused.stderr}`
  )
  return tally.row("sealed: wrong tokens", "10 a minute, then 429")
}
