// The query parameters of a disarm request.
import type * as Either from "effect/Either"
import type { Violations } from "../../domain/requests/Violations.ts"
import { Parameters } from "./Parameters.ts"

/** The parameters as text. */
export interface Disarming {
  readonly close?: string | undefined
  readonly forget?: string | undefined
}

/** Parses them, or returns all violations. */
export const disarming = ({
  close,
  forget
}: Disarming): Either.Either<{ readonly close: boolean; readonly forget: boolean }, Violations> => {
  const parameters = new Parameters()
  const yes = (field: string, text: string | undefined) => parameters.one(field, text, ["0", "1"]) === "1"
  return parameters.done({ close: yes("close", close), forget: yes("forget", forget) })
}
