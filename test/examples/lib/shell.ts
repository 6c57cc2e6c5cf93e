// Runs commands in a folder, bounded in time, and once more where only the registry was at fault.

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Beside the tests both may be slow. */
const PROGRAM_MS = 120_000
const INSTALL_MS = 240_000
/** How often an install is tried, with this pause (ms) times the number of tries between. */
const TRIES = 3
const PAUSE_MS = 3_000

/** What managers print where the network or the registry failed, and not the package. */
const NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET|socket hang up|ConnectionRefused|ConnectionClosed|FailedToOpenSocket|getaddrinfo|network (?:error|timeout|request)|RequestError|fetch failed|timed out|(?:\bE|FETCH_| - |Code: |status )(?:429|50[234])\b/i

/** Quiet, without questions, and from the registry that npm uses on this machine. */
const environment = {
  ...process.env,
  npm_config_update_notifier: "false",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_fetch_retries: "5",
  NODE_NO_WARNINGS: "1",
  YARN_ENABLE_TELEMETRY: "0",
  YARN_ENABLE_IMMUTABLE_INSTALLS: "false"
}

export interface Options {
  readonly milliseconds?: number
  readonly more?: Readonly<Record<string, string>>
}

export const runIn = async (
  folder: string,
  command: ReadonlyArray<string>,
  { milliseconds = PROGRAM_MS, more = {} }: Options = {}
): Promise<Ran> => {
  const child = Bun.spawn([...command], {
    ...{ cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "pipe", timeout: milliseconds },
    env: { ...environment, ...more }
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out: Bun.stripANSI(out).trim(), err: Bun.stripANSI(err).trim() }
}

/** Runs an install; where the network failed it is tried again after a pause. */
export const installIn = async (
  folder: string,
  command: ReadonlyArray<string>,
  more: Readonly<Record<string, string>> = {}
): Promise<Ran> => {
  for (let tried = 1; ; tried++) {
    const ran = await runIn(folder, command, { milliseconds: INSTALL_MS, more })
    if (tried === TRIES || !isOffline(ran)) return ran
    await Bun.sleep(PAUSE_MS * tried)
  }
}

export const isOffline = ({ code, err, out }: Ran): boolean => code !== 0 && NETWORK.test(`${out}\n${err}`)

/** How much of a command's output is shown, in characters: its end. */
const SHOWN = 2_000

export const wordsOf = ({ err, out }: Ran): string => `${out}\n${err}`.trim().slice(-SHOWN)
