// The shipped snapshot of Bybit's markets, with the source and the inferences of its numbers. `signalbox market
// refresh` replaces it from the exchange.
import type { CatalogueFile } from "./CatalogueFile.ts"

/**
 * Steps and minimum amounts: QuantConnect/Lean, Data/symbol-properties/symbol-properties-database.csv at commit
 * db96e9e8 (mid 2025, Apache-2.0); rows which it marks as no longer renewed (ADA/BTC, ADA/ETH, XRP/ETH among them)
 * are not listed. Minimum cost 5 of the USDT pairs and the fees: ccxt static markets @1f8d53ec (MIT). Inferred:
 * minimum cost 5 in USDC and of perpetuals (the exchange's rule as remembered), 0.0001 in BTC and 0.001 in ETH
 * (cautious); the minimum amount of a perpetual is its amount step. There is no USD here.
 */
export const bybit: CatalogueFile = {
  name: "bybit",
  makerFeePercent: "0.1",
  takerFeePercent: "0.1",
  source:
    "QuantConnect/Lean symbol-properties-database.csv @db96e9e8 (mid 2025, Apache-2.0); fees and costs ccxt @1f8d53ec (MIT)",
  // PAIR KIND PRICE_STEP AMOUNT_STEP MIN_AMOUNT MIN_COST
  markets: `
BTC/USDT spot 0.1 0.000001 0.000011 5
ETH/USDT spot 0.01 0.00001 0.00029 5
SOL/USDT spot 0.01 0.001 0.006 5
XRP/USDT spot 0.0001 0.01 0.44 5
ADA/USDT spot 0.0001 0.01 1.07 5
DOGE/USDT spot 0.00001 0.1 3 5
VET/USDT spot 0.00001 1 46 5
SHIB/USDT spot 0.00000001 0.1 85837 5
BNB/USDT spot 0.1 0.0001 0.0019 5
LTC/USDT spot 0.01 0.00001 0.00923 5
LINK/USDT spot 0.01 0.001 0.04 5
DOT/USDT spot 0.001 0.001 0.133 5
AVAX/USDT spot 0.01 0.001 0.06 5
TRX/USDT spot 0.0001 0.01 3.91 5
UNI/USDT spot 0.001 0.001 0.16 5
AAVE/USDT spot 0.01 0.001 0.003 5
ALGO/USDT spot 0.0001 0.01 2.53 5
APT/USDT spot 0.01 0.01 0.11 5
ARB/USDT spot 0.0001 0.01 2.9 5
ATOM/USDT spot 0.001 0.001 0.142 5
BCH/USDT spot 0.1 0.001 0.003 5
COMP/USDT spot 0.01 0.001 0.012 5
CRV/USDT spot 0.0001 0.01 2.7 5
ETC/USDT spot 0.01 0.01 0.04 5
FET/USDT spot 0.001 0.01 1.9 5
FIL/USDT spot 0.001 0.01 0.19 5
GALA/USDT spot 0.00001 0.01 64 5
HBAR/USDT spot 0.00001 0.01 3.05 5
ICP/USDT spot 0.001 0.01 0.19 5
INJ/USDT spot 0.01 0.01 0.11 5
JUP/USDT spot 0.0001 0.01 1.12 5
LDO/USDT spot 0.001 0.01 0.52 5
MANA/USDT spot 0.0001 0.01 3.9 5
MNT/USDT spot 0.0001 0.01 0.81 5
NEAR/USDT spot 0.001 0.01 0.4 5
ONDO/USDT spot 0.0001 0.01 0.59 5
OP/USDT spot 0.001 0.01 1.2 5
PEPE/USDT spot 0.000000001 1 170358 5
POL/USDT spot 0.0001 0.01 4.6 5
RENDER/USDT spot 0.001 0.01 0.34 5
SAND/USDT spot 0.0001 0.01 3.8 5
SEI/USDT spot 0.0001 0.01 5 5
SUI/USDT spot 0.0001 0.01 0.22 5
TIA/USDT spot 0.001 0.01 0.19 5
TON/USDT spot 0.001 0.01 0.38 5
WIF/USDT spot 0.001 0.01 2.3 5
WLD/USDT spot 0.001 0.01 1.3 5
XLM/USDT spot 0.0001 0.1 2.5 5
XTZ/USDT spot 0.001 0.01 1.5 5
USDC/USDT spot 0.0001 0.01 1 5
BTC/USDC spot 0.1 0.000001 0.000011 5
ETH/USDC spot 0.01 0.00001 0.00029 5
SOL/USDC spot 0.01 0.001 0.006 5
XRP/USDC spot 0.0001 0.01 0.44 5
ADA/USDC spot 0.0001 0.01 1.07 5
DOGE/USDC spot 0.00001 0.1 3 5
ETH/BTC spot 0.000001 0.00001 0.00029 0.0001
XRP/BTC spot 0.00000001 0.1 0.5 0.0001
SOL/BTC spot 0.0000001 0.001 0.007 0.0001
LTC/BTC spot 0.000001 0.001 0.009 0.0001
DOT/BTC spot 0.00000001 0.01 0.14 0.0001
ALGO/BTC spot 0.000000001 0.1 2.5 0.0001
MANA/BTC spot 0.00000001 0.1 1.9 0.0001
MNT/BTC spot 0.00000001 0.01 0.8 0.0001
SAND/BTC spot 0.00000001 0.1 1.6 0.0001
XLM/BTC spot 0.0000000001 0.1 2.5 0.0001
WBTC/BTC spot 0.0001 0.000001 0.000011 0.0001
METH/ETH spot 0.0001 0.00001 0.00038 0.001
BTC/USDT swap 0.1 0.001 0.001 5
ETH/USDT swap 0.01 0.01 0.01 5
SOL/USDT swap 0.01 0.1 0.1 5
XRP/USDT swap 0.0001 1 1 5
ADA/USDT swap 0.0001 1 1 5
DOGE/USDT swap 0.00001 1 1 5
VET/USDT swap 0.00001 1 1 5
SHIB1000/USDT swap 0.000001 10 10 5
BNB/USDT swap 0.1 0.01 0.01 5
LINK/USDT swap 0.001 0.1 0.1 5
DOT/USDT swap 0.0001 0.1 0.1 5
AVAX/USDT swap 0.001 0.1 0.1 5
TRX/USDT swap 0.00001 1 1 5
UNI/USDT swap 0.001 0.1 0.1 5
AAVE/USDT swap 0.01 0.01 0.01 5
ALGO/USDT swap 0.0001 0.1 0.1 5
APT/USDT swap 0.001 0.01 0.01 5
ARB/USDT swap 0.0001 0.1 0.1 5
ATOM/USDT swap 0.001 0.1 0.1 5
BCH/USDT swap 0.1 0.01 0.01 5
ETC/USDT swap 0.001 0.1 0.1 5
FIL/USDT swap 0.001 0.1 0.1 5
HBAR/USDT swap 0.00001 1 1 5
ICP/USDT swap 0.001 0.1 0.1 5
INJ/USDT swap 0.001 0.1 0.1 5
SUI/USDT swap 0.0001 10 10 5
TON/USDT swap 0.0001 0.1 0.1 5
XLM/USDT swap 0.00001 1 1 5
`
}
