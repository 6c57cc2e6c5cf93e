import { useState } from "preact/hooks"
import { after } from "../clock.ts"
import { toast } from "./Toast.tsx"

/** Copies a text. Where the browser forbids it (no https), it says so and the text can be selected by hand. */
export const CopyButton = ({ text, label = "Copy" }: { text: string; label?: string }) => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    if (await written(text)) {
      setCopied(true)
      after(2_000, () => setCopied(false))
    } else toast("The browser does not let pages copy here: select the text and copy it by hand.", "bad")
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

/** A text to be pasted elsewhere, as it is, with its button. */
export const CopyBlock = ({ text, label }: { text: string; label: string }) => (
  <div class="copy-block">
    <div class="copy-head">
      <span>{label}</span>
      <CopyButton text={text} />
    </div>
    <pre>{text}</pre>
  </div>
)
