// Constants that `bundle` (src/web/bundle.ts) puts into the page.

/** The product's version. */
declare const __VERSION__: string
/** The path of the template of reports. */
declare const __REPORT__: string
/** Method and path of every operation of the contract, by `group.endpoint`. */
declare const __ROUTES__: Readonly<Record<string, readonly [method: string, path: string]>>
/** The kinds of events. */
declare const __KINDS__: ReadonlyArray<import("../../domain/Event.ts").EventKind>
/** Why a position is closed: the codes. */
declare const __EXIT_REASONS__: ReadonlyArray<import("../../domain/Order.ts").ExitReason>
/** The reasons of outcomes, those that acted first: the codes. */
declare const __REASONS__: ReadonlyArray<import("../../domain/Alert.ts").Reason>
/** A description of each kind of event. */
declare const __KIND_WORDS__: Readonly<Record<import("../../domain/Event.ts").EventKind, string>>
/** The kinds that a new notification is sent by default. */
declare const __USUAL_KINDS__: ReadonlyArray<import("../../domain/Event.ts").EventKind>
