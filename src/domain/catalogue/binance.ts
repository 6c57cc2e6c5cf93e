// The shipped snapshot of Binance's markets, with the source and the inferences of its numbers. `signalbox market
// refresh` replaces it from the exchange.
import type { CatalogueFile } from "./CatalogueFile.ts"

/**
 * Steps and spot minimum costs: QuantConnect/Lean, Data/symbol-properties/symbol-properties-database.csv at commit
 * db96e9e8 (mid 2025, Apache-2.0), which holds the exchange's own filters. Fees: ccxt (MIT), lowest tier. Inferred:
 * the minimum amount is the amount step; the minimum cost of perpetuals (100 for BTC, 20 for ETH, BCH, LTC, ETC,
 * LINK, 5 for the others) is from the exchange's exchangeInfo and rules as remembered. The source keeps pairs that
 * were delisted since, so thin pairs quoted in ETH were left out. Nothing was rounded. There is no USD here.
 */
export const binance: CatalogueFile = {
  name: "binance",
  makerFeePercent: "0.1",
  takerFeePercent: "0.1",
  source:
    "QuantConnect/Lean symbol-properties-database.csv @db96e9e8 (mid 2025, Apache-2.0); fees ccxt (MIT)",
  // PAIR KIND PRICE_STEP AMOUNT_STEP MIN_AMOUNT MIN_COST
  markets: `
BTC/USDT spot 0.01 0.00001 0.00001 5
ETH/USDT spot 0.01 0.0001 0.0001 5
SOL/USDT spot 0.01 0.001 0.001 5
XRP/USDT spot 0.0001 0.1 0.1 5
ADA/USDT spot 0.0001 0.1 0.1 5
DOGE/USDT spot 0.00001 1 1 1
VET/USDT spot 0.00001 0.1 0.1 5
SHIB/USDT spot 0.00000001 1 1 1
BNB/USDT spot 0.01 0.001 0.001 5
LTC/USDT spot 0.01 0.001 0.001 5
LINK/USDT spot 0.01 0.01 0.01 5
DOT/USDT spot 0.001 0.01 0.01 5
AVAX/USDT spot 0.01 0.01 0.01 5
TRX/USDT spot 0.0001 0.1 0.1 5
UNI/USDT spot 0.001 0.01 0.01 5
AAVE/USDT spot 0.01 0.001 0.001 5
ALGO/USDT spot 0.0001 1 1 5
APT/USDT spot 0.001 0.01 0.01 5
ARB/USDT spot 0.0001 0.1 0.1 5
BCH/USDT spot 0.1 0.001 0.001 5
BONK/USDT spot 0.00000001 1 1 1
CHZ/USDT spot 0.00001 1 1 5
CRV/USDT spot 0.0001 0.1 0.1 5
DASH/USDT spot 0.01 0.001 0.001 5
ETC/USDT spot 0.01 0.01 0.01 5
FET/USDT spot 0.001 0.1 0.1 5
FIL/USDT spot 0.001 0.01 0.01 5
FLOKI/USDT spot 0.00000001 1 1 1
GALA/USDT spot 0.00001 1 1 5
IOTA/USDT spot 0.0001 1 1 5
MANA/USDT spot 0.0001 1 1 5
RENDER/USDT spot 0.001 0.01 0.01 5
RUNE/USDT spot 0.001 0.1 0.1 5
SAND/USDT spot 0.0001 1 1 5
SEI/USDT spot 0.0001 0.1 0.1 5
SUI/USDT spot 0.0001 0.1 0.1 5
THETA/USDT spot 0.001 0.1 0.1 5
TIA/USDT spot 0.001 0.01 0.01 5
TON/USDT spot 0.001 0.01 0.01 5
WIF/USDT spot 0.001 0.01 0.01 1
XLM/USDT spot 0.0001 1 1 5
XTZ/USDT spot 0.001 0.1 0.1 5
ZEC/USDT spot 0.01 0.001 0.001 5
USDC/USDT spot 0.0001 1 1 5
BTC/USDC spot 0.01 0.00001 0.00001 5
ETH/USDC spot 0.01 0.0001 0.0001 5
SOL/USDC spot 0.01 0.001 0.001 5
XRP/USDC spot 0.0001 0.1 0.1 5
ADA/USDC spot 0.0001 0.1 0.1 5
DOGE/USDC spot 0.00001 1 1 1
BNB/USDC spot 0.01 0.001 0.001 5
ETH/BTC spot 0.00001 0.0001 0.0001 0.0001
XRP/BTC spot 0.00000001 0.1 0.1 0.0001
ADA/BTC spot 0.00000001 0.1 0.1 0.0001
SOL/BTC spot 0.0000001 0.001 0.001 0.0001
BNB/BTC spot 0.000001 0.001 0.001 0.0001
LTC/BTC spot 0.000001 0.001 0.001 0.0001
LINK/BTC spot 0.0000001 0.01 0.01 0.0001
DOT/BTC spot 0.0000001 0.01 0.01 0.0001
AVAX/BTC spot 0.0000001 0.01 0.01 0.0001
DOGE/BTC spot 0.00000001 1 1 0.0001
VET/BTC spot 0.00000001 1 1 0.0001
TRX/BTC spot 0.00000001 1 1 0.0001
UNI/BTC spot 0.0000001 0.01 0.01 0.0001
AAVE/BTC spot 0.000001 0.001 0.001 0.0001
BCH/BTC spot 0.000001 0.001 0.001 0.0001
ETC/BTC spot 0.0000001 0.01 0.01 0.0001
FIL/BTC spot 0.0000001 0.01 0.01 0.0001
XLM/BTC spot 0.00000001 1 1 0.0001
ALGO/BTC spot 0.00000001 1 1 0.0001
SUI/BTC spot 0.00000001 0.1 0.1 0.0001
XRP/ETH spot 0.0000001 0.1 0.1 0.001
ADA/ETH spot 0.0000001 0.1 0.1 0.001
SOL/ETH spot 0.00001 0.001 0.001 0.001
BNB/ETH spot 0.0001 0.001 0.001 0.001
LTC/ETH spot 0.00001 0.001 0.001 0.001
LINK/ETH spot 0.000001 0.01 0.01 0.001
AVAX/ETH spot 0.00001 0.01 0.01 0.001
TRX/ETH spot 0.00000001 1 1 0.001
VET/ETH spot 0.00000001 1 1 0.001
ETC/ETH spot 0.00001 0.01 0.01 0.001
UNI/ETH spot 0.000001 0.001 0.001 0.001
BTC/USDT swap 0.1 0.001 0.001 100
ETH/USDT swap 0.01 0.001 0.001 20
SOL/USDT swap 0.01 0.01 0.01 5
XRP/USDT swap 0.0001 0.1 0.1 5
ADA/USDT swap 0.0001 1 1 5
DOGE/USDT swap 0.00001 1 1 5
VET/USDT swap 0.000001 1 1 5
1000SHIB/USDT swap 0.000001 1 1 5
BNB/USDT swap 0.01 0.01 0.01 5
LTC/USDT swap 0.01 0.001 0.001 20
LINK/USDT swap 0.001 0.01 0.01 20
DOT/USDT swap 0.001 0.1 0.1 5
AVAX/USDT swap 0.001 1 1 5
TRX/USDT swap 0.00001 1 1 5
UNI/USDT swap 0.001 1 1 5
AAVE/USDT swap 0.01 0.1 0.1 5
ALGO/USDT swap 0.0001 0.1 0.1 5
APT/USDT swap 0.0001 0.1 0.1 5
ARB/USDT swap 0.0001 0.1 0.1 5
ATOM/USDT swap 0.001 0.01 0.01 5
BCH/USDT swap 0.01 0.001 0.001 20
ETC/USDT swap 0.001 0.01 0.01 20
FIL/USDT swap 0.001 0.1 0.1 5
NEAR/USDT swap 0.001 1 1 5
OP/USDT swap 0.0001 0.1 0.1 5
SUI/USDT swap 0.0001 0.1 0.1 5
TON/USDT swap 0.0001 0.1 0.1 5
XLM/USDT swap 0.00001 1 1 5
`
}
