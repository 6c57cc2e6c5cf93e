// Modal dialogs. Escape and a press outside close them, and the focus returns to where it was.
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import { Problem } from "../Problem.ts"
import { ProblemText } from "./GuideLink.tsx"

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly wide?: boolean
}

export const Dialog = ({ title, onClose, children, wide = false }: Props) => {
  const id = useId()
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const dialog = element.current
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={wide ? "dialog wide-dialog" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => event.target === element.current && onClose()}
    >
      <div class="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly children: ComponentChildren
  /** The button's label: names the action, not "OK". */
  readonly action: string
  /** The action; a rejection is shown and keeps the dialog open. */
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
}

/** A dialog that confirms an action that cannot be undone. */
export const Confirm = ({ title, children, action, onConfirm, onClose }: ConfirmProps) => {
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (fault) {
      setProblem(Problem.of(fault))
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="prose">{children}</div>
      {problem === undefined ? null : (
        <p class="notice bad" role="alert">
          <ProblemText problem={problem} />
        </p>
      )}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="button danger" disabled={busy} onClick={confirm}>
          {action}
        </button>
      </div>
    </Dialog>
  )
}
