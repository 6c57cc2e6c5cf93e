// What is printed of a suite that failed and was run again.
import { AGAIN } from "../../scripts/check/closing.ts"

/** A test that failed the first time, and what it said. */
export interface FirstFailure {
  readonly test: string
  readonly texts: ReadonlyArray<string>
}

/** Names what failed before, and whether all of the suite passes now. */
export const tellAgain = (failures: ReadonlyArray<FirstFailure>, isSound: boolean): void => {
  for (const { test, texts } of failures) {
    console.log(isSound ? `${AGAIN}: ${test}` : `it failed before too: ${test}`)
    for (const text of texts) console.log(`    ${text.replaceAll("\n", "\n    ")}`)
  }
}
