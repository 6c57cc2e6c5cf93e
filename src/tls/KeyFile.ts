// Reads the file of a private key. A file that another user could read or change is rejected.
import { closeSync, fstatSync, openSync, readFileSync, type Stats } from "node:fs"
import * as Effect from "effect/Effect"
import { SettingRefused } from "../domain/requests/SettingRefused.ts"
import { CertificateRefused } from "../http/edge/Certificate.ts"

/**
 * The text of the key. Fails with `SettingRefused` if others may read or change the file: a retry cannot mend that.
 */
export const read = (file: string): Effect.Effect<string, CertificateRefused | SettingRefused> =>
  Effect.try({
    try: () => {
      const opened = openSync(file, "r")
      try {
        const stats = fstatSync(opened)
        const error = errorOf(stats, process.geteuid?.())
        if (error !== undefined) throw new SettingRefused({ message: WORDS[error](file, stats) })
        return readFileSync(opened, "utf8")
      } finally {
        closeSync(opened)
      }
    },
    // Drop the cause: its message might quote the key.
    catch: (cause) =>
      cause instanceof SettingRefused ? cause : new CertificateRefused({ message: `${file} cannot be read` })
  })

type Held = Pick<Stats, "uid" | "mode">

/**
 * Why the server, running as user `own`, must not use a key file. Allowed are a file of the server's own that nobody
 * else can read, and a file of root's that the server's group may read. Without user ids (Windows) nothing is
 * checked.
 */
export const errorOf = ({ mode, uid }: Held, own: number | undefined): keyof typeof WORDS | undefined => {
  if (own === undefined) return undefined
  if (uid !== own && uid !== 0) return "owner"
  return (mode & (uid === own ? 0o077 : 0o037)) === 0 ? undefined : "mode"
}

const WORDS = {
  owner: (file: string, { uid }: Held) =>
    `the key ${file} belongs to another user (${uid}): it has to be this server's own, or root's`,
  mode: (file: string, { mode }: Held) =>
    `others may read or change the key ${file} (mode ${(mode & 0o777).toString(8).padStart(4, "0")}): chmod 600 ${file}`
} as const
