// The address of the sign-in link that a terminal prints, whose code stands behind the hash. Pure functions.
import { SIGN_IN_PAGE } from "../../api/shared/Paths.ts"

/** The code in the hash of a sign-in link; undefined if the hash is of another page. */
export const codeIn = (hash: string): string | undefined => {
  const [page, search = ""] = hash.split("?")
  return page === SIGN_IN_PAGE ? (new URLSearchParams(search).get("code") ?? "") : undefined
}
