// Reads values of unknown shape, such as the answers of an exchange and the errors of ccxt.

/** A field of an unknown value; undefined if there is none. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
