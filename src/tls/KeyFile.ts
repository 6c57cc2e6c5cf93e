// The file of a private key: it is used only where nobody else can have read or changed it.
import { closeSync, fstatSync, openSync, readFileSync, type Stats } from "node:fs"
import * as Effect from "effect/Effect"
import { SettingRefused } from "../domain/requests/SettingRefused.ts"
import { CertificateRefused } from "../http/edge/Certificate.ts"

/** The text of a key. `SettingRefused` where others may read or change the file: waiting does not help then. */
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
    // Never with the reason that is given: it might quote the key.
    catch: (cause) =>
      cause instanceof SettingRefused ? cause : new CertificateRefused({ message: `${file} cannot be read` })
  })

type Held = Pick<Stats, "uid" | "mode">

/**
 * What is wrong with a key's file for a server that runs as `own`, where systems have users at all. The file is the
 * server's own, and nobody else's to read; or it is root's, who renews it: then the group of the server may read it.
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
