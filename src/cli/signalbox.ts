import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as BunFileSystem from "@effect/platform-bun/BunFileSystem"
import * as BunPath from "@effect/platform-bun/BunPath"
import * as BunRuntime from "@effect/platform-bun/BunRuntime"
import * as BunTerminal from "@effect/platform-bun/BunTerminal"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { alert } from "./alert.ts"
import { alerts } from "./alerts.ts"
import { backtest } from "./backtest.ts"
import { backup } from "./backup.ts"
import { completions } from "./completions.ts"
import { withSources } from "./config/Sources.ts"
import { config } from "./config.ts"
import { demo } from "./demo.ts"
import { doctor } from "./doctor.ts"
import { complain, teardown } from "./ending.ts"
import { example } from "./example.ts"
import { exchange } from "./exchange.ts"
import { explain } from "./explain.ts"
import { health } from "./health.ts"
import { type Page, pagesOf } from "./help/Page.ts"
import { render } from "./help/render.ts"
import { asksForOverview, type Entry, overview, pageAsked, plainWhenPiped } from "./help.ts"
import * as Logs from "./logs.ts"
import { market } from "./market.ts"
import { notify } from "./notify.ts"
import { restore } from "./restore.ts"
import { serve } from "./serve.ts"
import { service } from "./service.ts"
import { signal } from "./signal.ts"
import { sweep } from "./sweep.ts"
import { token } from "./token.ts"
import { verify } from "./verify.ts"
import { version } from "./version.ts"

/** Each command's help, from its own definition: made when somebody asks. */
export const pages = (): ReadonlyArray<Page> => pagesOf(subcommands)

const subcommands = [
  serve,
  demo,
  token,
  signal,
  alert,
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
  health,
  config,
  service,
  completions(pages),
  example
] as const

const signalbox = Command.make("signalbox").pipe(
  Command.withDescription("A trading automation server: alerts in, explained trades out."),
  Command.withSubcommands(subcommands)
)

/** Runs one command. Exit codes: 0 done, 1 failed, 2 not understood, 130 or 143 cut short by a signal. */
export const run = (args: ReadonlyArray<string>): void =>
  (asksForOverview(args) ? showOverview : obey(args)).pipe(
    Effect.catchAllCause(complain),
    plainWhenPiped,
    Effect.provide(surroundings),
    BunRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true, teardown: teardown() })
  )

const obey = (args: ReadonlyArray<string>) =>
  Option.match(pageAsked(args, pages), {
    onNone: () => withSources(args, Command.run(signalbox, { name: "signalbox", version })),
    onSome: (page) => Console.log(render(page))
  })

/** Each subcommand, with the description that its own help begins with. */
export const OVERVIEW: ReadonlyArray<Entry> = [
  { name: "serve", description: "run the server: API, webhooks and paper bots" },
  { name: "demo", description: "watch a day of real candles and real webhook calls become paper trades" },
  { name: "token", description: "make, list and revoke the tokens that callers sign in with" },
  { name: "signal", description: "list signals; make a webhook address and messages to paste for one" },
  { name: "alert", description: "tell what an alert would do, without doing it" },
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
  { name: "health", description: "ask a running server whether it is ready" },
  { name: "config", description: "show the settings in force, and where each comes from" },
  { name: "service", description: "print a systemd unit that runs the server, hardened" },
  { name: "completions", description: "print what lets bash, zsh or fish complete commands" },
  { name: "example", description: "write a strategy, candles and alerts to try the back-test with" }
]

const showOverview = Console.log(overview(OVERVIEW))

/** What the command line library asks for, and no more: the whole of Bun's context starts slower. */
const surroundings = Layer.suspend(() =>
  Layer.mergeAll(
    BunFileSystem.layer,
    BunPath.layer,
    BunTerminal.layer,
    CliConfig.layer({ showBuiltIns: false }),
    Layer.setTracerEnabled(false),
    Logs.layer
  )
)
