// A peer for `bench peers`, run by Node: Fastify stores each alert with better-sqlite3, durable before its answer.
// `fastify.mjs FOLDER DATABASE` prints its port.
import { createRequire } from "node:module"
import { join } from "node:path"

const [, , folder, file] = process.argv
const require = createRequire(join(folder, "package.json"))
const Database = require("better-sqlite3")
const fastify = require("fastify")

const database = new Database(file)
database.pragma("journal_mode = WAL")
database.pragma("synchronous = FULL")
database.exec("CREATE TABLE alerts (id INTEGER PRIMARY KEY, coin TEXT, quote TEXT, type TEXT, at INTEGER) STRICT")
const insert = database.prepare("INSERT INTO alerts (coin, quote, type, at) VALUES (?, ?, ?, ?)")
const server = fastify()
server.post("/v1/signals/charting", ({ body }, reply) => {
  insert.run(body.coin, body.quote_currency, body.type, Date.now())
  reply.send({ type: "success", message: "The alert was recorded." })
})
await server.listen({ host: "127.0.0.1", port: 0 })
console.log(server.server.address().port)
