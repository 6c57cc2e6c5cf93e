// The cookie of a dashboard session: HttpOnly, SameSite=Strict and, over TLS, Secure with the `__Host-` prefix.
import { MAX_AGE_SECONDS } from "../../domain/Session.ts"

/** The name of the cookie. */
export const NAME = "signalbox_session"

/** Over TLS, browsers let only this very host set a cookie with the `__Host-` prefix, no other site of the domain. */
const nameOf = (isSecure: boolean): string => (isSecure ? `__Host-${NAME}` : NAME)

/** Reads the secret from a `Cookie` header. Two cookies count as none: one of them was set by somebody else. */
export const read = (header: string | null | undefined, isSecure: boolean): string | undefined => {
  if (header === null || header === undefined || !header.includes(NAME)) return undefined
  const start = `${nameOf(isSecure)}=`
  const found = header
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start))
  return found.length === 1 ? found[0]?.slice(start.length) : undefined
}

/** `Set-Cookie` for a session. No script can read it, no other site can send it, and over TLS only TLS carries it. */
export const set = (secret: string, isSecure: boolean): string => written(secret, MAX_AGE_SECONDS, isSecure)

/** `Set-Cookie` that removes the cookie. */
export const clear = (isSecure: boolean): string => written("", 0, isSecure)

const written = (value: string, maxAge: number, isSecure: boolean): string =>
  `${nameOf(isSecure)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`
