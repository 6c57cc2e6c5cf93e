// Numbers and times as components, formatted by format.ts.
import { useEffect, useState } from "preact/hooks"
import { every, now } from "../clock.ts"
import * as Format from "./format.ts"

type Maybe = number | null | undefined

const toneOf = (value: Maybe): string =>
  typeof value !== "number" || value === 0 ? "" : value > 0 ? " gain" : " loss"

/** An amount of money; with `sign` it has a plus or minus and a colour. */
export const Money = ({
  value,
  currency,
  sign = false
}: {
  value: Maybe
  currency?: string
  sign?: boolean
}) => <span class={`number${sign ? toneOf(value) : ""}`}>{Format.money(value, currency, sign)}</span>

export const Percent = ({
  value,
  sign = false,
  digits
}: {
  value: Maybe
  sign?: boolean
  digits?: number
}) => <span class={`number${sign ? toneOf(value) : ""}`}>{Format.percent(value, sign, digits)}</span>

export const Price = ({ value }: { value: Maybe }) => <span class="number">{Format.price(value)}</span>
export const Amount = ({ value }: { value: Maybe }) => <span class="number">{Format.amount(value)}</span>
export const Count = ({ value }: { value: Maybe }) => <span class="number">{Format.count(value)}</span>

/** A duration in seconds. */
export const Duration = ({ seconds }: { seconds: Maybe }) => (
  <span class="number">{Format.duration(seconds)}</span>
)

/**
 * A moment (seconds since the epoch) in local time, with UTC as its title; `relative` shows the distance from now.
 */
export const Time = ({ at, relative = false }: { at: Maybe; relative?: boolean }) => {
  const [, draw] = useState({})
  useEffect(() => (relative ? every(15_000, () => draw({})) : undefined), [relative])
  if (typeof at !== "number") return <span class="quiet">–</span>
  const iso = new Date(at * 1000).toISOString()
  const title = relative ? `${Format.time(at)} (${Format.utc(at)})` : Format.utc(at)
  return (
    <time class="number" dateTime={iso} title={title}>
      {relative ? Format.relative(at, now()) : Format.time(at)}
    </time>
  )
}

/** A moment (seconds since the epoch) in two lines: day, and local time. */
export const Moment = ({ at }: { at: number }) => {
  const [day, time] = Format.time(at).split(", ")
  return (
    <time class="number" dateTime={new Date(at * 1000).toISOString()} title={Format.utc(at)}>
      {day}
      <span class="under">{time}</span>
    </time>
  )
}
