// Numbers and times as components, formatted by format.ts.
import type { ComponentChildren } from "preact"
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

/** A price; where it is rounded, all its digits are its title. */
export const Price = ({ value }: { value: Maybe }) => (
  <Rounded text={Format.price(value)} whole={Format.exact(value)} />
)
/** An amount of a coin; where it is rounded, all its digits are its title. */
export const Amount = ({ value }: { value: Maybe }) => (
  <Rounded text={Format.amount(value)} whole={Format.exact(value)} />
)
export const Count = ({ value }: { value: Maybe }) => <span class="number">{Format.count(value)}</span>
/** A ratio with two places. */
export const Ratio = ({ value }: { value: Maybe }) => <span class="number">{Format.ratio(value)}</span>

const Rounded = ({ text, whole }: { text: string; whole: string }) => (
  <span class="number" title={whole.length > text.length ? whole : undefined}>
    {text}
  </span>
)

/** A duration in seconds. */
export const Duration = ({ seconds }: { seconds: Maybe }) => (
  <span class="number">{Format.duration(seconds)}</span>
)

/**
 * A moment (seconds since the epoch) in the reader's zone, with UTC as its title; `relative` shows the distance from
 * now. The title is out of reach without a mouse: the button of the zone below each page shows all times in UTC.
 */
export const Time = ({ at, relative = false }: { at: Maybe; relative?: boolean }) => {
  const [, draw] = useState({})
  useEffect(() => (relative ? every(15_000, () => draw({})) : undefined), [relative])
  if (typeof at !== "number") return <span class="quiet">–</span>
  return (
    <Instant at={at} title={relative ? `${Format.time(at)} (${Format.elsewhere(at)})` : undefined}>
      {relative ? Format.relative(at, now()) : Format.time(at)}
    </Instant>
  )
}

/** A moment (seconds since the epoch) in two lines: day, and time of day. */
export const Moment = ({ at }: { at: number }) => (
  <Instant at={at}>
    {Format.day(at)}
    <span class="under">{Format.clock(at)}</span>
  </Instant>
)

/** The time of day of a moment (seconds since the epoch), below its day. */
export const Clock = ({ at }: { at: number }) => <Instant at={at}>{Format.clock(at)}</Instant>

const Instant = ({
  at,
  children,
  title
}: {
  at: number
  children: ComponentChildren
  title?: string | undefined
}) => (
  <time class="number" dateTime={new Date(at * 1000).toISOString()} title={title ?? Format.elsewhere(at)}>
    {children}
  </time>
)

/** A sentence of the server, with its numbers and its times as the reader has them. */
export const Sentence = ({ text }: { text: string }) => (
  <>
    {text.split(UTC_TIME).map((part, place) => {
      const at = place % 2 === 0 ? Number.NaN : Date.parse(part.replace(" UTC", "Z").replace(" ", "T"))
      return Number.isNaN(at) ? Format.figured(part) : <Time key={`${place} ${part}`} at={at / 1000} />
    })}
  </>
)

/** A time as the server's sentences have it, in a group so that `split` keeps it. */
const UTC_TIME = /(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC)/
