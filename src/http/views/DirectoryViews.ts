// What the directory shows, made of what is listed.
import type { CopiedView, OriginView, SyncedView } from "../../api/directory/CopyViews.ts"
import type {
  PublicSignalView,
  PublicStrategyDetail,
  PublicStrategyView
} from "../../api/directory/PublicViews.ts"
import type { ListedSignal } from "../../domain/directory/Listed.ts"
import type { Publication, Standings } from "../../domain/directory/TrackRecord.ts"
import type { Copied, Origin, Synced } from "../../services/directory/Copying.ts"
import type { PublicDetail, PublicStrategy } from "../../services/directory/PublicPages.ts"
import * as RecordFigures from "../../services/directory/RecordFigures.ts"

const DAY_SECONDS = 86_400
const seconds = (at: number): number => Math.floor(at / 1000)

/** A public strategy as a list shows it. */
export const strategyView = (listed: PublicStrategy): PublicStrategyView => {
  const { copies, publisher, signal, strategy, view } = listed
  const { default_quote_currency, description, exchanges, name, performance, strategy_id } = view
  return {
    strategy_id,
    name,
    description,
    publisher,
    created_at: strategy.createdAt,
    copies,
    default_quote_currency,
    exchanges,
    settings: settingsOf(view),
    follows_signal: strategy.settings.signalId !== undefined,
    signal: signal === undefined ? null : { id: signal.id, name: signal.name },
    performance,
    record: recordView(listed)
  }
}

const settingsOf = (view: PublicStrategy["view"]): PublicStrategyView["settings"] => {
  const { active, copied_from, created_at, description, display_name, name, ...others } = view
  const { performance, public: _, signal_id, strategy_id, updated_at, ...rest } = others
  const { default_quote_currency, exchanges, ...settings } = rest
  return settings
}

const recordView = ({ now, openPercent, publication, record, settingsSince }: PublicStrategy) => ({
  mode: record.mode,
  since: seconds(record.since),
  settings_since: settingsSince,
  ...publicationView(publication, now),
  level: RecordFigures.level(record, publication),
  since_publication: standingsView(record.published),
  overall: standingsView(record.overall),
  open_pct: openPercent ?? null
})

const publicationView = ({ first, since, times }: Publication, now: number) => ({
  first_published_at: first,
  published_at: since,
  times_published: times,
  age_days: Math.max(0, Math.floor((seconds(now) - first) / DAY_SECONDS))
})

const standingsView = ({ paper, real }: Standings) => ({
  paper: RecordFigures.standing(paper),
  real: RecordFigures.standing(real)
})

/** A public strategy with its record. */
export const detailView = (detail: PublicDetail): PublicStrategyDetail => {
  const { equity, starting_equity, ...figures } = detail.marked
  return {
    ...strategyView(detail),
    periods: detail.periods.map((period) => RecordFigures.period(period, detail.now)),
    figures,
    curve: RecordFigures.curve(detail.points, starting_equity)
  }
}

/** A public signal. `now` in ms. */
export const signalView = (
  { followers, publication, publisher, signal }: ListedSignal,
  now: number
): PublicSignalView => ({
  id: signal.id,
  name: signal.name,
  description: signal.description,
  publisher,
  created_at: signal.createdAt,
  followers,
  ...(signal.rule === undefined ? {} : { has_rule: true }),
  ...publicationView(publication, now)
})

/** A new copy. */
export const copiedView = ({ view, warnings }: Copied): CopiedView => ({ ...view, warnings })

/** What the original of a copy changed. */
export const originView = ({ changes, copy, original, own }: Origin): OriginView => ({
  strategy_id: own.id,
  copied_from: copy.origin,
  name: original.settings.name,
  taken_at: copy.takenAt,
  changes: changes.map(({ original, own, row, takes }) => ({ field: row.request, own, original, takes }))
})

/** A copy after a sync. */
export const syncedView = ({ changed, view, warnings }: Synced): SyncedView => ({
  ...view,
  changed,
  warnings
})
