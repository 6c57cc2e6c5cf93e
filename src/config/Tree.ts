// A record of settings, which may hold records of settings, and the record of their values: its type comes from the
// settings, and a value is only taken for one after its parts were checked.
import * as Config from "effect/Config"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import type { Setting } from "./Setting.ts"

export interface Tree {
  readonly [key: string]: Setting<unknown> | Tree
}

/** The values of a tree's settings, each under the setting's key. */
export type Values<T extends Tree> = {
  readonly [Key in keyof T]: T[Key] extends Setting<infer A>
    ? A
    : T[Key] extends Tree
      ? Values<T[Key]>
      : never
}

const isSetting = (node: Setting<unknown> | Tree): node is Setting<unknown> =>
  typeof node["name"] === "string"

/** Every setting with its value. */
export const pairs = (
  tree: Tree,
  values: unknown
): ReadonlyArray<readonly [setting: Setting<unknown>, value: unknown]> =>
  Object.entries(tree).flatMap(([key, node]) => {
    const value = Predicate.hasProperty(values, key) ? values[key] : undefined
    return isSetting(node) ? [[node, value] as const] : pairs(node, value)
  })

/** Every setting. */
export const list = (tree: Tree): ReadonlyArray<Setting<unknown>> =>
  pairs(tree, undefined).map(([setting]) => setting)

/** Whether these are values of all settings of a tree. */
export const areValues =
  <T extends Tree>(tree: T) =>
  (values: unknown): values is Values<T> =>
    pairs(tree, values).every(([{ kind }, value]) => kind.is(value))

/** Folds a tree of settings: `of` for each setting, `join` for each record. */
export const fold = <B>(
  tree: Tree,
  of: (setting: Setting<unknown>) => B,
  join: (parts: Readonly<Record<string, B>>) => B
): B => join(Record.map(tree, (node) => (isSetting(node) ? of(node) : fold(node, of, join))))

/** The values that the environment and the configuration file set, else the defaults. */
export const read = <T extends Tree>(tree: T): Config.Config<Values<T>> =>
  fold<Config.Config<unknown>>(tree, ({ value }) => value, Config.all).pipe(
    Config.validate({ message: "a value of another type", validation: areValues(tree) })
  )
