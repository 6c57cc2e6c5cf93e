// Whether statements of this process are on their way to Postgres: virtual time must not pass meanwhile, because a server
// answers in a moment, and not after the hours that a clock may jump over.
import { Client, Pool } from "pg"

let busy = 0
let waiting: Array<() => void> = []
/** Those who wait for any answer. */
let hoping: Array<() => void> = []
/** Requests of an earlier one were given up. */
let epoch = 0

/** Who asked has a turn to continue before the request counts as done. */
const end = (since: number): void => {
  setImmediate(() => {
    if (since !== epoch) return
    busy--
    wake(busy > 0)
  })
}

const wake = (isBusy: boolean): void => {
  const all = isBusy ? hoping : [...hoping, ...waiting]
  hoping = []
  if (!isBusy) waiting = []
  for (const resolve of all) resolve()
}

const counted = <A extends Array<unknown>, B>(call: (this: unknown, ...args: A) => B) =>
  function (this: unknown, ...args: A): B {
    const result: B = call.apply(this, args)
    if (result instanceof Promise) {
      busy++
      const since = epoch
      const ended = () => end(since)
      result.then(ended, ended)
    }
    return result
  }

let isWatched = false
/** From now on requests count. */
export const watch = (): void => {
  if (isWatched) return
  isWatched = true
  Object.assign(Client.prototype, {
    query: counted(Client.prototype.query),
    connect: counted(Client.prototype.connect),
    end: counted(Client.prototype.end)
  })
  Object.assign(Pool.prototype, {
    connect: counted(Pool.prototype.connect),
    end: counted(Pool.prototype.end)
  })
}

/** Resolves when nothing is on its way; undefined where nothing is. */
export const still = (): Promise<void> | undefined => {
  if (busy === 0) return undefined
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  return promise
}

/** Resolves when anything that is on its way is answered; undefined where nothing is. */
export const next = (): Promise<void> | undefined => {
  if (busy === 0) return undefined
  const { promise, resolve } = Promise.withResolvers<void>()
  hoping.push(resolve)
  return promise
}

/** Gives up what is on its way: whoever asked has crashed. */
export const forget = (): void => {
  epoch++
  busy = 0
  wake(false)
}

/** Resolves when everybody waits for something else than Postgres. */
export const settled = async (): Promise<void> => {
  for (let quiet = 0; quiet < 3; quiet++) {
    await new Promise((resolve) => setImmediate(resolve))
    if (busy > 0) {
      await still()
      quiet = 0
    }
  }
}
