// The thread as it is, but for a flaw that can be set off from outside, as the library might have one.
import "../../../src/prices/streaming/worker.ts"

new BroadcastChannel("a flaw of the thread").onmessage = ({ data }) => {
  if (data === "hang") for (;;);
  setTimeout(() => {
    throw new Error("a flaw of the library")
  })
}
