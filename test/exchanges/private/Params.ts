import * as Option from "effect/Option"
import * as Decimal from "../../../src/domain/Decimal.ts"
import { refuse } from "./Flaw.ts"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What a request asks for, whether it came as a query, as a form or as JSON. */
export class Params {
  readonly #fields: Readonly<Record<string, unknown>>

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.#fields = fields
  }

  static readonly query = (query: URLSearchParams): Params => new Params(Object.fromEntries(query))

  static readonly form = (body: string): Params => Params.query(new URLSearchParams(body))

  static readonly json = (body: string): Params => {
    const [first] = Params.list(body)
    return first ?? new Params({})
  }

  /** One for each object of a JSON array, or for the one object. */
  static readonly list = (body: string): ReadonlyArray<Params> => {
    const value: unknown = body === "" ? {} : JSON.parse(body)
    const all: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
    return all.filter(isRecord).map((fields) => new Params(fields))
  }

  /** Undefined where it is missing or empty. */
  readonly text = (name: string): string | undefined => {
    const value = this.#fields[name]
    return value === undefined || value === null || value === "" || typeof value === "object"
      ? undefined
      : String(value)
  }

  readonly need = (name: string): string => this.text(name) ?? refuse("bad_request")

  readonly number = (name: string): number | undefined => {
    const text = this.text(name)
    return text === undefined ? undefined : Number(text)
  }

  readonly decimal = (name: string): Decimal.Decimal | undefined => {
    const text = this.text(name)
    if (text === undefined) return undefined
    return Option.getOrElse(Decimal.fromText(text), () => refuse("bad_request"))
  }

  readonly some = (name: string): Decimal.Decimal => this.decimal(name) ?? refuse("bad_request")

  readonly inside = (name: string): Params | undefined => {
    const value = this.#fields[name]
    return isRecord(value) ? new Params(value) : undefined
  }

  readonly texts = (name: string): ReadonlyArray<string> => {
    const value = this.#fields[name]
    return Array.isArray(value) ? value.map(String) : []
  }

  readonly each = (name: string): ReadonlyArray<Params> => {
    const value = this.#fields[name]
    return Array.isArray(value) ? value.filter(isRecord).map((fields) => new Params(fields)) : []
  }
}
