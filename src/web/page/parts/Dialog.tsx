import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import { Problem } from "../Problem.ts"

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly wide?: boolean
}

/** A modal dialog while it is in the tree: Escape and a press beside it close it, focus goes back where it was. */
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
  /** What the button says: the deed, not "OK". */
  readonly action: string
  /** What is done; where it is refused, the reason is shown and the dialog stays. */
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
}

/** Asks before something that cannot be undone. */
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
          {problem.message}
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
