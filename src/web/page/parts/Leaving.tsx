// Asks before unsaved input is lost: render `question`, and call `release` after saving.
import { useEffect, useRef, useState } from "preact/hooks"
import { go, guardLeaving } from "../router.ts"
import { Dialog } from "./Dialog.tsx"

export const useLeaving = (isDirty: boolean) => {
  const [wanted, setWanted] = useState<string>()
  const free = useRef(false)
  useEffect(() => {
    if (!isDirty) return
    const unload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener("beforeunload", unload)
    const off = guardLeaving((address) => {
      if (!free.current) setWanted(address)
      return free.current
    })
    return () => {
      removeEventListener("beforeunload", unload)
      off()
    }
  }, [isDirty])
  const release = () => {
    free.current = true
  }
  const question =
    wanted === undefined ? null : (
      <Dialog title="Leave without saving?" onClose={() => setWanted(undefined)}>
        <p>Your changes will be lost.</p>
        <div class="actions">
          <button type="button" class="button" onClick={() => setWanted(undefined)}>
            Stay
          </button>
          <button
            type="button"
            class="button danger"
            onClick={() => {
              release()
              go(wanted)
            }}
          >
            Leave
          </button>
        </div>
      </Dialog>
    )
  return { release, question }
}
