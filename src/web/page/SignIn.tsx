import { useEffect, useRef, useState } from "preact/hooks"
import { Problem } from "./Problem.ts"
import { TextField } from "./parts/Field.tsx"
import { Notice } from "./parts/Toast.tsx"
import { signIn } from "./signing.ts"

/** Trades a token for a session. Whoever was on a page comes back to it. */
export const SignIn = ({ expired }: { expired: boolean }) => {
  const [token, setToken] = useState("")
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    document.title = "Sign in · Signalbox"
    form.current?.querySelector("input")?.focus()
  }, [])
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      await signIn(token.trim())
    } catch (fault) {
      setProblem(Problem.of(fault))
      setBusy(false)
      form.current?.querySelector("input")?.focus()
    }
  }
  return (
    <main class="sign-in">
      <form class="card" aria-label="Sign in" onSubmit={submit} ref={form}>
        <h1>
          <span class="brand">Signalbox</span>
        </h1>
        <p class="lead">Sign in with a token.</p>
        {expired && problem === undefined ? (
          <Notice tone="warn">The session has ended: sign in again.</Notice>
        ) : null}
        <TextField
          label="Token"
          type="password"
          name="token"
          autocomplete="current-password"
          value={token}
          onValue={setToken}
          errors={problem === undefined ? undefined : [wordsOf(problem)]}
        />
        <button type="submit" class="button primary wide-button" disabled={busy || token.trim() === ""}>
          {busy ? "Signing in…" : "Sign in"}
        </button>
        <details>
          <summary>No token yet?</summary>
          <p>Make one on the machine that Signalbox runs on. It is shown once:</p>
          <pre>signalbox token create --account you</pre>
          <p class="explain">
            It needs the scope <code>full</code>. The browser keeps a session and not the token.
          </p>
        </details>
      </form>
    </main>
  )
}

const wordsOf = (problem: Problem): string =>
  problem.errors["token"]?.join("; ") ??
  (problem.status === 401
    ? "The server does not know this token: it may be mistyped or revoked."
    : problem.message)
