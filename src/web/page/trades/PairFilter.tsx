// The filter by a part of a pair, for lists of trades, alerts and timelines. The request waits until the typing pauses.
import { useEffect, useState } from "preact/hooks"
import { after } from "../clock.ts"
import { TextField } from "../parts/Field.tsx"

const PAUSE_MS = 300

export const PairFilter = ({ onPair, text }: { text: string; onPair: (text: string) => void }) => {
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped(text), [text])
  useEffect(() => (typed === text ? undefined : after(PAUSE_MS, () => onPair(typed))), [typed, text])
  return (
    <TextField
      label="Pair"
      type="search"
      placeholder="BTC or BTC/USDT"
      maxLength={64}
      value={typed}
      onValue={setTyped}
    />
  )
}
