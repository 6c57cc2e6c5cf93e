// Calls of an embedder's functions, which never throw: the first failure of each name is reported, and a failed call has
// no result.

/** Calls a function under a name; undefined where it threw. */
export type Attempt<Name extends string> = <A>(name: Name, call: () => A) => A | undefined

/** Makes the calls. `onFailure` is called once for each name that failed, with its first error. */
export const make = <Name extends string>(onFailure: (name: Name, error: unknown) => void): Attempt<Name> => {
  const failed = new Set<Name>()
  return (name, call) => {
    try {
      return call()
    } catch (error) {
      if (!failed.has(name)) {
        failed.add(name)
        onFailure(name, error)
      }
      return undefined
    }
  }
}
