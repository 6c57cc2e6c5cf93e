// Copies a text to the clipboard. Without https browsers forbid that; then it says to select the text.
import { useState } from "preact/hooks"
import { after } from "../clock.ts"
import { toast } from "./Toast.tsx"

export const CopyButton = ({ text, label = "Copy" }: { text: string; label?: string }) => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    if (await written(text)) {
      setCopied(true)
      after(2_000, () => setCopied(false))
    } else toast("The browser does not allow copying here: select the text and copy it by hand.", "bad")
  }
  return (
    <button type="button" class="button small" onClick={copy} aria-live="polite">
      {copied ? "Copied" : label}
    </button>
  )
}

const written = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** A text to paste elsewhere, with its copy button. */
export const CopyBlock = ({ text, label }: { text: string; label: string }) => (
  <div class="copy-block">
    <div class="copy-head">
      <span>{label}</span>
      <CopyButton text={text} />
    </div>
    <pre>{text}</pre>
  </div>
)
