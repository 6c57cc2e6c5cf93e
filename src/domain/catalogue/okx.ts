// The shipped snapshot of OKX's markets, with the source and the inferences of its numbers. `signalbox market refresh`
// replaces it from the exchange.
import type { CatalogueFile } from "./CatalogueFile.ts"

/**
 * Rows down to the SUSHI/USDT swap: ccxt static markets @3802e1a2 (late 2024, MIT); OKB and SOL against USDT and the
 * USD pairs: the exchange's instruments reply of December 2024 in nautilus_trader's test data. A perpetual's steps
 * are contracts times their size (`ctVal`). Fees: ccxt, lowest tier. The exchange has no minimum cost. Rows from
 * SHIB/USDT spot on are from public exchange documentation as remembered, refresh before live use: that the pair
 * exists is mostly from the instruments reply of February 2022 in bmoscon/cryptofeed's sample data, and the steps are
 * meant to be as coarse as the exchange's or coarser, so that orders stay valid. That reply has no VET, and thin
 * pairs in BTC and ETH were left out.
 */
export const okx: CatalogueFile = {
  name: "okx",
  makerFeePercent: "0.1",
  takerFeePercent: "0.15",
  source:
    "ccxt static markets okx.json @3802e1a2 (MIT), instruments replies 2022-02, 2024-12; from SHIB/USDT spot on as remembered",
  // PAIR KIND PRICE_STEP AMOUNT_STEP MIN_AMOUNT MIN_COST
  markets: `
BTC/USDT spot 0.1 0.00000001 0.00001 0
ETH/USDT spot 0.01 0.000001 0.0001 0
SOL/USDT spot 0.01 0.000001 0.001 0
XRP/USDT spot 0.0001 0.000001 1 0
ADA/USDT spot 0.0001 0.0001 10 0
DOGE/USDT spot 0.00001 0.000001 10 0
LTC/USDT spot 0.01 0.000001 0.01 0
TRX/USDT spot 0.00001 0.000001 1 0
OKB/USDT spot 0.01 0.000001 0.1 0
BTC/USD spot 0.1 0.00000001 0.00001 0
ETH/USD spot 0.01 0.000001 0.0001 0
SOL/USD spot 0.01 0.000001 0.001 0
XRP/USD spot 0.0001 0.000001 1 0
USDT/USD spot 0.0001 0.0001 1 0
BTC/USDT swap 0.1 0.001 0.001 0
ETH/USDT swap 0.01 0.01 0.01 0
XRP/USDT swap 0.0001 10 10 0
ADA/USDT swap 0.0001 10 10 0
DOGE/USDT swap 0.00001 100 100 0
LTC/USDT swap 0.01 0.1 0.1 0
TRX/USDT swap 0.00001 100 100 0
SUSHI/USDT swap 0.0001 1 1 0
SHIB/USDT spot 0.00000001 1 100000 0
LINK/USDT spot 0.01 0.0001 0.1 0
DOT/USDT spot 0.001 0.0001 0.1 0
AVAX/USDT spot 0.01 0.0001 0.1 0
UNI/USDT spot 0.001 0.0001 0.1 0
AAVE/USDT spot 0.01 0.0001 0.01 0
ALGO/USDT spot 0.0001 0.001 10 0
APT/USDT spot 0.001 0.001 1 0
ARB/USDT spot 0.0001 0.001 10 0
ATOM/USDT spot 0.001 0.0001 1 0
BCH/USDT spot 0.1 0.0001 0.01 0
COMP/USDT spot 0.01 0.0001 0.1 0
CRV/USDT spot 0.0001 0.001 10 0
ETC/USDT spot 0.01 0.0001 0.1 0
FIL/USDT spot 0.001 0.0001 1 0
GALA/USDT spot 0.00001 0.01 100 0
GRT/USDT spot 0.0001 0.001 10 0
HBAR/USDT spot 0.0001 0.001 10 0
ICP/USDT spot 0.001 0.001 1 0
LDO/USDT spot 0.001 0.001 1 0
MANA/USDT spot 0.0001 0.01 10 0
NEAR/USDT spot 0.001 0.001 1 0
OP/USDT spot 0.001 0.001 1 0
PEPE/USDT spot 0.000000001 1 1000000 0
SAND/USDT spot 0.0001 0.001 10 0
SUI/USDT spot 0.0001 0.001 1 0
TIA/USDT spot 0.001 0.001 1 0
TON/USDT spot 0.001 0.0001 1 0
WLD/USDT spot 0.001 0.001 1 0
XLM/USDT spot 0.0001 0.001 10 0
XTZ/USDT spot 0.001 0.001 1 0
USDC/USDT spot 0.0001 0.0001 1 0
BTC/USDC spot 0.1 0.00000001 0.00001 0
ETH/USDC spot 0.01 0.000001 0.001 0
SOL/USDC spot 0.01 0.00001 0.01 0
XRP/USDC spot 0.0001 0.001 10 0
ETH/BTC spot 0.00001 0.000001 0.001 0
XRP/BTC spot 0.00000001 0.001 10 0
ADA/BTC spot 0.00000001 1 10 0
SOL/BTC spot 0.0000001 0.001 0.1 0
LTC/BTC spot 0.000001 0.0001 0.1 0
LINK/BTC spot 0.0000001 0.001 1 0
DOT/BTC spot 0.0000001 0.001 1 0
AVAX/BTC spot 0.0000001 0.001 0.1 0
DOGE/BTC spot 0.00000001 0.001 100 0
BCH/BTC spot 0.00001 0.0001 0.01 0
ETC/BTC spot 0.0000001 0.0001 1 0
SOL/ETH spot 0.00001 0.001 0.1 0
SOL/USDT swap 0.01 0.1 0.1 0
LINK/USDT swap 0.001 1 1 0
DOT/USDT swap 0.001 1 1 0
AVAX/USDT swap 0.01 1 1 0
BCH/USDT swap 0.1 0.1 0.1 0
ETC/USDT swap 0.01 10 10 0
UNI/USDT swap 0.001 1 1 0
ATOM/USDT swap 0.001 1 1 0
SUI/USDT swap 0.0001 1 1 0
SHIB/USDT swap 0.00000001 1000000 1000000 0
`
}
