// Signing in, over the page or in its place. After an expired session it is a dialog over the page, which stays as it
// was.
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { read } from "../../domain/internal/SignInCode.ts"
import { Problem } from "./Problem.ts"
import { TextField } from "./parts/Field.tsx"
import { Notice } from "./parts/Toast.tsx"
import type { SignedOut } from "./session.ts"
import { signIn } from "./signing.ts"

interface Props extends SignedOut {
  readonly expired: boolean
}

export const SignIn = (props: Props) => {
  const { expired, unclaimed } = props
  const frame = useRef<HTMLDialogElement>(null)
  const place = useRef<HTMLElement>(null)
  const title = unclaimed === true ? "Make your account" : "Sign in"
  // A layout effect, because the focused field must be noted before the page behind is hidden.
  useLayoutEffect(() => {
    const before = [document.title, document.activeElement] as const
    const dialog = frame.current
    document.title = `${title} · Signalbox`
    // `showModal` puts the form above a dialog of the page, which would otherwise hold the focus.
    dialog?.showModal()
    const inputs = [...(place.current?.querySelectorAll("input") ?? [])]
    const next = inputs.find(({ value }) => value === "") ?? inputs.at(-1)
    next?.focus()
    return () => {
      dialog?.close()
      const [title, focused] = before
      document.title = title
      // Wait a frame, until the page behind is visible again.
      requestAnimationFrame(() => focused instanceof HTMLElement && focused.isConnected && focused.focus())
    }
  }, [title])
  const content = (
    <main class="sign-in" ref={place}>
      {unclaimed === true ? <FirstAccount code={props.code} /> : <WithToken {...props} />}
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

/** Sends what was typed; the first field gets the focus back where it is refused. */
const useSending = () => {
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const send = async (payload: Parameters<typeof signIn>[0]) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await signIn(payload)
    } catch (fault) {
      setProblem(Problem.of(fault))
      setBusy(false)
      form.current?.querySelector("input")?.focus()
    }
  }
  return { problem, busy, form, send }
}

const Card = ({
  label,
  lead,
  onSend,
  form,
  children
}: {
  label: string
  lead: string
  onSend: () => void
  form: ReturnType<typeof useSending>["form"]
  children: ComponentChildren
}) => (
  <form
    class="card"
    aria-label={label}
    ref={form}
    onSubmit={(event) => {
      event.preventDefault()
      onSend()
    }}
  >
    <h1>
      <span class="brand">Signalbox</span>
    </h1>
    <p class="lead">{lead}</p>
    {children}
  </form>
)

const WithToken = ({ expired, isRefused }: Props) => {
  const [token, setToken] = useState("")
  const { busy, form, problem, send } = useSending()
  const typed = token.trim()
  const isCode = read(typed) !== undefined
  return (
    <Card
      label="Sign in"
      lead="Sign in with a token, or with a code from the terminal."
      form={form}
      onSend={() => send(isCode ? { code: typed } : { token: typed })}
    >
      {expired && problem === undefined ? (
        <Notice tone="warn">Your session has ended. Sign in again to continue where you were.</Notice>
      ) : null}
      {isRefused === true && problem === undefined ? (
        <Notice tone="warn">
          This link does not sign in: it was used already, or is older than ten minutes. On the machine that
          runs Signalbox, <code>signalbox open</code> prints another.
        </Notice>
      ) : null}
      <TextField
        label="Token or code"
        type="password"
        name="token"
        autocomplete="current-password"
        value={token}
        onValue={setToken}
        errors={problem === undefined ? undefined : [isCode ? ofCode(problem) : ofToken(problem)]}
      />
      <button type="submit" class="button primary wide-button" disabled={busy || typed === ""}>
        {busy ? "Signing in…" : "Sign in"}
      </button>
      <details>
        <summary>No token at hand?</summary>
        <p>On the machine that runs Signalbox, this prints a link that signs you in:</p>
        <pre>signalbox open</pre>
        <p>And this makes a token, which is shown once:</p>
        <pre>signalbox token create --account you</pre>
        <p class="explain">
          It needs the scope <code>full</code>. The browser stores a session, not the token.
        </p>
      </details>
    </Card>
  )
}

/** The first visit of all: a server without an account. */
const FirstAccount = ({ code = "" }: { code?: string | undefined }) => {
  const [typed, setTyped] = useState(code)
  const [name, setName] = useState("me")
  const { busy, form, problem, send } = useSending()
  const ofName = problem?.errors["account"]
  return (
    <Card
      label="Make your account"
      lead="This server has no account yet. Make yours, and you are signed in."
      form={form}
      onSend={() => send({ code: typed.trim(), account: name.trim() })}
    >
      <TextField
        label="Code from the terminal"
        name="code"
        value={typed}
        onValue={setTyped}
        placeholder="XXXXX-XXXXX-XXXXX-XXXXX"
        errors={problem === undefined || ofName !== undefined ? undefined : [ofCode(problem)]}
      />
      <TextField
        label="Name of the account"
        name="account"
        autocomplete="username"
        value={name}
        onValue={setName}
        maxLength={64}
        explain="Your signals and strategies belong to it. As the first account it is the operator's, who runs this server."
        errors={ofName}
      />
      <button
        type="submit"
        class="button primary wide-button"
        disabled={busy || typed.trim() === "" || name.trim() === ""}
      >
        {busy ? "Making it…" : "Make the account"}
      </button>
      <details>
        <summary>Where is the code?</summary>
        <p>The terminal in which Signalbox was started shows a link, which ends with it. Another one:</p>
        <pre>signalbox open</pre>
        <p class="explain">It works once, within ten minutes, and shows that the server is yours.</p>
      </details>
    </Card>
  )
}

const ofToken = (problem: Problem): string =>
  problem.errors["token"]?.join("; ") ??
  (problem.status === 401
    ? "The server does not know this token: it is mistyped, revoked, or of another database. What the server prints at its start names the database that it uses; make the token in that one, with --db."
    : problem.message)

const ofCode = (problem: Problem): string =>
  problem.status === 401
    ? "This code does not count: it is mistyped, used already, or older than ten minutes. signalbox open prints another."
    : problem.message
