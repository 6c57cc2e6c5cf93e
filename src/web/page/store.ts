// A value shared between components, with subscriptions.
import { useLayoutEffect, useState } from "preact/hooks"

/** A shared value. */
export interface Store<A> {
  readonly get: () => A
  readonly set: (value: A) => void
  readonly subscribe: (listener: () => void) => () => void
}

export const store = <A>(initial: A): Store<A> => {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

/** The value of a store; the component renders again when it changes. */
export const useStore = <A>(of: Store<A>): A => {
  const [, draw] = useState({})
  const value = of.get()
  useLayoutEffect(() => {
    // The value may have changed between rendering and subscribing.
    if (!Object.is(of.get(), value)) draw({})
    return of.subscribe(() => draw({}))
  }, [of])
  return value
}
