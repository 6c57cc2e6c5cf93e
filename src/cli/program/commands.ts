// The table of all commands, with the line of each in the overview of the help. A command's module is loaded only when
// it is called, to keep the start short.
import * as Command from "@effect/cli/Command"
import type { Page } from "./help/Page.ts"

/** The description also opens the command's own help page. Other commands have a longer one in their module. */
const described = <Name extends string, R, E, A>(
  description: string,
  load: () => Promise<Command.Command<Name, R, E, A>>
) => ({ description, load: async () => Command.withDescription(await load(), description) })

export const COMMANDS = [
  {
    name: "serve",
    ...described(
      "run the server: webhooks, API, dashboard, and bots that trade on paper, or with real money once armed",
      async () => (await import("../serve.ts")).serve
    )
  },
  {
    name: "demo",
    ...described(
      "watch a day of real candles and real webhook calls become paper trades",
      async () => (await import("../demo.ts")).demo
    )
  },
  {
    name: "open",
    ...described(
      "open the dashboard, signed in: print a link that works once",
      async () => (await import("../open/Command.ts")).open
    )
  },
  {
    name: "token",
    ...described(
      "create, list and revoke the tokens that callers sign in with",
      async () => (await import("../account/token.ts")).token
    )
  },
  {
    name: "signal",
    description: "list signals; keep them as files; make a webhook address and messages to paste for one",
    load: async () => (await import("../signal.ts")).signal
  },
  {
    name: "rule",
    description: "check the rule of a signal in words, and list the functions that rules are made of",
    load: async () => (await import("../rule.ts")).rule
  },
  {
    name: "alert",
    description: "show what an alert would do, without doing it",
    load: async () => (await import("../alert.ts")).alert
  },
  {
    name: "account",
    description: "connect accounts at exchanges, to trade with real money",
    load: async () => (await import("../account.ts")).account
  },
  {
    name: "strategy",
    description:
      "list strategies; keep them as files; copy others'; let one trade with real money, within limits",
    load: async () => (await import("../strategy.ts")).strategy
  },
  {
    name: "public",
    description: "list and show the strategies and signals that owners have published",
    load: async () => (await import("../public/command.ts")).publicCommand
  },
  {
    name: "position",
    description: "list positions; close one, cancel an entry or set targets by hand",
    load: async () => (await import("../position/command.ts")).position
  },
  {
    name: "halt",
    description: "stop all entries at once, for everybody or for one account; exits go on",
    load: async () => (await import("../halt/command.ts")).halt
  },
  {
    name: "resume",
    description: "end a halt",
    load: async () => (await import("../halt/command.ts")).resume
  },
  {
    name: "exchange",
    description: "list the exchanges and switch them on and off",
    load: async () => (await import("../exchange.ts")).exchange
  },
  {
    name: "market",
    description: "list, show, refresh and switch markets",
    load: async () => (await import("../market.ts")).market
  },
  {
    name: "candles",
    description: "download past candles from an exchange; list and remove what is stored",
    load: async () => (await import("../candles.ts")).candles
  },
  {
    name: "notify",
    ...described(
      "send events to a chat, a phone or a program",
      async () => (await import("../notify.ts")).notify
    )
  },
  {
    name: "backtest",
    description: "run a strategy over recorded candles and alerts",
    load: async () => (await import("../backtest.ts")).backtest
  },
  {
    name: "sweep",
    description: "back-test many settings of a strategy and rank them",
    load: async () => (await import("../sweep.ts")).sweep
  },
  {
    name: "compare",
    description: "show why a strategy did otherwise than its back-test, part by part and trade by trade",
    load: async () => (await import("../compare/command.ts")).compare
  },
  {
    name: "what-if",
    description: "try a strategy's own past with other settings, beside what happened",
    load: async () => (await import("../whatIf/command.ts")).whatIf
  },
  {
    name: "alerts",
    description: "export recorded alerts, to back-test what was really sent",
    load: async () => (await import("../alerts.ts")).alerts
  },
  {
    name: "explain",
    description: "show what a strategy did and why, from its timeline",
    load: async () => (await import("../explain.ts")).explain
  },
  {
    name: "verify",
    ...described(
      "check the database: the file, and every balance, trade and figure in it",
      async () => (await import("../verify.ts")).verify
    )
  },
  {
    name: "backup",
    description: "write a verified copy of the database, while the server runs",
    load: async () => (await import("../backup.ts")).backup
  },
  {
    name: "restore",
    ...described(
      "put a backup in the place of the database; the server must be stopped",
      async () => (await import("../restore.ts")).restore
    )
  },
  {
    name: "move",
    description: "move everything between a file and a database of Postgres, verified on both sides",
    load: async () => (await import("../move.ts")).move
  },
  {
    name: "cluster",
    description: "show the servers that share a database of Postgres, and prepare one to be stopped",
    load: async () => (await import("../cluster/command.ts")).cluster
  },
  {
    name: "doctor",
    description: "find problems of the machine, the database and its server",
    load: async () => (await import("../doctor.ts")).doctor
  },
  {
    name: "health",
    description: "ask a running server whether it is ready",
    load: async () => (await import("../health.ts")).health
  },
  {
    name: "config",
    description: "show all settings in effect, and where each comes from",
    load: async () => (await import("../config.ts")).config
  },
  {
    name: "service",
    description: "print a systemd unit that runs the server, hardened",
    load: async () => (await import("../service.ts")).service
  },
  {
    name: "completions",
    description: "print a script that completes commands in bash, zsh or fish",
    load: async () => (await import("../completions.ts")).completions(pages)
  },
  {
    name: "example",
    description: "write a strategy, candles and alerts to try the back-test with",
    load: async () => (await import("../example.ts")).example
  }
] as const

type Called = Subcommand | Command.Command<string, never, never, object>

type Subcommand = Awaited<ReturnType<(typeof COMMANDS)[number]["load"]>>

/**
 * All commands, with only the called one loaded in full: the parser needs just the names of the others. Every command
 * is loaded if none is called, or if the library writes completions or a wizard.
 */
export const called = async (
  words: ReadonlyArray<string>
): Promise<readonly [Called, ...ReadonlyArray<Called>]> => {
  const [first, ...others] = COMMANDS
  const [name] = words
  const isKnown = name === "--version" || COMMANDS.some((command) => command.name === name)
  const isOne = isKnown && !words.some((word) => WHOLE.has(word))
  const load = async (command: (typeof COMMANDS)[number]): Promise<Called> =>
    isOne && command.name !== name ? Command.make<string>(command.name) : command.load()
  return [await load(first), ...(await Promise.all(others.map(load)))]
}

const WHOLE: ReadonlySet<string> = new Set(["--completions", "--wizard"])

/** The help pages of one command or of all, made from the commands' own definitions. */
export const pages = async (name?: string, isOfGroups = false): Promise<ReadonlyArray<Page>> => {
  const named = COMMANDS.filter((command) => command.name === name)
  const loading = (named.length > 0 ? named : COMMANDS).map(({ load }) => load())
  const [{ isGroup, pagesOf }, ...commands] = await Promise.all([import("./help/Page.ts"), ...loading])
  return pagesOf(isOfGroups ? commands.filter(isGroup) : commands)
}
