// The shipped snapshot of Coinbase's markets, with the source and the inferences of its numbers. `signalbox market
// refresh` replaces it from the exchange.
import type { CatalogueFile } from "./CatalogueFile.ts"

/**
 * Steps and minimum amounts: QuantConnect/Lean, Data/symbol-properties/symbol-properties-database.csv at commit
 * db96e9e8 (mid 2025, Apache-2.0); rows which it marks as no longer renewed (XRP/BTC among them) are not listed. Fees
 * and the minimum cost 1 in USDC and USDT: ccxt static markets @1ddbcbfd (MIT); ADA/USDT is from there too. Inferred:
 * minimum cost 1 in USD, 0.000016 in BTC and 0.00022 in ETH (the exchange's rules as remembered). The last rows
 * (AAVE/USD, ALGO/USD, ADA/USD, ADA/BTC) are from public exchange documentation as remembered, with coarser steps
 * than the exchange's: refresh before live use. VET trades against USD and USDC only; the perpetuals are quoted in
 * USDC.
 */
export const coinbase: CatalogueFile = {
  name: "coinbase",
  makerFeePercent: "0.6",
  takerFeePercent: "1.2",
  source:
    "QuantConnect/Lean symbol-properties-database.csv @db96e9e8 (mid 2025, Apache-2.0); fees and costs ccxt @1ddbcbfd (MIT)",
  // PAIR KIND PRICE_STEP AMOUNT_STEP MIN_AMOUNT MIN_COST
  markets: `
BTC/USDT spot 0.01 0.00000001 0.00000001 1
ETH/USDT spot 0.01 0.00000001 0.00000001 1
SOL/USDT spot 0.01 0.001 0.001 1
XRP/USDT spot 0.0001 0.000001 0.000001 1
ADA/USDT spot 0.0001 0.01 0.01 1
DOGE/USDT spot 0.0001 0.1 0.1 1
SHIB/USDT spot 0.0000001 1 1 1
APT/USDT spot 0.01 0.001 0.001 1
ATOM/USDT spot 0.001 0.001 0.001 1
AVAX/USDT spot 0.01 0.001 0.001 1
AXS/USDT spot 0.001 0.001 0.001 1
CHZ/USDT spot 0.0001 0.1 0.1 1
CRO/USDT spot 0.0001 0.1 0.1 1
DOT/USDT spot 0.01 0.001 0.001 1
ENS/USDT spot 0.01 0.001 0.001 1
FET/USDT spot 0.0001 0.1 0.1 1
FLOW/USDT spot 0.001 0.001 0.001 1
HBAR/USDT spot 0.00001 0.1 0.1 1
ICP/USDT spot 0.001 0.0001 0.0001 1
IMX/USDT spot 0.0001 0.01 0.01 1
LINK/USDT spot 0.01 0.001 0.001 1
NEAR/USDT spot 0.001 0.001 0.001 1
OP/USDT spot 0.001 0.01 0.01 1
QNT/USDT spot 0.01 0.0001 0.0001 1
SAND/USDT spot 0.0001 0.01 0.01 1
STX/USDT spot 0.0001 0.01 0.01 1
XLM/USDT spot 0.0001 0.1 0.1 1
BTC/USD spot 0.01 0.00000001 0.00000001 1
ETH/USD spot 0.01 0.00000001 0.00000001 1
SOL/USD spot 0.01 0.00000001 0.00000001 1
XRP/USD spot 0.0001 0.000001 0.000001 1
DOGE/USD spot 0.00001 0.1 0.1 1
VET/USD spot 0.00001 1 1 1
SHIB/USD spot 0.00000001 1 1 1
LTC/USD spot 0.01 0.00000001 0.00000001 1
LINK/USD spot 0.001 0.01 0.01 1
DOT/USD spot 0.001 0.00000001 0.00000001 1
AVAX/USD spot 0.01 0.00000001 0.00000001 1
UNI/USD spot 0.001 0.000001 0.000001 1
ARB/USD spot 0.0001 0.01 0.01 1
ATOM/USD spot 0.001 0.01 0.01 1
BCH/USD spot 0.01 0.00000001 0.00000001 1
BONK/USD spot 0.00000001 1 1 1
COMP/USD spot 0.01 0.001 0.001 1
CRV/USD spot 0.0001 0.01 0.01 1
ETC/USD spot 0.01 0.00000001 0.00000001 1
FIL/USD spot 0.001 0.001 0.001 1
GRT/USD spot 0.0001 0.01 0.01 1
HBAR/USD spot 0.00001 0.1 0.1 1
ICP/USD spot 0.001 0.0001 0.0001 1
INJ/USD spot 0.001 0.01 0.01 1
MANA/USD spot 0.0001 0.01 0.01 1
NEAR/USD spot 0.001 0.001 0.001 1
OP/USD spot 0.001 0.01 0.01 1
PEPE/USD spot 0.00000001 1 1 1
RENDER/USD spot 0.001 0.01 0.01 1
SAND/USD spot 0.0001 0.01 0.01 1
SEI/USD spot 0.0001 0.1 0.1 1
SUI/USD spot 0.0001 0.1 0.1 1
TIA/USD spot 0.001 0.01 0.01 1
WIF/USD spot 0.001 0.01 0.01 1
XLM/USD spot 0.000001 0.00000001 0.00000001 1
XTZ/USD spot 0.001 0.01 0.01 1
ZEC/USD spot 0.01 0.00001 0.00001 1
USDT/USD spot 0.00001 0.01 0.01 1
BTC/USDC spot 0.01 0.00000001 0.00000001 1
ETH/USDC spot 0.01 0.00000001 0.00000001 1
SOL/USDC spot 0.01 0.00000001 0.00000001 1
XRP/USDC spot 0.0001 0.000001 0.000001 1
DOGE/USDC spot 0.00001 0.1 0.1 1
VET/USDC spot 0.00001 1 1 1
ETH/BTC spot 0.00001 0.00000001 0.00000001 0.000016
SOL/BTC spot 0.0000001 0.001 0.001 0.000016
DOGE/BTC spot 0.00000001 0.1 0.1 0.000016
LTC/BTC spot 0.000001 0.00000001 0.00000001 0.000016
LINK/BTC spot 0.00000001 0.01 0.01 0.000016
DOT/BTC spot 0.0000001 0.001 0.001 0.000016
AVAX/BTC spot 0.00000001 0.001 0.001 0.000016
ATOM/BTC spot 0.0000001 0.1 0.1 0.000016
BCH/BTC spot 0.000001 0.00000001 0.00000001 0.000016
ETC/BTC spot 0.000001 0.00000001 0.00000001 0.000016
FIL/BTC spot 0.00000001 0.001 0.001 0.000016
ICP/BTC spot 0.0000001 0.0001 0.0001 0.000016
UNI/BTC spot 0.0000001 0.1 0.1 0.000016
XLM/BTC spot 0.00000001 1 1 0.000016
XTZ/BTC spot 0.00000001 0.01 0.01 0.000016
SOL/ETH spot 0.00001 0.0001 0.0001 0.00022
LINK/ETH spot 0.00000001 0.01 0.01 0.00022
MANA/ETH spot 0.0000001 0.01 0.01 0.00022
BAT/ETH spot 0.00000001 1 1 0.00022
CBETH/ETH spot 0.00001 0.00001 0.00001 0.00022
AAVE/USD spot 0.01 0.001 0.001 1
ALGO/USD spot 0.0001 0.1 0.1 1
ADA/USD spot 0.0001 0.01 0.01 1
ADA/BTC spot 0.00000001 1 1 0.000016
`
}
