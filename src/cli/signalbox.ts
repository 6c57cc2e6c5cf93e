import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as BunFileSystem from "@effect/platform-bun/BunFileSystem"
import * as BunPath from "@effect/platform-bun/BunPath"
import * as BunRuntime from "@effect/platform-bun/BunRuntime"
import * as BunTerminal from "@effect/platform-bun/BunTerminal"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { alerts } from "./alerts.ts"
import { backtest } from "./backtest.ts"
import { backup } from "./backup.ts"
import { demo } from "./demo.ts"
import { doctor } from "./doctor.ts"
import { complain, teardown } from "./ending.ts"
import { example } from "./example.ts"
import { exchange } from "./exchange.ts"
import { explain } from "./explain.ts"
import { asksForOverview, overview, plainWhenPiped } from "./help.ts"
import { market } from "./market.ts"
import { notify } from "./notify.ts"
import { restore } from "./restore.ts"
import { serve } from "./serve.ts"
import { sweep } from "./sweep.ts"
import { token } from "./token.ts"
import { verify } from "./verify.ts"
import { version } from "./version.ts"

const subcommands = [
  serve,
  demo,
  token,
  exchange,
  market,
  notify,
  backtest,
  sweep,
  alerts,
  explain,
  verify,
  backup,
  restore,
  doctor,
  example
] as const

const signalbox = Command.make("signalbox").pipe(
  Command.withDescription("A trading automation server: alerts in, explained trades out."),
  Command.withSubcommands(subcommands)
)

/** Runs one command. Exit codes: 0 done, 1 failed, 2 not understood, 130 or 143 cut short by a signal. */
export const run = (args: ReadonlyArray<string>): void =>
  (asksForOverview(args) ? showOverview : Command.run(signalbox, { name: "signalbox", version })(args)).pipe(
    Effect.catchAllCause(complain),
    plainWhenPiped,
    Effect.provide(surroundings),
    BunRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true, teardown: teardown() })
  )

/** Each subcommand, with the description that its own help begins with. */
const showOverview = Console.log(
  overview([
    { name: "serve", description: "run the server: API, webhooks and paper bots" },
    { name: "demo", description: "watch a day of real candles and real webhook calls become paper trades" },
    { name: "token", description: "make, list and revoke the tokens that callers sign in with" },
    { name: "exchange", description: "list the exchanges and switch them on and off" },
    { name: "market", description: "list, show, renew and switch markets" },
    { name: "notify", description: "be told of what happens, by webhook, Telegram, Discord or ntfy" },
    { name: "backtest", description: "run a strategy over recorded candles and alerts" },
    { name: "sweep", description: "back-test many settings of a strategy and rank them" },
    { name: "alerts", description: "export the alerts on record, to back-test what was really sent" },
    { name: "explain", description: "tell what a strategy did and why, from its timeline" },
    { name: "verify", description: "check the books: every balance, trade and figure, and the file itself" },
    { name: "backup", description: "write a verified copy of the database, while the server runs" },
    { name: "restore", description: "put a backup in place of a database that is not served" },
    { name: "doctor", description: "tell what is wrong with the machine, the database and its server" },
    { name: "example", description: "write a strategy, candles and alerts to try the back-test with" }
  ])
)

/** What the command line library asks for, and no more: the whole of Bun's context starts slower. */
const surroundings = Layer.suspend(() =>
  Layer.mergeAll(
    BunFileSystem.layer,
    BunPath.layer,
    BunTerminal.layer,
    CliConfig.layer({ showBuiltIns: false }),
    Layer.setTracerEnabled(false),
    logs
  )
)

/** Logs go to standard error as lines of JSON, so that standard output holds what was asked for and nothing else. */
const logs = Layer.merge(
  Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.jsonLogger)),
  Logger.minimumLogLevel(LogLevel.Info)
)
