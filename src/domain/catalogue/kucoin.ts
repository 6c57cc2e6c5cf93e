// The shipped snapshot of KuCoin's markets, with the source and the inferences of its numbers. `signalbox market
// refresh` replaces it from the exchange.
import type { CatalogueFile } from "./CatalogueFile.ts"

/**
 * Rows down to the ETH/USDT swap: ccxt static markets @18c1301c (January 2026, MIT); minimum cost is the exchange's
 * `minFunds`, a perpetual's steps are contracts times their size. Fees: ccxt, lowest tier (coins of the exchange's
 * class B and C cost more). Rows from SOL/USDT spot on are from public exchange documentation as remembered, refresh
 * before live use: the steps are meant to be as coarse as the exchange's or coarser, so that orders stay valid;
 * minimum cost 0.000001 in BTC and 0.00001 in ETH is `minFunds` of 2024. A perpetual's row holds the contract size as
 * remembered. There is no USD here.
 */
export const kucoin: CatalogueFile = {
  name: "kucoin",
  makerFeePercent: "0.1",
  takerFeePercent: "0.1",
  source:
    "ccxt static markets kucoin.json @18c1301c (January 2026, MIT); from SOL/USDT spot on as remembered",
  // PAIR KIND PRICE_STEP AMOUNT_STEP MIN_AMOUNT MIN_COST
  markets: `
BTC/USDT spot 0.1 0.00000001 0.00001 0.1
ETH/USDT spot 0.01 0.0000001 0.0001 0.1
XRP/USDT spot 0.00001 0.0001 0.1 0.1
ADA/USDT spot 0.0001 0.01 1 0.1
DOGE/USDT spot 0.00001 0.0001 10 0.1
LTC/USDT spot 0.001 0.01 0.01 0.1
TRX/USDT spot 0.0001 0.01 10 0.1
BTC/USDT swap 0.1 0.001 0.001 0
ETH/USDT swap 0.01 0.01 0.01 0
SOL/USDT spot 0.01 0.001 0.01 0.1
VET/USDT spot 0.00001 1 100 0.1
SHIB/USDT spot 0.00000001 1 100000 0.1
BNB/USDT spot 0.01 0.001 0.01 0.1
KCS/USDT spot 0.001 0.01 0.1 0.1
LINK/USDT spot 0.001 0.01 0.1 0.1
DOT/USDT spot 0.001 0.01 0.1 0.1
AVAX/USDT spot 0.01 0.01 0.1 0.1
UNI/USDT spot 0.001 0.01 0.1 0.1
AAVE/USDT spot 0.01 0.001 0.01 0.1
ALGO/USDT spot 0.0001 0.01 10 0.1
APT/USDT spot 0.001 0.01 0.1 0.1
ARB/USDT spot 0.0001 0.01 1 0.1
ATOM/USDT spot 0.001 0.01 0.1 0.1
BCH/USDT spot 0.01 0.001 0.01 0.1
COTI/USDT spot 0.0001 0.01 10 0.1
CRV/USDT spot 0.0001 0.01 1 0.1
ETC/USDT spot 0.01 0.01 0.1 0.1
FET/USDT spot 0.0001 0.01 1 0.1
FIL/USDT spot 0.001 0.01 0.1 0.1
GALA/USDT spot 0.00001 0.1 100 0.1
GRT/USDT spot 0.0001 0.01 10 0.1
HBAR/USDT spot 0.0001 0.01 10 0.1
ICP/USDT spot 0.001 0.01 0.1 0.1
INJ/USDT spot 0.001 0.01 0.1 0.1
KAS/USDT spot 0.00001 0.1 10 0.1
LDO/USDT spot 0.001 0.01 1 0.1
MANA/USDT spot 0.0001 0.01 10 0.1
NEAR/USDT spot 0.001 0.01 1 0.1
OP/USDT spot 0.001 0.01 1 0.1
PEPE/USDT spot 0.000000001 1 1000000 0.1
SAND/USDT spot 0.0001 0.01 10 0.1
SEI/USDT spot 0.0001 0.01 10 0.1
SUI/USDT spot 0.0001 0.01 1 0.1
TIA/USDT spot 0.001 0.01 1 0.1
TON/USDT spot 0.001 0.01 1 0.1
XLM/USDT spot 0.0001 0.1 10 0.1
XTZ/USDT spot 0.001 0.01 1 0.1
USDC/USDT spot 0.0001 0.01 1 0.1
BTC/USDC spot 0.1 0.000001 0.0001 0.1
ETH/USDC spot 0.01 0.00001 0.001 0.1
ETH/BTC spot 0.00001 0.0001 0.001 0.000001
XRP/BTC spot 0.00000001 0.01 1 0.000001
ADA/BTC spot 0.00000001 0.01 10 0.000001
LTC/BTC spot 0.000001 0.001 0.01 0.000001
DOGE/BTC spot 0.00000001 0.01 100 0.000001
DOT/BTC spot 0.0000001 0.01 1 0.000001
VET/BTC spot 0.00000001 1 100 0.000001
TRX/BTC spot 0.00000001 0.1 100 0.000001
XLM/BTC spot 0.00000001 0.1 10 0.000001
ATOM/BTC spot 0.0000001 0.01 0.1 0.000001
KCS/BTC spot 0.0000001 0.01 0.1 0.000001
KCS/ETH spot 0.000001 0.01 0.1 0.00001
ATOM/ETH spot 0.000001 0.01 0.1 0.00001
TRX/ETH spot 0.0000001 0.1 100 0.00001
SOL/USDT swap 0.01 0.1 0.1 0
XRP/USDT swap 0.0001 10 10 0
ADA/USDT swap 0.0001 10 10 0
DOGE/USDT swap 0.00001 100 100 0
LTC/USDT swap 0.01 0.1 0.1 0
LINK/USDT swap 0.001 0.1 0.1 0
DOT/USDT swap 0.001 1 1 0
AVAX/USDT swap 0.01 0.1 0.1 0
BNB/USDT swap 0.01 0.01 0.01 0
UNI/USDT swap 0.001 1 1 0
`
}
