// SHA-256 for keys and bodies, so that stores hold neither.
import * as Context from "effect/Context"
import * as Encoding from "effect/Encoding"
import { sha256 } from "../../domain/internal/Sha256.ts"

/** The SHA-256 of a text, base64url. The real server replaces it with the runtime's own hash, which is faster. */
export class Digest extends Context.Reference<Digest>()("signalbox/services/Digest", {
  defaultValue: () => (text: string) => Encoding.encodeBase64Url(sha256(text))
}) {}

/** Joins texts unambiguously: no two lists of parts make the same text. */
export const joined = (...parts: ReadonlyArray<string>): string => JSON.stringify(parts)
