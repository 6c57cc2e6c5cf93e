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

/** Places kept by a division, and by a product that would otherwise grow without bound. */
export const MONEY_PLACES = 18

/** 0, the sum of nothing. */
export const zero: Decimal = BigDecimal.unsafeFromString("0")
/** 1. */
export const one: Decimal = BigDecimal.unsafeFromString("1")
/** 100, which turns fractions to percent. */
export const hundred: Decimal = BigDecimal.unsafeFromString("100")

/** The decimal that the shortest text of a finite double names: `0.1` is one tenth, not 0.1000000000000000055. */
export const fromNumber = (value: number): Decimal => {
  // A double that a decimal of at most 15 digits names is read without its text: no other is as short.
  for (const places of [0, 2, 4, 8, placesOf(value)]) {
    const power = POWERS[places] ?? 1
    const digits = Math.round(value * power)
    if (digits / power === value && Math.abs(digits) < 1e15) return BigDecimal.make(BigInt(digits), places)
  }
  return BigDecimal.unsafeFromString(String(value))
}

/** How many places give a number 15 digits in all; one more or less where a logarithm is off. */
export const placesOf = (value: number): number => 14 - Math.floor(Math.log10(Math.abs(value)))

/** A plain or exponent decimal text; none where it is not a finite number. */
export const fromText = (text: string): Option.Option<Decimal> => {
  const plain = ofPlainText(text)
  return plain === undefined ? BigDecimal.fromString(text) : Option.some(plain)
}

/** For literals and for rows that we wrote ourselves. A malformed text is a defect. */
export const unsafeFromText = (text: string): Decimal =>
  ofPlainText(text) ?? BigDecimal.unsafeFromString(text)

/** As `toText` writes them: digits, with a point among them or none. Rows hold millions of these. */
const ofPlainText = (text: string): Decimal | undefined => {
  if (!PLAIN.test(text)) return undefined
  const point = text.indexOf(".")
  if (point < 0) return BigDecimal.make(BigInt(text), 0)
  return BigDecimal.make(BigInt(text.slice(0, point) + text.slice(point + 1)), text.length - point - 1)
}

const PLAIN = /^-?\d+(?:\.\d+)?$/

/** The double nearest to the decimal: for the wire, and for prices and ratios that are compared as doubles. */
export const toNumber = (value: Decimal): number => {
  const { scale, value: digits } = value
  const power = POWERS[scale]
  if (power === undefined) return Number(toText(value))
  // Both are exact as doubles, so that their quotient is rounded once.
  if (isExact(digits)) return Number(digits) / power
  const whole = digits / tenTo(scale)
  const rest = Number(digits - whole * tenTo(scale)) / power
  // Where both ends of what `rest` may be off by give the same double, so does the decimal between them.
  const low = Number(whole) + rest * (1 - SLACK)
  const high = Number(whole) + rest * (1 + SLACK)
  return low === high && isExact(whole) ? low : Number(toText(value))
}

const isExact = (digits: bigint): boolean => digits <= MAX_EXACT && digits >= -MAX_EXACT
const SLACK = 2 ** -50

/**
 * Within two units in the last place of the nearest double: for price levels on the hot path, never for money. Equal
 * decimals give the same double, however many trailing zeros they carry.
 */
export const approximate = (value: Decimal): number => {
  const { scale, value: digits } = value
  if (scale === MONEY_PLACES) return Number(digits) / 1e18
  const tens = TENS[MONEY_PLACES - scale]
  return tens === undefined ? Number(toText(value)) : Number(digits * tens) / 1e18
}

/** Whole units of 10^-18, for long sums over money, which has no more places. What lies beyond is rounded half-even. */
export const toUnits = (value: Decimal): bigint =>
  value.scale === MONEY_PLACES ? value.value : digitsAt(round(value, MONEY_PLACES), MONEY_PLACES)

/** With no more places than it needs: the very decimal that its text is read as. */
export const fromUnits = (units: bigint): Decimal =>
  unsafeFromText(toText(BigDecimal.make(units, MONEY_PLACES)))

const MAX_EXACT = 2n ** 53n
const POWERS: ReadonlyArray<number> = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)
const TENS: ReadonlyArray<bigint> = Array.from({ length: 40 }, (_, exponent) => 10n ** BigInt(exponent))
const tenTo = (exponent: number): bigint => TENS[exponent] ?? 10n ** BigInt(exponent)

/** Plain digits with no exponent and no trailing zeros, as stored: `0.000000012`, never `1.2e-8`. */
export const toText = (value: Decimal): string => {
  const { scale, value: digits } = BigDecimal.normalize(value)
  if (scale <= 0) return (digits * 10n ** BigInt(-scale)).toString()
  const negative = digits < 0n
  const text = (negative ? -digits : digits).toString().padStart(scale + 1, "0")
  const point = text.length - scale
  return `${negative ? "-" : ""}${text.slice(0, point)}.${text.slice(point)}`
}

/** Sums and comparisons are those of the digits, once both have as many places: cheaper than over `BigDecimal`. */
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
/** `self = that` by value, however many places each is written with. */
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
/** The smaller of the two, `self` where they are equal. */
export const min = (self: Decimal, that: Decimal): Decimal => (lessThan(that, self) ? that : self)
/** The greater of the two, `self` where they are equal. */
export const max = (self: Decimal, that: Decimal): Decimal => (lessThan(self, that) ? that : self)
/** `0 - self`. */
export const negate: (self: Decimal) => Decimal = BigDecimal.negate
/** Whether it is 0, however many places it is written with. */
export const isZero: (self: Decimal) => boolean = BigDecimal.isZero
/** Whether it is below 0. */
export const isNegative: (self: Decimal) => boolean = BigDecimal.isNegative
/** Whether it is above 0. */
export const isPositive: (self: Decimal) => boolean = BigDecimal.isPositive

const digitsAt = ({ scale, value }: Decimal, places: number): bigint =>
  scale === places ? value : value * tenTo(places - scale)

/** All of them together, exactly; `zero` where there are none. */
export const sum = (values: Iterable<Decimal>): Decimal => {
  let total = zero
  for (const value of values) total = add(total, value)
  return total
}

/** Rounded half to even, so that a long series of roundings does not drift. */
export const round = (value: Decimal, places: number): Decimal =>
  value.scale <= places
    ? value
    : BigDecimal.make(divideHalfEven(value.value, tenTo(value.scale - places)), places)

/** The exact product, with the places of both. */
export const product = (self: Decimal, that: Decimal): Decimal =>
  BigDecimal.make(self.value * that.value, self.scale + that.scale)

/** The product cut to 18 places half-even: amounts stay bounded however often they are multiplied. */
export const multiply = (self: Decimal, that: Decimal): Decimal => round(product(self, that), MONEY_PLACES)

/** The quotient to 18 places, half-even; zero where the divisor is zero is the caller's decision, so it is a defect. */
export const divide = (self: Decimal, that: Decimal): Decimal => {
  if (that.value === 0n) throw new RangeError("division by zero")
  // numerator / denominator scaled so that the integer quotient has MONEY_PLACES places, then one half-even step.
  const shift = MONEY_PLACES + that.scale - self.scale
  const numerator = shift >= 0 ? self.value * tenTo(shift) : self.value
  const denominator = shift >= 0 ? that.value : that.value * tenTo(-shift)
  return BigDecimal.make(divideHalfEven(numerator, denominator), MONEY_PLACES)
}

/** `percent` percent of `self`. */
export const percentOf = (self: Decimal, percent: Decimal): Decimal =>
  round(BigDecimal.make(self.value * percent.value, self.scale + percent.scale + 2), MONEY_PLACES)

/** The largest multiple of `step` that is at most `self` (both not negative). */
export const floorToStep = (self: Decimal, step: Decimal): Decimal => {
  const scale = Math.max(self.scale, step.scale)
  const units = digitsAt(self, scale)
  const stepUnits = digitsAt(step, scale)
  return BigDecimal.make(units - (units % stepUnits), scale)
}

/** How many whole steps fit into `self` (neither negative, the step not zero). Exact. */
export const wholeSteps = (self: Decimal, step: Decimal): bigint => {
  const shift = step.scale - self.scale
  return shift >= 0 ? (self.value * tenTo(shift)) / step.value : self.value / (step.value * tenTo(-shift))
}

/** A decimal on the wire of our own database: plain text. */
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
