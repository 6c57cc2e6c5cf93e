// An order's fills, its client id, its fees and the trade that it is part of.
import { CopyButton } from "../parts/CopyButton.tsx"
import { Amount, Price, Time } from "../parts/Value.tsx"
import { href } from "../routes.ts"
import { OrderTrade } from "./OrderTrade.tsx"
import { feesOf, type Order } from "./orders.ts"

export const Fills = ({ id, of }: { id: number; of: Order }) => (
  <div class="details">
    {of.alert_id === null ? null : (
      <p>
        By <a href={href("alerts", [of.alert_id])}>alert {of.alert_id}</a>
      </p>
    )}
    {of.client_id === null ? null : (
      <p class="client-line">
        <span class="quiet">Client id</span> <code>{of.client_id}</code>{" "}
        <CopyButton text={of.client_id} label="Copy" />
      </p>
    )}
    {of.fills.length === 0 ? (
      <p class="quiet">{isOver(of) ? "It ended without a fill." : "No fill yet."}</p>
    ) : (
      <ul class="fills" aria-label="Fills">
        {of.fills.map((fill) => (
          <li key={fill.id}>
            <Time at={fill.at} />
            <span>
              <Amount value={fill.quantity} /> at <Price value={fill.price} />
            </span>
            <span>
              <span class="quiet">fee</span> <Amount value={fill.fee_amount} /> {fill.fee_asset}
            </span>
            <span class="quiet mono">{fill.id}</span>
          </li>
        ))}
      </ul>
    )}
    <OrderTrade id={id} of={of} />
  </div>
)

const isOver = ({ status }: Order) => status === "rejected" || status === "cancelled"

/** The fees of all fills, by asset. */
export const Fees = ({ of }: { of: Order }) => {
  const fees = feesOf(of)
  return fees.length === 0 ? (
    <span class="quiet">–</span>
  ) : (
    <span>
      {fees.map(([asset, amount]) => (
        <span key={asset} class="fee number">
          <Amount value={amount} /> {asset}
        </span>
      ))}
    </span>
  )
}
