import type { Failure } from "../../../src/ccxt/Failure.ts"
import { type Action, Watchdog } from "../../../src/prices/streaming/Watchdog.ts"

/** A watchdog with a clock, told things in words: `want BTC ETH`, `lost 5000`, `poll BTC differs`. Answers in words. */
export class Dog {
  readonly dog = new Watchdog()
  readonly #start: number
  now: number

  constructor(start = 1_000_000) {
    this.#start = start
    this.now = start
  }

  /** At a time (ms since the start); what is to be done, as `Load`, `Open BTC ETH`, `Close`, `Poll BTC`. */
  readonly at = (ms: number, said: string): ReadonlyArray<string> => {
    this.now = this.#start + ms
    return this.say(said)
  }

  readonly say = (said: string): ReadonlyArray<string> => inWords(this.#tell(said.split(" ")))

  /** Looks four times a second until a time, and tells what was to be done when (ms since the start). */
  readonly until = (ms: number): ReadonlyArray<readonly [number, string]> => {
    const seen: Array<readonly [number, string]> = []
    while (this.now < this.#start + ms) {
      this.now += 250
      for (const words of inWords(this.dog.check(this.now))) seen.push([this.now - this.#start, words])
    }
    return seen
  }

  readonly #tell = ([verb, ...words]: ReadonlyArray<string>): ReadonlyArray<Action> => {
    const { dog, now } = this
    const [symbol = "", more] = words
    switch (verb) {
      case "want":
        return dog.want(new Set(words), now)
      case "look":
        return dog.check(now)
      case "lost":
        return dog.lost(failure(symbol), now)
      case "loaded":
        dog.loaded(now)
        return dog.check(now)
      case "unloaded":
        dog.loadFailed(failure(symbol), now)
        return []
      case "told":
        dog.streamed(symbol, now)
        return []
      case "poll":
        dog.polled(symbol, more === "differs", now)
        return []
      case "polled":
        dog.pollEnded(now)
        return []
      case "unpolled":
        dog.pollEnded(now, failure(symbol))
        return []
      default:
        throw new Error(`no such word: ${verb}`)
    }
  }
}

export const failure = (pauseMs: string): Failure => ({ reason: "it fails", pauseMs: Number(pauseMs) })

export const inWords = (actions: ReadonlyArray<Action>): ReadonlyArray<string> =>
  actions.map((action) => ("symbols" in action ? [action._tag, ...action.symbols].join(" ") : action._tag))
