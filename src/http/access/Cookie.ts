import { MAX_AGE_SECONDS } from "../../domain/Session.ts"

/** The cookie that a session of the dashboard is shown by. */
export const NAME = "signalbox_session"

/** Over TLS it has a name that browsers let nobody but this very host set: no other site of the same domain. */
const nameOf = (isSecure: boolean): string => (isSecure ? `__Host-${NAME}` : NAME)

/** The secret in a `Cookie` header. Two are none: one of them was put there by somebody else. */
export const read = (header: string | null | undefined, isSecure: boolean): string | undefined => {
  if (header === null || header === undefined || !header.includes(NAME)) return undefined
  const start = `${nameOf(isSecure)}=`
  const found = header
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start))
  return found.length === 1 ? found[0]?.slice(start.length) : undefined
}

/** `Set-Cookie` for a session. No script reads it, no other site sends it, and over TLS none but TLS carries it. */
export const set = (secret: string, isSecure: boolean): string => written(secret, MAX_AGE_SECONDS, isSecure)

/** `Set-Cookie` that takes it away again. */
export const clear = (isSecure: boolean): string => written("", 0, isSecure)

const written = (value: string, maxAge: number, isSecure: boolean): string =>
  `${nameOf(isSecure)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`
