// The settings of a public strategy in the shape of one's own, for everything that shows settings. Pure.
import type { Stored } from "../strategies/form.ts"
import type { Detail } from "./record.ts"

/** A public strategy as if it were one's own; what is its owner's is left out or as everybody sees it. */
export const asStored = (detail: Detail): Stored => ({
  ...detail.settings,
  strategy_id: detail.strategy_id,
  name: detail.name,
  description: detail.description,
  active: true,
  public: true,
  display_name: detail.publisher.name,
  copied_from: null,
  default_quote_currency: detail.default_quote_currency,
  exchanges: detail.exchanges,
  signal_id: detail.signal?.id ?? null,
  performance: detail.performance,
  created_at: detail.created_at,
  updated_at: detail.record.settings_since
})
