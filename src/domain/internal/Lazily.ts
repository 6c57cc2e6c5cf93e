// Functions that are made at their first call.

/**
 * A function made by `make` at its first call, and kept. The reader or writer of a schema is compiled when it is made:
 * a start has no use for most of them.
 */
export const lazily = <Arguments extends ReadonlyArray<unknown>, A>(
  make: () => (...args: Arguments) => A
): ((...args: Arguments) => A) => {
  let made: ((...args: Arguments) => A) | undefined
  return (...args) => {
    made ??= make()
    return made(...args)
  }
}
