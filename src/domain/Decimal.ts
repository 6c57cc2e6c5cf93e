// Exact decimals for money. Sums and products are exact; divisions keep 18 places, rounded half to even. Numbers enter
// by their shortest decimal text, so 0.1 is exactly one tenth.
import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

/**
 * An exact decimal: quantities, cash, fees and results. Prices on the hot path are `number`; they become exact
 * here (`fromNumber`), by their shortest decimal text, before any money is computed from them.
 *
 * @example
 * ```ts
 * import * as Decimal from "signalbox/domain/Decimal"
 *
 * const price = Decimal.fromNumber(0.1)
 * const cost = Decimal.multiply(Decimal.unsafeFromText("3"), price)
 * Decimal.toText(cost) // "0.3", where numbers give 0.30000000000000004
 * ```
 */
export type Decimal = BigDecimal.BigDecimal

/** The places of a division, and of a product that would otherwise grow without bound. */
export const MONEY_PLACES = 18

/** 0. */
export const zero: Decimal = BigDecimal.unsafeFromString("0")
/** 1. */
export const one: Decimal = BigDecimal.unsafeFromString("1")
/** 100, which converts fractions to percent. */
export const hundred: Decimal = BigDecimal.unsafeFromString("100")

/** The decimal of a finite double's shortest text: `0.1` is one tenth, not 0.1000000000000000055. */
export const fromNumber = (value: number): Decimal => {
  for (const places of MOST_PLACES) {
    const short = ofPlaces(value, places)
    if (short !== undefined) return short
  }
  return ofPlaces(value, placesOf(value)) ?? BigDecimal.unsafeFromString(String(value))
}

/** The places that most numbers have. */
const MOST_PLACES = [0, 2, 4, 8]

/** A number of so many places and at most 15 digits: no two of these share a double. */
const ofPlaces = (value: number, places: number): Decimal | undefined => {
  const power = POWERS[places] ?? 1
  const digits = Math.round(value * power)
  return digits / power === value && Math.abs(digits) < 1e15
    ? BigDecimal.make(BigInt(digits), places)
    : undefined
}

/** The number of places that gives a number 15 digits in all; off by one if the logarithm is. */
export const placesOf = (value: number): number => 14 - Math.floor(Math.log10(Math.abs(value)))

/** Parses a plain or exponent decimal text; none if it is no finite number. */
export const fromText = (text: string): Option.Option<Decimal> => {
  const plain = ofPlainText(text)
  return plain === undefined ? BigDecimal.fromString(text) : Option.some(plain)
}

/** For literals and our own rows: a malformed text is a fault. */
export const unsafeFromText = (text: string): Decimal =>
  ofPlainText(text) ?? BigDecimal.unsafeFromString(text)

/** The format of `toText`: digits with at most one point. Rows hold millions of these. */
const ofPlainText = (text: string): Decimal | undefined => {
  if (!PLAIN.test(text)) return undefined
  const point = text.indexOf(".")
  if (point < 0) return BigDecimal.make(BigInt(text), 0)
  return BigDecimal.make(BigInt(text.slice(0, point) + text.slice(point + 1)), text.length - point - 1)
}

const PLAIN = /^-?\d+(?:\.\d+)?$/

/** The double nearest to the decimal: for the wire, and for prices and ratios compared as doubles. */
export const toNumber = (value: Decimal): number => {
  const { scale, value: digits } = value
  const power = POWERS[scale]
  if (power === undefined) return Number(toText(value))
  // Both are exact as doubles, so the quotient is rounded once.
  if (isExact(digits)) return Number(digits) / power
  const whole = digits / tenTo(scale)
  const rest = Number(digits - whole * tenTo(scale)) / power
  // If both ends of the error of `rest` give the same double, so does the decimal between them.
  const low = Number(whole) + rest * (1 - SLACK)
  const high = Number(whole) + rest * (1 + SLACK)
  return low === high && isExact(whole) ? low : Number(toText(value))
}

const isExact = (digits: bigint): boolean => digits <= MAX_EXACT && digits >= -MAX_EXACT
const SLACK = 2 ** -50

/**
 * Within two units in the last place of the nearest double: for price levels on the hot path, never for money. Equal
 * decimals give the same double, whatever their trailing zeros.
 */
export const approximate = (value: Decimal): number => {
  const { scale, value: digits } = value
  if (scale === MONEY_PLACES) return Number(digits) / 1e18
  const tens = TENS[MONEY_PLACES - scale]
  return tens === undefined ? Number(toText(value)) : Number(digits * tens) / 1e18
}

/** The value in units of 10^-18, for long sums of money. Places beyond the 18th are rounded half to even. */
export const toUnits = (value: Decimal): bigint =>
  value.scale === MONEY_PLACES ? value.value : digitsAt(round(value, MONEY_PLACES), MONEY_PLACES)

/** The decimal of so many units of 10^-18, without trailing zeros, as parsed from its text. */
export const fromUnits = (units: bigint): Decimal =>
  unsafeFromText(toText(BigDecimal.make(units, MONEY_PLACES)))

const MAX_EXACT = 2n ** 53n
const POWERS: ReadonlyArray<number> = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)
const TENS: ReadonlyArray<bigint> = Array.from({ length: 40 }, (_, exponent) => 10n ** BigInt(exponent))
const tenTo = (exponent: number): bigint => TENS[exponent] ?? 10n ** BigInt(exponent)

/** Plain digits without exponent and trailing zeros, as stored: `0.000000012`, never `1.2e-8`. */
export const toText = (value: Decimal): string => {
  const { scale, value: digits } = BigDecimal.normalize(value)
  if (scale <= 0) return (digits * 10n ** BigInt(-scale)).toString()
  const negative = digits < 0n
  const text = (negative ? -digits : digits).toString().padStart(scale + 1, "0")
  const point = text.length - scale
  return `${negative ? "-" : ""}${text.slice(0, point)}.${text.slice(point)}`
}

/** `self + that`, exactly. Adding digits at a common scale is cheaper than through `BigDecimal`. */
export const add = (self: Decimal, that: Decimal): Decimal => {
  const places = Math.max(self.scale, that.scale)
  return BigDecimal.make(digitsAt(self, places) + digitsAt(that, places), places)
}
/** `self - that`, exactly. */
export const subtract = (self: Decimal, that: Decimal): Decimal => {
  const places = Math.max(self.scale, that.scale)
  return BigDecimal.make(digitsAt(self, places) - digitsAt(that, places), places)
}
/** `self < that`, exactly: 0.10 is not less than 0.1. */
export const lessThan = (self: Decimal, that: Decimal): boolean => {
  const places = Math.max(self.scale, that.scale)
  return digitsAt(self, places) < digitsAt(that, places)
}
/** `self = that` by value, whatever their trailing zeros. */
export const equals = (self: Decimal, that: Decimal): boolean => {
  const places = Math.max(self.scale, that.scale)
  return digitsAt(self, places) === digitsAt(that, places)
}
/** `self > that`, exactly. */
export const greaterThan = (self: Decimal, that: Decimal): boolean => lessThan(that, self)
/** `self <= that`, exactly. */
export const lessThanOrEqualTo = (self: Decimal, that: Decimal): boolean => !lessThan(that, self)
/** `self >= that`, exactly. */
export const greaterThanOrEqualTo = (self: Decimal, that: Decimal): boolean => !lessThan(self, that)
/** The smaller of the two; `self` if they are equal. */
export const min = (self: Decimal, that: Decimal): Decimal => (lessThan(that, self) ? that : self)
/** The greater of the two; `self` if they are equal. */
export const max = (self: Decimal, that: Decimal): Decimal => (lessThan(self, that) ? that : self)
/** `0 - self`. */
export const negate: (self: Decimal) => Decimal = BigDecimal.negate
/** Whether it is 0, whatever its scale. */
export const isZero: (self: Decimal) => boolean = BigDecimal.isZero
/** Whether it is below 0. */
export const isNegative: (self: Decimal) => boolean = BigDecimal.isNegative
/** Whether it is above 0. */
export const isPositive: (self: Decimal) => boolean = BigDecimal.isPositive

const digitsAt = ({ scale, value }: Decimal, places: number): bigint =>
  scale === places ? value : value * tenTo(places - scale)

/** The exact sum; `zero` for no values. */
export const sum = (values: Iterable<Decimal>): Decimal => {
  let total = zero
  for (const value of values) total = add(total, value)
  return total
}

/** Rounded half to even, so that many roundings do not drift. */
export const round = (value: Decimal, places: number): Decimal =>
  value.scale <= places
    ? value
    : BigDecimal.make(divideHalfEven(value.value, tenTo(value.scale - places)), places)

/** The exact product, with the places of both factors. */
export const product = (self: Decimal, that: Decimal): Decimal =>
  BigDecimal.make(self.value * that.value, self.scale + that.scale)

/** The product rounded half to even to 18 places, which bounds amounts that are multiplied again and again. */
export const multiply = (self: Decimal, that: Decimal): Decimal => round(product(self, that), MONEY_PLACES)

/** The quotient to 18 places, rounded half to even. A zero divisor is a fault of the caller and throws. */
export const divide = (self: Decimal, that: Decimal): Decimal => {
  if (that.value === 0n) throw new RangeError("division by zero")
  // Scales the numerator so that the integer quotient has MONEY_PLACES places, then rounds once.
  const shift = MONEY_PLACES + that.scale - self.scale
  const numerator = shift >= 0 ? self.value * tenTo(shift) : self.value
  const denominator = shift >= 0 ? that.value : that.value * tenTo(-shift)
  return BigDecimal.make(divideHalfEven(numerator, denominator), MONEY_PLACES)
}

/** `percent` percent of `self`. */
export const percentOf = (self: Decimal, percent: Decimal): Decimal =>
  round(BigDecimal.make(self.value * percent.value, self.scale + percent.scale + 2), MONEY_PLACES)

/** The largest multiple of `step` up to `self` (neither negative). */
export const floorToStep = (self: Decimal, step: Decimal): Decimal => {
  const scale = Math.max(self.scale, step.scale)
  const units = digitsAt(self, scale)
  const stepUnits = digitsAt(step, scale)
  return BigDecimal.make(units - (units % stepUnits), scale)
}

/** The number of whole steps in `self` (neither negative, the step not zero). Exact. */
export const wholeSteps = (self: Decimal, step: Decimal): bigint => {
  const shift = step.scale - self.scale
  return shift >= 0 ? (self.value * tenTo(shift)) / step.value : self.value / (step.value * tenTo(-shift))
}

/** A decimal in our own database: plain text. */
export const Text: Schema.Schema<Decimal, string> = Schema.transformOrFail(
  Schema.String,
  Schema.BigDecimalFromSelf,
  {
    strict: true,
    decode: (text, _, ast) =>
      Option.match(fromText(text), {
        onNone: () => ParseResult.fail(new ParseResult.Type(ast, text, "not a decimal number")),
        onSome: ParseResult.succeed
      }),
    encode: (value) => ParseResult.succeed(toText(value))
  }
)

const divideHalfEven = (numerator: bigint, denominator: bigint): bigint => {
  const quotient = numerator / denominator
  const remainder = numerator - quotient * denominator
  const twice = 2n * (remainder < 0n ? -remainder : remainder)
  const size = denominator < 0n ? -denominator : denominator
  const up = twice > size || (twice === size && quotient % 2n !== 0n)
  if (!up) return quotient
  return numerator < 0n === denominator < 0n ? quotient + 1n : quotient - 1n
}
