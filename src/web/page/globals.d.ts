/** Put in by `bundle`: the version of the product. */
declare const __VERSION__: string
/** Put in by `bundle`: method and path of every operation of the contract, by `group.endpoint`. */
declare const __ROUTES__: Readonly<Record<string, readonly [method: string, path: string]>>
/** Put in by `bundle`: the kinds of events. */
declare const __KINDS__: ReadonlyArray<string>
