// `signalbox open`: prints a link that signs in to the dashboard once, and opens it in the browser where there is a
// desktop. It works beside the running server, on whose database it stores the code's digest.
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Config from "../../Config.ts"
import { type Database, shown as shownDatabase } from "../../domain/requests/Database.ts"
import * as Records from "../../Records.ts"
import { option } from "../config/options.ts"
import { serverAt } from "../doctor/port.ts"
import { database, json, onStored, optional, placeOf } from "../program/shared.ts"
import { usage } from "../program/usage.ts"
import * as Address from "../signal/Address.ts"
import * as Browser from "./Browser.ts"
import * as Link from "./Link.ts"

/** No server can take the link: exit code 1. */
class NoServer extends Data.TaggedError("NoServer")<{ readonly message: string }> {}

const account = optional(
  "account",
  "the account to sign in to; by default the operator's, which was made first"
)
const base = optional(
  "base",
  "the address at which your browser reaches the server, like https://bots.example.org; by default this machine's"
)
const print = Options.boolean("print").pipe(
  Options.withDescription("only print the link, to a pipe too; whoever has it can sign in")
)

const { host, port } = Config.SETTINGS

export const open = Command.make(
  "open",
  { account, base, print, json, host: option(host), port: option(port), db: database },
  (options) =>
    Effect.gen(function* () {
      const isSeen = options.print || options.json || Link.isTerminal(process.stdout)
      if (!isSeen) return yield* usage("standard output is no terminal: --print prints the link all the same")
      const address = yield* addressOf(options)
      const link = yield* Link.make(address, options.account).pipe(onStored(options.db))
      if (options.json) return yield* Console.log(JSON.stringify(shown(link)))
      if (options.print) return yield* Console.log(link.url)
      const place = `the server uses the database ${placeOf(options.db)}`
      yield* Console.log(`signalbox: ${place}\nsignalbox: ${Link.words(link)}\n\n  ${link.url}\n`)
      const opener = Browser.opener(process.platform, process.env, Bun.which)
      if (opener !== undefined && !(yield* Browser.open(opener, link.url)))
        yield* Console.error("signalbox: the browser did not start: open the link yourself")
    })
)

const shown = ({ account, expiresAt, url }: Link.Link) => ({
  url,
  account: Option.getOrNull(account),
  expires_at: expiresAt
})

/** The address of the server that uses the database. A link to any other would sign in nobody. */
const addressOf = Effect.fnUntraced(function* (options: {
  readonly base: Option.Option<string>
  readonly db: Database
  readonly host: string
  readonly port: number
}) {
  if (!(yield* Records.isServed(options.db)))
    return yield* new NoServer({
      message: `no server runs on the database ${shownDatabase(options.db)}: signalbox serve starts one; name the database of a running one with --db or --database`
    })
  if (Option.isSome(options.base)) return yield* Address.named(options.base.value)
  const { status, url } = yield* serverAt(options, "/readyz")
  if (status === 0)
    return yield* new NoServer({
      message: `the server does not answer on ${url}: use the --host and --port that it was started with, or name its address with --base`
    })
  return url
})
