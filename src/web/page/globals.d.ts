/** Put in by `bundle`: the version of the product. */
declare const __VERSION__: string
/** Put in by `bundle`: method and path of every operation of the contract, by `group.endpoint`. */
declare const __ROUTES__: Readonly<Record<string, readonly [method: string, path: string]>>
/** Put in by `bundle`: the kinds of events. */
declare const __KINDS__: ReadonlyArray<import("../../domain/Event.ts").EventKind>
/** Put in by `bundle`: what each kind of event means. */
declare const __KIND_WORDS__: Readonly<Record<import("../../domain/Event.ts").EventKind, string>>
/** Put in by `bundle`: the kinds that a new notification tells where nothing else is asked for. */
declare const __USUAL_KINDS__: ReadonlyArray<import("../../domain/Event.ts").EventKind>
