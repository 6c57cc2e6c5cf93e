// Finds why `serve` would refuse settings, without starting a server: a value out of its bounds, a text that cannot be
// read, and settings that contradict each other.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Config from "../../Config.ts"
import { parse as parseAddresses } from "../../ccxt/Addresses.ts"
import { clusterRefusal } from "../../domain/internal/ClusterSettings.ts"
import * as Proxies from "../../http/edge/Proxies.ts"
import * as Source from "../../prices/Source.ts"
import { BY_NAME } from "./settings.ts"

const { cluster, database, exchangeUrls, nodeHost, paperFills, prices, tlsCert, tlsKey, trustedProxies } =
  Config.SETTINGS

/** The first refusal of these values, by the settings' names. */
export const refusalOf = (values: ReadonlyMap<string, unknown>): Option.Option<string> => {
  const text = ({ name }: Config.Setting<string>) => String(values.get(name) ?? "")
  const refused = (isRefused: boolean, words: string) => (isRefused ? Option.some(words) : Option.none())
  const source = Source.parse(text(prices))
  const address = values.get(database.name)
  return Option.firstSomeOf([
    ...[...BY_NAME.values()].map((setting) => Config.errorIn(setting, values.get(setting.name))),
    refused((text(tlsCert) === "") !== (text(tlsKey) === ""), "--tls-cert and --tls-key go together"),
    Option.fromNullable(Config.paperFillsRefusal(text(paperFills), text(prices))),
    Option.fromNullable(
      clusterRefusal({
        cluster: values.get(cluster.name) === true,
        isPostgres: Redacted.isRedacted(address) && Redacted.value(address) !== "",
        nodeHost: text(nodeHost),
        tlsCert: text(tlsCert)
      })
    ),
    refused(
      Option.isNone(Proxies.parse(text(trustedProxies))),
      "--trusted-proxies takes addresses and CIDR blocks: 10.0.0.0/8,::1"
    ),
    Option.map(Either.getLeft(parseAddresses(text(exchangeUrls))), (words) => `--exchange-urls ${words}`),
    refused(Option.isNone(source), "--prices takes live, none, or replay:PATH")
  ])
}
