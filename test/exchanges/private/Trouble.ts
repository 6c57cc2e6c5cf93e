import type { RestRequest } from "../Protocol.ts"
import type { Flaw } from "./Flaw.ts"
import type { Kind } from "./Private.ts"

/** Whether it happens instead of what was asked, or after it was done. */
type When = "before" | "after"

/** What goes wrong with a private request. */
export type Trouble =
  /** The connection ends without an answer. */
  | { readonly how: "cut"; readonly when: When }
  /** There is never an answer. */
  | { readonly how: "hang"; readonly when: When }
  /** The answer is late; asked `before`, it is done late too. */
  | { readonly how: "delay"; readonly when: When; readonly ms: number }
  /** A status, with the exchange's body for the flaw or, where none is named, a page as proxies write it. */
  | {
      readonly how: "status"
      readonly when: When
      readonly status: number
      readonly flaw?: Flaw
      readonly retryAfter?: number
    }
  /** Refused in the exchange's own words. */
  | { readonly how: "refuse"; readonly flaw: Flaw; readonly retryAfter?: number }
  /** A 200 with half of the answer, a page for people, or nothing. */
  | { readonly how: "truncated" | "nonsense" | "empty"; readonly when: When }

interface Planned {
  readonly kind: Kind | "any"
  readonly trouble: Trouble
  readonly about: (request: RestRequest) => boolean
  left: number
}

/** What is to go wrong, by kind of request and for how many of them. */
export class Troubles {
  #planned: ReadonlyArray<Planned> = []

  /** The next `times` requests of a kind, or of those that are about something; `Infinity` until `clear`. */
  readonly plan = (
    kind: Kind | "any",
    trouble: Trouble,
    times = 1,
    about: (request: RestRequest) => boolean = () => true
  ): void => {
    this.#planned = [...this.#planned, { kind, trouble, about, left: times }]
  }

  readonly clear = (): void => {
    this.#planned = []
  }

  /** How many are still to come. */
  get left(): number {
    return this.#planned.reduce((sum, { left }) => sum + left, 0)
  }

  readonly take = (kind: Kind, request: RestRequest): Trouble | undefined => {
    const planned = this.#planned.find(
      (each) => (each.kind === kind || each.kind === "any") && each.about(request)
    )
    if (planned === undefined) return undefined
    planned.left--
    this.#planned = this.#planned.filter(({ left }) => left > 0)
    return planned.trouble
  }
}
