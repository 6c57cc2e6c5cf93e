// Planted bugs in the pure core, as edits of its source.

/** A line of a source file, and its replacement. */
export interface Edit {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** Planted bugs by name. */
export const plants: Readonly<Record<string, ReadonlyArray<Edit>>> = {
  "a level that is no number in everybody's window": [
    {
      file: "trading/rules/Rules.ts",
      from: 'if (trigger.when === "now" || Number.isFinite(trigger.level)) found.push(trigger)',
      to: "found.push(trigger)"
    },
    {
      file: "trading/watch/WindowIndex.ts",
      from: "Number.isNaN(other) ? known : Math.max(known, other)",
      to: "Math.max(known, other)"
    },
    {
      file: "trading/watch/WindowIndex.ts",
      from: "Number.isNaN(other) ? known : Math.min(known, other)",
      to: "Math.min(known, other)"
    }
  ],
  "a target beyond its bound let in": [
    {
      file: "domain/requests/Bounds.ts",
      from: "value > 0 && value <= MAX_AMOUNT",
      to: "value > 0 && value < Number.POSITIVE_INFINITY"
    }
  ],
  "a balance trigger beyond its bound let in": [
    {
      file: "domain/Strategy.ts",
      from: "value >= LEAST_TRIGGER && value < 100 ?",
      to: "value > 0 && value < 100 ?"
    }
  ],
  "a balance rule that fires on the baseline it has just set": [
    { file: "trading/rules/balanceRules.ts", from: " || isAtBaseline(state)) return OFF", to: ") return OFF" }
  ],
  "a balance rule that fires on its baseline, and no end of decisions": [
    {
      file: "trading/rules/balanceRules.ts",
      from: " || isAtBaseline(state)) return OFF",
      to: ") return OFF"
    },
    { file: "trading/bot/Draft.ts", from: "repeats > MAX_DECISIONS", to: "repeats > Number.MAX_VALUE" }
  ],
  "an entry that waited judged beside another's order in flight": [
    { file: "services/engine/alerts/HeldAlertRetry.ts", from: "if (outbox.isSending(bot)) return\n", to: "" },
    {
      file: "services/engine/alerts/HoldRules.ts",
      from: "(held !== undefined && slot?.order !== undefined)",
      to: "false"
    },
    { file: "trading/bot/AlertDecision.ts", from: "slot.order.live === undefined || ", to: "" }
  ],
  "a lane filled up again from after its cut": [
    { file: "services/engine/alerts/JournalReading.ts", from: "some(lane.cutAt - 1)", to: "some(lane.cutAt)" }
  ],
  "the maker fee for a take profit that does not rest": [
    {
      file: "trading/rules/exits.ts",
      from: "isMaker(type, state.live !== undefined)",
      to: 'isMaker(type, state.live !== undefined && type !== "limit")'
    }
  ],
  "two armed strategies on one perpetual": [
    { file: "trading/rules/entry.ts", from: "context.isPerpetualInUse?.(id) === true", to: "false" }
  ],
  "a balance stop before a liquidation": [
    { file: "trading/rules/Trigger.ts", from: "liquidation: 0,", to: "liquidation: 1.5," },
    {
      file: "trading/rules/ClosePositions.ts",
      from: "view.figures === undefined ? undefined : liquidation(view, view.figures)",
      to: "undefined as ReturnType<typeof liquidation>"
    },
    { file: "trading/rules/Rules.ts", from: "  put(found, Exits.liquidation(view, figures))\n", to: "" },
    {
      file: "trading/rules/Rules.ts",
      from: "  put(found, Exits.stop(view, position, figures))\n",
      to: "  put(found, Exits.liquidation(view, figures))\n  put(found, Exits.stop(view, position, figures))\n"
    }
  ],
  "a balance rule that closes in another order": [
    {
      file: "trading/Bot.ts",
      from: "(pairs.get(pair) ?? pairs.size) * (exchanges.size + 1)",
      to: "-(pairs.get(pair) ?? pairs.size) * (exchanges.size + 1)"
    }
  ],
  "a part that takes no cost with it": [
    {
      file: "trading/books/Positions.ts",
      from: "whole ? position.basis : share(position, position.basis, fill.quantity)",
      to: "whole ? position.basis : Decimal.zero"
    }
  ],
  "an exit that the trade does not list": [
    {
      file: "trading/books/Positions.ts",
      from: '...listed(position, fill, order?.exitReason ?? "signal")',
      to: '...(whole ? {} : listed(position, fill, order?.exitReason ?? "signal"))'
    }
  ],
  "only the last exit's proceeds": [
    {
      file: "trading/books/Positions.ts",
      from: "proceeds: Decimal.add(position.proceeds, net)",
      to: "proceeds: net"
    }
  ],
  "a part that does not count as sold": [
    {
      file: "trading/books/Positions.ts",
      from: "exitQuantity: Decimal.add(position.exitQuantity, fill.quantity)",
      to: "exitQuantity: whole ? Decimal.add(position.exitQuantity, fill.quantity) : position.exitQuantity"
    }
  ],
  "steps of what is left": [
    {
      file: "trading/rules/steps.ts",
      from: "base: position.entryQuantity, done }",
      to: "base: position.quantity, done }"
    }
  ],
  "a step that is done again": [
    { file: "trading/rules/steps.ts", from: "stepsDone: step }", to: "stepsDone: before }" }
  ],
  "an order by hand that acts as often as it is sent": [
    {
      file: "services/engine/orders/ManualOrders.ts",
      from: "if (Option.isSome(before)) return before.value",
      to: 'if (Option.isSome(before) && order.act._tag !== "Close") return before.value'
    }
  ],
  "a turn that forgets its entry": [
    { file: "trading/bot/AlertTurn.ts", from: "Drafts.putSlot(draft, key, { ...slot, turn })", to: "" }
  ],
  "a turn that opens the side it closed": [
    {
      file: "trading/bot/AlertTurn.ts",
      from: "    at: alert.at,\n    side,",
      to: "    at: alert.at,\n    side: position.side,"
    }
  ]
}

/** Planted bugs that the lives of orders at stubs of the exchanges have to find (`lives/live.ts`). */
export const lifePlants: Readonly<Record<string, ReadonlyArray<Edit>>> = {
  "a turn forgotten with a closing order that was turned down": [
    {
      file: "trading/bot/Fills.ts",
      from: "  const { entryEnding: _, order: __, ...rest } = slot\n  return rest",
      to: "  const { entryEnding: _, order: __, turn: ___, ...rest } = slot\n  return rest"
    }
  ],
  "a stop at rest that stays as it is when an entry is added": [
    {
      file: "trading/rules/RestingStops.ts",
      from: "slot.order === undefined && isOther(slot.stop, wanted)",
      to: "slot.position?.added === undefined && isOther(slot.stop, wanted)"
    }
  ],
  "an exit beside a stop that rests": [
    {
      file: "trading/bot/Draft.ts",
      from: "  if (slot?.stop !== undefined) {\n    takeBack",
      to: "  if (slot?.stop !== undefined && exitReason === undefined) {\n    takeBack"
    }
  ],
  "an added entry sent again once it was turned down": [
    {
      file: "trading/bot/Fills.ts",
      from: '  if (endedOrder.purpose === "exit" && !isTakenBack) putOff(draft, key, endedOrder)\n',
      to: '  if (endedOrder.purpose === "entry" && rule === "order_rejected")\n    Drafts.submit(draft, { ...endedOrder, id: draft.context.orderId(draft.orders.length) })\n  if (endedOrder.purpose === "exit" && !isTakenBack) putOff(draft, key, endedOrder)\n'
    }
  ]
}

/** Planted bugs that only the seeded world on Postgres can find: of processes that overtake each other, and lost answers. */
export const postgresPlants: Readonly<Record<string, ReadonlyArray<Edit>>> = {
  "a commit stored whoever owns its partitions": [
    {
      file: "postgres/migrations/first/commits.ts",
      from: " AND partitions.owner = process\n        AND partitions.epoch = held.epoch AND partitions.seq = held.seq;",
      to: ";"
    }
  ],
  "a commit without an answer taken for not stored": [
    { file: "postgres/Commits.ts", from: "        if (isStored) return\n", to: "" }
  ]
}
