// Cuts every connection between nodes for a while, as a switch that fails: requests on their way lose their answers. It
// takes the kernel's own means (`ss --kill`), and with that the rights of root.

/** The pause between two cuts (s): a new connection lives no longer. */
const AGAIN_S = 0.02

/** Whether this machine can cut connections. */
export const isPossible = Bun.which("ss") !== null && process.getuid?.() === 0

/** Cuts all that leads to these ports for so long (ms). */
export const during = async (ports: ReadonlyArray<number>, ms: number): Promise<void> => {
  const either = ports.map((port) => `dport = :${port}`).join(" or ")
  const script = `while :; do ss --kill --tcp state established '( ${either} )'; sleep ${AGAIN_S}; done`
  const child = Bun.spawn(["bash", "-c", script], { stdout: "ignore", stderr: "ignore" })
  await Bun.sleep(ms)
  child.kill()
  await child.exited
}
