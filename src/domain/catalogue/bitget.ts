// The shipped snapshot of Bitget's markets, with the source and the inferences of its numbers. `signalbox market
// refresh` replaces it from the exchange.
import type { CatalogueFile } from "./CatalogueFile.ts"

/**
 * Rows down to the TRX/USDT swap: ccxt static markets @0cad838e (MIT). The minimum amount is the amount step where
 * the exchange says 0. Fees: ccxt, the rate of BTC/USDT there; the exchange charges 0.1 for several coins, set a
 * strategy's own. Rows from SOL/USDT spot on are from public exchange documentation as remembered, refresh before
 * live use: that the pair exists is mostly from the products reply of April 2022 in bmoscon/cryptofeed's sample data,
 * and the steps are meant to be as coarse as the exchange's or coarser, so that orders stay valid. Minimum cost in
 * BTC and ETH stands for the exchange's 1 USDT, rounded up. ADA/BTC was found in no source and so is not listed.
 * There is no USD here.
 */
export const bitget: CatalogueFile = {
  name: "bitget",
  makerFeePercent: "0.2",
  takerFeePercent: "0.2",
  source:
    "ccxt static markets bitget.json @0cad838e (MIT), products reply 2022-04; from SOL/USDT spot on as remembered",
  // PAIR KIND PRICE_STEP AMOUNT_STEP MIN_AMOUNT MIN_COST
  markets: `
BTC/USDT spot 0.01 0.000001 0.000001 1
ETH/USDT spot 0.01 0.0001 0.0001 1
XRP/USDT spot 0.0001 0.0001 0.0001 1
ADA/USDT spot 0.0001 0.001 0.001 1
DOGE/USDT spot 0.00001 0.0001 0.0001 1
LTC/USDT spot 0.01 0.0001 0.0001 1
TRX/USDT spot 0.00001 0.0001 0.0001 1
BTC/USDT swap 0.1 0.001 0.001 5
ETH/USDT swap 0.01 0.01 0.01 5
XRP/USDT swap 0.0001 1 1 5
ADA/USDT swap 0.0001 1 1 5
DOGE/USDT swap 0.00001 1 1 5
LTC/USDT swap 0.01 0.1 0.1 5
TRX/USDT swap 0.00001 1 1 5
SOL/USDT spot 0.01 0.01 0.01 1
VET/USDT spot 0.00001 1 10 1
SHIB/USDT spot 0.00000001 1 10000 1
BNB/USDT spot 0.01 0.001 0.001 1
BGB/USDT spot 0.001 0.01 1 1
LINK/USDT spot 0.01 0.01 0.01 1
DOT/USDT spot 0.001 0.01 0.01 1
AVAX/USDT spot 0.01 0.01 0.01 1
UNI/USDT spot 0.001 0.01 0.01 1
AAVE/USDT spot 0.01 0.001 0.001 1
ALGO/USDT spot 0.0001 0.1 1 1
APE/USDT spot 0.001 0.01 0.1 1
APT/USDT spot 0.001 0.01 0.01 1
ARB/USDT spot 0.0001 0.1 0.1 1
ATOM/USDT spot 0.001 0.01 0.01 1
BAT/USDT spot 0.0001 0.1 1 1
BCH/USDT spot 0.1 0.001 0.001 1
CAKE/USDT spot 0.001 0.01 0.1 1
CHZ/USDT spot 0.00001 1 10 1
COMP/USDT spot 0.01 0.001 0.001 1
CRV/USDT spot 0.0001 0.1 0.1 1
EGLD/USDT spot 0.01 0.01 0.01 1
ETC/USDT spot 0.01 0.01 0.01 1
FIL/USDT spot 0.001 0.01 0.01 1
FLOKI/USDT spot 0.00000001 1 10000 1
GALA/USDT spot 0.00001 1 10 1
GRT/USDT spot 0.0001 0.1 1 1
ICP/USDT spot 0.01 0.01 0.01 1
LDO/USDT spot 0.001 0.01 0.1 1
MANA/USDT spot 0.0001 0.1 1 1
MASK/USDT spot 0.001 0.01 0.1 1
NEAR/USDT spot 0.001 0.01 0.1 1
OP/USDT spot 0.001 0.01 0.1 1
PEPE/USDT spot 0.000000001 1 100000 1
RUNE/USDT spot 0.001 0.01 0.1 1
SAND/USDT spot 0.0001 0.1 1 1
SUI/USDT spot 0.0001 0.1 0.1 1
SUSHI/USDT spot 0.001 0.1 0.1 1
TIA/USDT spot 0.001 0.01 0.1 1
TON/USDT spot 0.001 0.01 0.1 1
XLM/USDT spot 0.0001 0.1 1 1
YFI/USDT spot 1 0.0001 0.0001 1
USDC/USDT spot 0.0001 0.01 1 1
BTC/USDC spot 0.01 0.00001 0.00001 1
ETH/USDC spot 0.01 0.0001 0.0001 1
ETH/BTC spot 0.00001 0.0001 0.0001 0.00002
XRP/BTC spot 0.00000001 0.1 1 0.00002
LINK/BTC spot 0.0000001 0.01 0.1 0.00002
DOGE/BTC spot 0.00000001 1 10 0.00002
TRX/BTC spot 0.00000001 1 10 0.00002
ATOM/BTC spot 0.0000001 0.01 0.1 0.00002
ETC/BTC spot 0.0000001 0.01 0.1 0.00002
AAVE/BTC spot 0.00001 0.001 0.01 0.00002
XRP/ETH spot 0.0000001 0.1 1 0.0005
SOL/USDT swap 0.01 0.1 0.1 5
BNB/USDT swap 0.01 0.01 0.01 5
LINK/USDT swap 0.001 1 1 5
DOT/USDT swap 0.001 1 1 5
AVAX/USDT swap 0.01 1 1 5
BCH/USDT swap 0.1 0.1 0.1 5
ETC/USDT swap 0.01 1 1 5
UNI/USDT swap 0.001 1 1 5
SUI/USDT swap 0.0001 1 1 5
VET/USDT swap 0.00001 10 10 5
FIL/USDT swap 0.001 0.1 0.1 5
XLM/USDT swap 0.00001 1 1 5
ATOM/USDT swap 0.001 1 1 5
AAVE/USDT swap 0.01 0.1 0.1 5
`
}
