import { useState } from "preact/hooks"
import { connecting } from "../accounts.ts"
import { CopyBlock } from "../parts/CopyButton.tsx"
import { SelectField } from "../parts/Field.tsx"
import { Panel } from "../parts/PageHead.tsx"
import type { Session } from "../session.ts"
import { EXCHANGES } from "../strategies/fields.ts"

/** How an account is connected: by a command, since keys never pass through a page. */
export const Connecting = ({ session }: { session: Session }) => {
  const [exchange, setExchange] = useState("binance")
  const command = connecting(exchange, session)
  return (
    <Panel title="To connect an account">
      <div class="prose">
        <p>
          Make a key at the exchange that may trade and may not withdraw. Then, on the machine that Signalbox
          runs on:
        </p>
      </div>
      <div class="form form-narrow">
        <SelectField
          label="Exchange"
          name="exchange"
          value={exchange}
          onValue={setExchange}
          options={EXCHANGES.map((value) => ({ value, label: value }))}
        />
      </div>
      <CopyBlock label="With real money" text={command} />
      <CopyBlock label="At the exchange’s test network, where it has one" text={`${command} --sandbox`} />
      <p class="explain">
        It asks for the keys without showing them, tries them, and refuses those that may withdraw where the
        exchange tells. They are stored sealed under a key that is in no backup.
      </p>
    </Panel>
  )
}
