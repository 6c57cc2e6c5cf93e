// Tests whether an exchange can be reached before ccxt is loaded, which costs tens of megabytes even without a network.

const WAIT_MS = 10_000

/** Sends one request to an address; any answer will do. Fails with the errors that ccxt would throw. */
export const reach = async (home: string): Promise<void> => {
  try {
    await fetch(home, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(WAIT_MS) })
  } catch (cause) {
    const isLate = cause instanceof DOMException && cause.name === "TimeoutError"
    throw Object.assign(new Error("not reached", { cause }), {
      name: isLate ? "RequestTimeout" : "NetworkError"
    })
  }
}
