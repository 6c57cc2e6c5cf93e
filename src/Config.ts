// The settings as the program reads them: the types of their values, the values that the environment sets, and errors.
// The settings themselves are in config/Settings.ts.
import type * as Config from "effect/Config"
import * as Option from "effect/Option"
import type { Setting } from "./config/Setting.ts"
import { type LISTENING, SERVER } from "./config/Settings.ts"
import * as Tree from "./config/Tree.ts"

export { paperFillsOf, paperFillsRefusal } from "./config/PaperFills.ts"
export { namedFile, unnamedDatabase, unnamedFile } from "./config/Places.ts"
export type { Setting } from "./config/Setting.ts"
export { HEADINGS, SERVER, SETTINGS } from "./config/Settings.ts"
export { areValues, fold, list, type Tree, type Values } from "./config/Tree.ts"
export { watchdog } from "./config/Watchdog.ts"

/** The options of the listeners: addresses, ports, certificates, and what each serves. */
export interface Listening extends Tree.Values<typeof LISTENING> {}

/**
 * Options of the server, which `signalbox serve --help` describes: each key is an option's name without its hyphens.
 * Rates are per second, times in seconds, amounts in their currency; an empty text stands for nothing.
 */
export interface ServerOptions extends Tree.Values<typeof SERVER> {
  /** The paper balance that a strategy starts with in a quote currency of your own, by currency; 10,000 where it is absent. */
  readonly ownPaper?: Readonly<Record<string, number>>
}

/** All server options from the environment alone, for embedders. */
export const serverOptions: Config.Config<ServerOptions> = Tree.read(SERVER)

/** The bounds of a setting in words, if the value exceeds them. */
export const brokenBy = ({ bounds, kind }: Setting<unknown>, value: unknown): Option.Option<string> =>
  bounds === undefined || bounds.accepts(value)
    ? Option.none()
    : Option.some(`takes ${bounds.words}${kind.word === "secret" ? "" : `, and not ${value}`}`)

/** One line about a value that is out of its setting's bounds. */
export const errorIn = (setting: Setting<unknown>, value: unknown): Option.Option<string> =>
  Option.map(brokenBy(setting, value), (text) => `--${setting.name} (${setting.variable}) ${text}`)

/** One line about the first setting whose value is out of its bounds. */
export const errorOf = (options: ServerOptions): Option.Option<string> =>
  Option.firstSomeOf([
    ...Tree.pairs(SERVER, options).map(([setting, value]) => errorIn(setting, value)),
    ...Object.entries(options.ownPaper ?? {}).map(([currency, balance]) =>
      Option.map(brokenBy(SERVER.paper.USDT, balance), (text) => `ownPaper.${currency} ${text}`)
    )
  ])

const idsOf = (written: string): ReadonlyArray<number> =>
  written === "" ? [] : written.split(",").map((id) => Number(id))

/** Strategy ids that the operator sets aside or takes back at the start. */
export const admissionOf = ({ withStrategy, withoutStrategy }: ServerOptions) => ({
  with: idsOf(withStrategy),
  without: idsOf(withoutStrategy)
})
