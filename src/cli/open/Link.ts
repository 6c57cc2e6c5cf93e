// The link that signs in once. The code stands behind the `#`, which browsers send nowhere: no server, proxy, link
// preview or log sees it.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SIGN_IN_PAGE } from "../../api/shared/Paths.ts"
import { MAX_AGE_SECONDS } from "../../domain/internal/SignInCode.ts"
import * as SignIn from "../../services/internal/SignIn.ts"

/** A link, the account that it signs in to (none: it makes the first one), and when it ends (seconds). */
export interface Link {
  readonly url: string
  readonly account: Option.Option<string>
  readonly expiresAt: number
}

/** A new link to the dashboard of the server at `base`. */
export const make = Effect.fn("Link.make")(function* (base: string, account: Option.Option<string>) {
  const invitation = yield* SignIn.invite(account)
  const url = `${base}/${SIGN_IN_PAGE}?code=${Redacted.value(invitation.code)}`
  return { url, account: invitation.account, expiresAt: invitation.expiresAt } satisfies Link
})

/** What the link is for, as the line above it. */
export const words = ({ account }: Pick<Link, "account">): string =>
  Option.match(account, {
    onNone: () => `open this to make your account; it works once, within ${MINUTES} minutes:`,
    onSome: (name) => `open this to be signed in as ${name}; it works once, within ${MINUTES} minutes:`
  })

const MINUTES = MAX_AGE_SECONDS / 60

/** Whether a stream is a terminal: a link is printed nowhere else, since journals and files are read by others. */
export const isTerminal = ({ isTTY }: { readonly isTTY?: boolean }): boolean => isTTY === true
