// Describes a change of a strategy's settings for its timeline: each changed setting with its new and old value.
import * as Option from "effect/Option"
import type { Settings } from "../Strategy.ts"
import type { TimelineNote } from "../Timeline.ts"

/** The timeline note of new settings; none if nothing changed. `at` in ms since the epoch. */
export const noteOfChange = (before: Settings, after: Settings, at: number): Option.Option<TimelineNote> => {
  const [old, young] = [flat(before), flat(after)]
  const names = [...new Set([...old.keys(), ...young.keys()])].filter((it) => old.get(it) !== young.get(it))
  if (names.length === 0) return Option.none()
  const changes = names.map((name) =>
    WITHOUT_VALUES.has(name)
      ? plain(name)
      : `${plain(name)} ${young.get(name) ?? "off"} (was ${old.get(name) ?? "off"})`
  )
  return Option.some({
    at,
    rule: "settings_changed",
    alertId: Option.none(),
    reason: Option.none(),
    text: `New settings: ${changes.join(", ")}.`,
    facts: { changed: names.map(plain).join(", ") }
  })
}

/** The owner's own texts and lists are named without their values. */
const WITHOUT_VALUES: ReadonlySet<string> = new Set(["name", "description", "displayName", "exchanges"])

/** The settings by name; those of a group as `stopLoss.percent`. */
const flat = (settings: Settings): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(settings).flatMap(
      ([name, value]): ReadonlyArray<readonly [string, string]> =>
        typeof value === "object" && !Array.isArray(value)
          ? Object.entries(value).map(([inner, it]) => [`${name}.${inner}`, String(it)])
          : [[name, typeof value === "object" ? JSON.stringify(value) : String(value)]]
    )
  )

/** `stopLoss.percent` becomes `stop loss percent`. */
const plain = (name: string): string =>
  name.replaceAll(".", " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
