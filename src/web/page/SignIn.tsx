import { useLayoutEffect, useRef, useState } from "preact/hooks"
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
  const frame = useRef<HTMLDialogElement>(null)
  // At once: a field that is hidden soon loses the focus that it is to have again.
  useLayoutEffect(() => {
    const before = [document.title, document.activeElement] as const
    const dialog = frame.current
    document.title = "Sign in · Signalbox"
    // Above a dialog that may be open on the page behind, which would keep the keyboard for itself.
    dialog?.showModal()
    form.current?.querySelector("input")?.focus()
    return () => {
      dialog?.close()
      const [title, focused] = before
      document.title = title
      // The page behind is shown again by then.
      requestAnimationFrame(() => focused instanceof HTMLElement && focused.isConnected && focused.focus())
    }
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
  const content = (
    <main class="sign-in">
      <form class="card" aria-label="Sign in" onSubmit={submit} ref={form}>
        <h1>
          <span class="brand">Signalbox</span>
        </h1>
        <p class="lead">Sign in with a token.</p>
        {expired && problem === undefined ? (
          <Notice tone="warn">The session has ended. Sign in again to go on where you were.</Notice>
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
  return expired ? (
    <dialog
      ref={frame}
      class="sign-in-again"
      aria-label="Sign in"
      onCancel={(event) => event.preventDefault()}
      // A browser lets a second Escape through.
      onClose={() => frame.current?.isConnected === true && frame.current.showModal()}
    >
      {content}
    </dialog>
  ) : (
    content
  )
}

const wordsOf = (problem: Problem): string =>
  problem.errors["token"]?.join("; ") ??
  (problem.status === 401
    ? "The server does not know this token: it may be mistyped or revoked."
    : problem.message)
