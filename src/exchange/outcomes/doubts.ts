// Words of any exchange that leave an order in doubt: its id exists already (perhaps from our earlier sending), or it
// is still being processed. ccxt classifies some as refusals; codes that say the same are in the descriptors.

export const DOUBTS: ReadonlyArray<RegExp> = [
  /duplic/i,
  /already (exist|in use|used|been|submitted)/i,
  /time[ds]?[ _-]?out|(?<!invalid arguments:)deadline/i,
  /status unknown|execution status/i,
  /submitted to the system|processing/i
]
