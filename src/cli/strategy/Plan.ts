// Decides what the strategies of a file change: a pure function over what is stored. A strategy is known by its name; a
// signal by its name too, so that a file may move to another database.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { BatchEntry } from "../../domain/Command.ts"
import type { Fields } from "../../domain/requests/Form.ts"
import { asRequest, differences, patchOf, SIGNAL } from "../../domain/requests/StrategyFile.ts"
import { type Reading, read } from "../../domain/requests/StrategyRequest.ts"
import { unknownFields } from "../../domain/requests/UnknownFields.ts"
import { type Violation, violation } from "../../domain/requests/Violations.ts"
import type { Signal } from "../../domain/Signal.ts"
import type { Settings, Strategy } from "../../domain/Strategy.ts"
import type { Proposal } from "../../trading/StrategyRules.ts"
import type { Applied } from "../apply/Report.ts"
import { plain } from "../program/table.ts"

/** What the account has, and the rules of the server. */
export interface World extends Pick<Proposal, "exchange" | "market" | "maxPairs"> {
  readonly strategies: ReadonlyArray<Strategy>
  /** The account's own signals, and public ones that a strategy of the file names by id. */
  readonly signals: ReadonlyArray<Signal>
  readonly account: Signal["account"]
  readonly rules: (proposal: Proposal) => ReadonlyArray<Violation>
}

/** A record of the file, with the entry that makes the change; absent where nothing changes. */
export interface Planned extends Applied {
  readonly entry?: BatchEntry
}

/** What all strategies of a file change, or everything that is wrong with them. */
export const plan = (
  files: ReadonlyArray<Fields>,
  world: World
): Either.Either<ReadonlyArray<Planned>, ReadonlyArray<string>> => {
  const all = files.map((file, index) => planOf(file, index, world))
  const errors = [...all.flatMap((it) => Option.getOrElse(Either.getLeft(it), () => [])), ...repeated(files)]
  return errors.length > 0
    ? Either.left(errors)
    : Either.right(all.flatMap((it) => (Either.isRight(it) ? [it.right] : [])))
}

/** Two strategies of one name within a file. */
const repeated = (files: ReadonlyArray<Fields>): ReadonlyArray<string> => {
  const names = files.map(({ name }) => name).filter((name) => typeof name === "string")
  const twice = new Set(names.filter((name, index) => names.indexOf(name) < index))
  return [...twice].map((name) => `${quoted(name)}: is in the file more than once`)
}

type Plan = Either.Either<Planned, ReadonlyArray<string>>

const planOf = (file: Fields, index: number, world: World): Plan => {
  const { name } = file
  const label = typeof name === "string" ? quoted(name) : `strategy ${index + 1} of the file`
  const refuse = (violations: ReadonlyArray<Violation>): Plan =>
    Either.left(violations.map((it) => `${label}: ${plain(it.field)} ${plain(worded(file, it))}`))
  const named = world.strategies.filter(({ settings }) => settings.name === name)
  if (named.length > 1) {
    const ids = named.map(({ id }) => id).join(" and ")
    return refuse([violation("name", `is that of several strategies, ${ids}: rename all but one`)])
  }
  const signal = signalOf(file, world)
  if (Either.isLeft(signal)) return refuse([signal.left])
  const { [SIGNAL]: _, ...fields } = asRequest(file, world.exchange)
  const body = { ...fields, ...signal.right }
  const reading = read(body, Option.none())
  const known = unknownFields(body)
  const [own] = named
  if (known.length > 0 || Option.isNone(reading.settings)) return refuse([...known, ...reading.violations])
  return own === undefined
    ? created(body, reading, world, refuse)
    : updated(own, reading.settings.value, world, refuse)
}

type Refuse = (violations: ReadonlyArray<Violation>) => Plan

const created = (body: Fields, reading: Reading, world: World, refuse: Refuse): Plan => {
  const violations = world.rules(proposed(reading, world))
  if (violations.length > 0 || Option.isNone(reading.settings)) return refuse(violations)
  const settings = reading.settings.value
  const changes = differences(undefined, settings)
  return Either.right({ id: undefined, name: settings.name, action: "create", changes, entry: { body } })
}

/** Only what differs is requested, so that a pair that is closed meanwhile does not bar another change. */
const updated = ({ id, revision, settings }: Strategy, to: Settings, world: World, refuse: Refuse): Plan => {
  const { name } = settings
  const changes = differences(settings, to)
  if (changes.length === 0) return Either.right({ id, name, action: "unchanged", changes })
  const body = patchOf(changes)
  const violations = world.rules(proposed(read(body, Option.some(settings)), world))
  return violations.length > 0
    ? refuse(violations)
    : Either.right({ id, name, action: "update", changes, entry: { before: { id, revision }, body } })
}

const proposed = (reading: Reading, { exchange, market, maxPairs, signals }: World): Proposal => ({
  ...{ reading, exchange, market, maxPairs },
  signal: Option.flatMap(reading.signalId, (id) =>
    Option.fromNullable(signals.find((signal) => signal.id === id))
  )
})

/**
 * The signal of a file, as a field of the request. An id counts where its signal has the name that the file gives, or
 * where the file gives none; else the account's own signal of that name is meant.
 */
const signalOf = (file: Fields, { account, signals }: World): Either.Either<Fields, Violation> => {
  const { [SIGNAL]: name, signal_id: id } = file
  if (name === undefined || name === null) return Either.right(id === undefined ? {} : { signal_id: id })
  if (typeof name !== "string") return Either.left(violation(SIGNAL, "must be the name of a signal"))
  if (signals.some((signal) => signal.id === id && signal.name === name))
    return Either.right({ signal_id: id })
  const found = signals.filter((signal) => signal.account === account && signal.name === name)
  const [first] = found
  if (first === undefined)
    return Either.left(
      violation(
        SIGNAL,
        `${quoted(name)} is no signal of the account: make it first, for example with signalbox signal apply`
      )
    )
  if (found.length > 1) {
    const ids = found.map((signal) => signal.id).join(" and ")
    return Either.left(
      violation(
        SIGNAL,
        `${quoted(name)} is the name of several signals, ${ids}: rename all but one, or give signal_id alone`
      )
    )
  }
  return Either.right({ signal_id: first.id })
}

/** The most letters of a name that are printed. */
const MOST_NAME = 60
const quoted = (name: string): string => {
  const all = plain(name)
  return `"${all.length > MOST_NAME ? `${all.slice(0, MOST_NAME)}...` : all}"`
}

/** A violation names a pair by its place in the request; here the file's own words may stand beside it. */
const worded = (file: Fields, { text }: Violation): string => {
  const [, listing = "", pair = ""] = /^\[(\d+)\]\.coin_pairs\[(\d+)\] /.exec(text) ?? []
  const found: unknown = at(at(at(file["exchanges"], listing), "coin_pairs"), pair)
  return typeof found === "string" && found.length <= MOST_NAME ? `${text} (${found})` : text
}

const at = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null
    ? new Map<string, unknown>(Object.entries(value)).get(key)
    : undefined
