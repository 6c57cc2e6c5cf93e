// Components that follow a shared value.
import { useLayoutEffect, useState } from "preact/hooks"
import type { Store } from "./shared.ts"

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
