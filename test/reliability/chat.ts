// Commands from a Telegram chat to the compiled program: a scripted Bot API fails in every way and sends forged updates,
// and the program is killed around commands. Each is carried out once or not at all, and the token is written nowhere.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { BotServer, FAULTS, type Fault, messageOf, pressOf, type Who } from "../lib/telegram.ts"
import { command, inFolder, Served, token } from "./Program.ts"
import { until } from "./prices/until.ts"
import type { Row, Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"

const ANN: Who = { chat: 7, user: 7 }
const FAULTY: ReadonlyArray<Fault> = [
  FAULTS.broken,
  FAULTS.conflict,
  FAULTS.webhook,
  "cut",
  "huge",
  { status: 200 }
]
const PATIENCE_MS = 60_000

const suite: Suite = ({ short }) => inFolder((folder) => talked(folder, short ? 3 : 20))
export default suite

const talked = async (folder: string, kills: number): Promise<ReadonlyArray<Row>> => {
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("hex")
  const bot = new BotServer(`123456:${secret}`)
  const site = bot.serve()
  const db = join(folder, "x.db")
  const surroundings = { env: { XDG_CONFIG_HOME: join(folder, "home") }, ahead: ["--log-level", "all"] }
  const start = () => Served.start(db, ["--prices", "none", "--telegram-url", site.url], surroundings)
  const tally = new Tally()
  const printed: Array<string> = []
  try {
    const key = await token(db, "ann", "full")
    let server = await start()
    await paired(bot, db, site.url, surroundings)
    const halted = async () => {
      const response = await server.fetch("/v1/halt", { headers: { authorization: `Bearer ${key}` } })
      const body: { readonly halted?: unknown } = Object(await response.json())
      return body.halted === true
    }
    await forged(bot, tally, halted)
    for (const fault of FAULTY) {
      bot.faults.set("getUpdates", [fault, fault])
      await obeyed(bot, tally, `after ${JSON.stringify(fault)}`, halted)
    }
    for (let round = 0; round < kills; round++) {
      await asked(bot, "/halt")
      await Bun.sleep(round * 5)
      await server.stop("SIGKILL")
      printed.push(server.printed)
      server = await start()
      await until("the halt", halted, PATIENCE_MS)
      await asked(bot, "/resume")
      await until("the end of the halt", async () => !(await halted()), PATIENCE_MS)
      tally.check(true, () => "")
    }
    const stopped = await server.stop("SIGTERM")
    tally.check(stopped === 0, () => `SIGTERM ended it with ${stopped}`)
    printed.push(server.printed)
  } catch (error) {
    throw new Error(`${error}; calls: ${bot.calls.slice(-8)}; waiting: ${bot.pending}`)
  } finally {
    await site.stop()
  }
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (name.isFile() && !name.parentPath.includes("home"))
      printed.push(readFileSync(join(name.parentPath, name.name), "latin1"))
  tally.check(!printed.some((text) => text.includes(secret)), () => "the bot's token was written down")
  return [tally.row("chat: commands through faults, forgeries and kills", `${kills} kills`)]
}

const asked = (bot: BotServer, text: string) => Effect.runPromise(bot.types(ANN, text))

const paired = async (bot: BotServer, db: string, url: string, surroundings: object): Promise<void> => {
  const run = async (args: ReadonlyArray<string>, input = "") => {
    const ended = await command([...args, "--db", db], { ...surroundings, ahead: [], input })
    if (ended.exitCode !== 0) throw new Error(`${args.join(" ")}: ${ended.stderr}`)
    return ended.stdout
  }
  await run(["notify", "add", "telegram", "--account", "ann", "--chat", "7"], bot.token)
  const { bot: name, code }: { readonly bot?: unknown; readonly code?: unknown } = JSON.parse(
    await run(["notify", "pair", "1", "--json", "--telegram-url", url])
  )
  if (name !== "Signal_test_bot") throw new Error(`the bot's name is ${name}`)
  await asked(bot, `/pair ${code}`)
  await until("the pairing", () => bot.said.some(({ text }) => text.includes("is paired")), PATIENCE_MS)
}

/** A command is carried out, and its opposite. */
const obeyed = async (bot: BotServer, tally: Tally, when: string, halted: () => Promise<boolean>) => {
  await asked(bot, "/halt")
  await until(`a halt ${when}`, halted, PATIENCE_MS)
  await asked(bot, "/resume")
  await until(`the end of a halt ${when}`, async () => !(await halted()), PATIENCE_MS)
  tally.check(true, () => when)
}

/** Updates that nobody may send, or that are too old: nothing is halted, and strangers hear nothing. */
const forged = async (bot: BotServer, tally: Tally, halted: () => Promise<boolean>) => {
  const now = Date.now()
  const halt = messageOf(ANN, "/halt", now)
  for (const update of [
    { message: messageOf({ chat: 666, user: 666 }, "/halt", now) },
    { message: messageOf({ chat: 7, user: 666 }, "/halt", now) },
    { message: { ...halt, forward_origin: { type: "user" } } },
    { message: { ...halt, date: 5 } },
    { edited_message: halt },
    { channel_post: halt },
    { callback_query: pressOf({ chat: 7, user: 666 }, "halt") },
    { callback_query: pressOf(ANN, "offer:AAAAAAAAAAAAAAAA") },
    { callback_query: pressOf(ANN, "halt ") },
    { update_id: 1, message: halt }
  ])
    bot.push(update)
  const last = await asked(bot, "/status")
  // Not the last message: that of the pairing may come after it.
  await until("the status", () => bot.said.some(({ text }) => text.includes("Entries go on.")), PATIENCE_MS)
  tally.check(last > 0 && !(await halted()), () => "a forged update halted entries")
  tally.check(
    bot.said.every(({ chat }) => chat === 7),
    () => "a stranger was answered"
  )
}
