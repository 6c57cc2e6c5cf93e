// The sign-in form: exchanges a token for a session. After an expired session it is a dialog over the page, which
// stays as it was.
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { Problem } from "./Problem.ts"
import { TextField } from "./parts/Field.tsx"
import { Notice } from "./parts/Toast.tsx"
import { signIn } from "./signing.ts"

export const SignIn = ({ expired }: { expired: boolean }) => {
  const [token, setToken] = useState("")
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const frame = useRef<HTMLDialogElement>(null)
  // A layout effect, because the focused field must be noted before the page behind is hidden.
  useLayoutEffect(() => {
    const before = [document.title, document.activeElement] as const
    const dialog = frame.current
    document.title = "Sign in · Signalbox"
    // `showModal` puts the form above a dialog of the page, which would otherwise hold the focus.
    dialog?.showModal()
    form.current?.querySelector("input")?.focus()
    return () => {
      dialog?.close()
      const [title, focused] = before
      document.title = title
      // Wait a frame, until the page behind is visible again.
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
          <Notice tone="warn">Your session has ended. Sign in again to continue where you were.</Notice>
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
          <p>Create one on the machine that runs Signalbox. It is shown once:</p>
          <pre>signalbox token create --account you</pre>
          <p class="explain">
            It needs the scope <code>full</code>. The browser stores a session, not the token.
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
      // Browsers let a second Escape close the dialog: open it again.
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
