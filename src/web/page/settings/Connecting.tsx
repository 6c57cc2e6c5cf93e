// The instructions for connecting an exchange account: by a command, because keys never pass through a page.

import { useState } from "preact/hooks"
import { EXCHANGE_NAMES } from "../../../domain/internal/ExchangeFacts.ts"
import { connecting } from "../accounts.ts"
import { CopyBlock } from "../parts/CopyButton.tsx"
import { SelectField } from "../parts/Field.tsx"
import { GuidePage } from "../parts/GuideLink.tsx"
import { Panel } from "../parts/PageHead.tsx"
import type { Session } from "../session.ts"

export const Connecting = ({ session }: { session: Session }) => {
  const [exchange, setExchange] = useState("binance")
  const command = connecting(exchange, session)
  return (
    <Panel
      title="Connect an account"
      actions={<GuidePage page="real-money#connect">More about connecting</GuidePage>}
    >
      <div class="prose">
        <p>
          At the exchange, create a key that may trade but not withdraw. Then, on the machine that runs
          Signalbox:
        </p>
      </div>
      <div class="form form-narrow">
        <SelectField
          label="Exchange"
          name="exchange"
          value={exchange}
          onValue={setExchange}
          options={EXCHANGE_NAMES.map((value) => ({ value, label: value }))}
        />
      </div>
      <CopyBlock label="With real money" text={command} />
      <CopyBlock label="At the exchange’s test network, where it has one" text={`${command} --sandbox`} />
      <p class="explain">
        The command asks for the keys without showing them and checks them. If the exchange says that they may
        withdraw, they are rejected. They are stored encrypted, under a master key that is in no backup.
      </p>
    </Panel>
  )
}
