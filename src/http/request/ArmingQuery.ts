import type * as Either from "effect/Either"
import type { Violations } from "../../domain/requests/Violations.ts"
import { Parameters } from "./Parameters.ts"

/** How a strategy is to be disarmed, as it stands in an address. */
export interface Disarming {
  readonly close?: string | undefined
  readonly forget?: string | undefined
}

/** How a strategy is to be disarmed, or all that is wrong with how that is said. */
export const disarming = ({
  close,
  forget
}: Disarming): Either.Either<{ readonly close: boolean; readonly forget: boolean }, Violations> => {
  const parameters = new Parameters()
  const yes = (field: string, text: string | undefined) => parameters.one(field, text, ["0", "1"]) === "1"
  return parameters.done({ close: yes("close", close), forget: yes("forget", forget) })
}
