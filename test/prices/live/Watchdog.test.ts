import { describe, expect, test } from "bun:test"
import { DEAD_MS, EXCESS_MS, PATIENCE_MS } from "../../../src/prices/streaming/Watchdog.ts"
import { Dog } from "./dog.ts"

type Step = readonly [at: number, said: string, does?: string]

/** Each step says when, what happened, and what is to be done about it; `; ` stands between two. */
const play = (steps: ReadonlyArray<Step>): Dog => {
  const dog = new Dog()
  for (const [at, said, does = ""] of steps)
    expect([at, said, dog.at(at, said).join("; ")]).toEqual([at, said, does])
  return dog
}

/** Streams of these markets that stand, and told of each at 0. */
const streaming = (...symbols: ReadonlyArray<string>): Dog => {
  const all = symbols.join(" ")
  return play([
    [0, `want ${all}`, "Load"],
    [0, "loaded", `Open ${all}`],
    ...symbols.map((symbol): Step => [0, `told ${symbol}`])
  ])
}

describe("the first streams", () => {
  test("open after the markets were loaded, once they are wanted", () => {
    play([
      [0, "look"],
      [0, "want BTC", "Load"],
      [100, "look"],
      [200, "want BTC ETH"],
      [300, "want ETH"],
      [900, "loaded", "Open ETH"]
    ])
  })

  test("are not opened, and nothing is loaded, if no market is wanted any more", () => {
    const dog = play([
      [0, "want BTC", "Load"],
      [100, "want"],
      [200, "loaded"]
    ])
    expect(dog.until(100_000)).toEqual([])
    expect(dog.say("want ETH")).toEqual(["Open ETH"])
  })

  test("wait for a failed load to be repeated after growing pauses of at most 30 s", () => {
    const dog = new Dog()
    dog.say("want BTC")
    const pauses: Array<number> = []
    for (let round = 0, from = 0; round < 9; round++) {
      dog.say("unloaded 0")
      const [first] = dog.until(from + 100_000)
      pauses.push((first?.[0] ?? 0) - from)
      from += 100_000
    }
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  })

  test("wait as long as the exchange asks for", () => {
    const dog = play([
      [0, "want BTC", "Load"],
      [0, "unloaded 45000"]
    ])
    expect(dog.until(44_750)).toEqual([])
    expect(dog.until(45_000)).toEqual([[45_000, "Load"]])
  })
})

describe("open streams", () => {
  test("are opened only for what is new", () => {
    play([
      [0, "want BTC", "Load"],
      [0, "loaded", "Open BTC"],
      [1000, "told BTC"],
      [2000, "want BTC ETH", "Open ETH; Poll ETH"],
      [2100, "want BTC ETH"]
    ])
  })

  test("may include unwanted markets for thirty seconds, and are then reopened", () => {
    const dog = streaming("BTC", "ETH")
    dog.at(1000, "want BTC")
    for (let at = 2000; at < 1000 + EXCESS_MS; at += 1000)
      expect([at, ...dog.at(at, "told BTC"), ...dog.say("want BTC")]).toEqual([at])
    expect(dog.at(1000 + EXCESS_MS, "look")).toEqual(["Close", "Open BTC"])
  })

  test("are not reopened for unwanted markets if they failed meanwhile", () => {
    const dog = streaming("BTC", "ETH")
    dog.at(1000, "want BTC")
    expect(dog.say("lost 0")).toEqual(["Close"])
    expect(dog.at(1500, "look")).toContain("Open BTC")
    for (let at = 2000; at < 3 * EXCESS_MS; at += 1000) {
      dog.at(at, "told BTC")
      expect(dog.say("look")).toEqual([])
    }
  })

  test("stay as they are if the market is wanted again", () => {
    const dog = streaming("BTC", "ETH")
    for (let at = 1000; at < 120_000; at += 1000) {
      const wanted = at % 20_000 < 10_000 ? "want BTC ETH" : "want BTC"
      expect([at, ...dog.at(at, wanted).filter((words) => !words.startsWith("Poll"))]).toEqual([at])
      for (const symbol of ["BTC", "ETH"]) dog.say(`told ${symbol}`)
      if (at % 20_000 === 0) dog.say("polled")
    }
  })

  test("are not polled while they deliver", () => {
    const dog = streaming("BTC")
    for (let at = 3000; at < 300_000; at += 3000) {
      expect(dog.until(at)).toEqual([])
      dog.say("told BTC")
    }
    expect(dog.dog.health(dog.now)).toEqual({ state: "streaming", reason: "", reconnects: 0 })
  })
})

describe("streams that fail", () => {
  test("are given up and reopened after growing pauses of at most 30 s, with polling meanwhile", () => {
    const dog = streaming("BTC")
    const pauses: Array<number> = []
    for (let round = 1; round < 9; round++) {
      const from = 50_000 * round
      expect(dog.at(from, "lost 0")).toEqual(["Close"])
      const seen = dog.until(from + 49_000)
      pauses.push((seen.find(([, words]) => words === "Open BTC")?.[0] ?? 0) - from)
      expect(seen.some(([, words]) => words === "Poll BTC")).toBe(true)
      dog.say("polled")
    }
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  })

  test("after a good minute are reopened at once, as after a first failure", () => {
    const dog = streaming("BTC")
    for (const from of [1000, 5000, 9000]) {
      expect(dog.at(from, "lost 0")).toEqual(["Close"])
      dog.until(from + 3000)
    }
    for (let at = 12_000; at <= 72_000; at += 2000) dog.at(at, "told BTC")
    expect(dog.at(72_000, "lost 0")).toEqual(["Close"])
    expect(dog.until(73_000).filter(([, words]) => words.startsWith("Open"))).toEqual([[72_500, "Open BTC"]])
  })

  test("again after reopening do not delay the poll of a market that is silent for four seconds", () => {
    const dog = play([
      [0, "want BTC ETH", "Load"],
      [0, "loaded", "Open BTC ETH"],
      [0, "told ETH"],
      [1500, "look", "Poll BTC"],
      [3250, "poll BTC"],
      [3250, "polled"],
      [3650, "lost 0", "Close"],
      [4150, "look", "Open BTC ETH"],
      [4150, "lost 30000", "Close"]
    ])
    expect(dog.until(5400)).toEqual([[5400, "Poll ETH"]])
  })

  test("are lost only once", () => {
    const dog = streaming("BTC")
    expect(dog.at(1000, "lost 0")).toEqual(["Close"])
    expect(dog.at(1001, "lost 60000")).toEqual([])
    expect(dog.at(1500, "look")).toContain("Open BTC")
  })

  test("are not reopened before the exchange's pause ends", () => {
    const dog = streaming("BTC")
    dog.at(1000, "lost 42000")
    const opened = () => dog.until(43_000).filter(([, words]) => words.startsWith("Open"))
    expect(opened()).toEqual([[43_000, "Open BTC"]])
  })
})

describe("streams that are silent", () => {
  test("are polled after four seconds", () => {
    const dog = streaming("BTC", "ETH")
    for (let at = 250; at < 4000; at += 250)
      expect([at, ...dog.at(at, "told ETH"), ...dog.say("look")]).toEqual([at])
    expect(dog.at(4000, "look")).toEqual(["Poll BTC"])
    expect(dog.until(20_000).filter(([, words]) => words.includes("BTC"))).toEqual([])
  })

  test("are polled again between two and six seconds after the answer", () => {
    const dog = streaming("BTC")
    const asked: Array<number> = []
    while (dog.now < 1_060_000) {
      for (const [at, words] of dog.until(dog.now - 1_000_000 + 250)) {
        if (words !== "Poll BTC") continue
        asked.push(at)
        dog.say("poll BTC")
        dog.say("polled")
      }
    }
    expect(asked.length).toBeGreaterThan(10)
    for (const [place, at] of asked.entries()) {
      const since = at - (asked[place - 1] ?? 0)
      expect(since).toBeGreaterThanOrEqual(2000)
      expect(since).toBeLessThanOrEqual(6000)
    }
  })

  /** Answers each request: with the same prices or with others. Tells what was done besides asking. */
  const answering = (dog: Dog, ms: number, word: "differs" | "" | undefined, alive = "nobody") => {
    const done: Array<readonly [number, string]> = []
    while (dog.now < 1_000_000 + ms) {
      dog.say(`told ${alive}`)
      for (const [at, words] of dog.until(dog.now - 1_000_000 + 250)) {
        if (!words.startsWith("Poll")) done.push([at, words])
        else if (word !== undefined) dog.say(`poll BTC ${word}`)
        if (words.startsWith("Poll")) dog.say("polled")
      }
    }
    return done
  }

  test("are reopened after two contradicting polls", () => {
    const dog = streaming("BTC")
    const [closed, opened] = answering(dog, 20_000, "differs")
    expect(closed).toEqual([PATIENCE_MS, "Close"])
    expect(opened).toEqual([PATIENCE_MS + 500, "Open BTC"])
    expect(dog.dog.health(dog.now)).toEqual({
      state: "polling",
      reason: "its streams are silent",
      reconnects: 1
    })
  })

  test("need as much time and as many contradictions again once they are reopened", () => {
    const dog = streaming("BTC")
    answering(dog, PATIENCE_MS, "differs")
    expect(answering(dog, PATIENCE_MS + 59_000, undefined)).toEqual([[PATIENCE_MS + 500, "Open BTC"]])
  })

  test("are not reopened after a single contradiction, however long nobody answers then", () => {
    const dog = streaming("BTC")
    dog.until(4000)
    dog.say("poll BTC differs")
    dog.say("polled")
    expect(answering(dog, 59_000, undefined)).toEqual([])
  })

  test("are not reopened if they deliver again after one contradiction", () => {
    const dog = streaming("BTC")
    dog.until(4000)
    dog.say("poll BTC differs")
    dog.say("polled")
    for (let at = 5000; at < 50_000; at += 2000) {
      dog.at(at, "told BTC")
      expect(dog.say("look")).toEqual([])
    }
  })

  test("are reopened ever more rarely while that does not help, up to ten minutes apart", () => {
    const dog = streaming("BTC", "ETH")
    const closed = answering(dog, 7_200_000, "differs", "ETH").filter(([, words]) => words === "Close")
    const gaps = closed.map(([at], place) => Math.round((at - (closed[place - 1]?.[0] ?? 0)) / 1000))
    expect(gaps.slice(0, 4)).toEqual([8, 17, 33, 66])
    expect(gaps.toSorted((a, b) => a - b)).toEqual(gaps)
    expect(gaps.at(-1)).toBeGreaterThanOrEqual(600)
    expect(gaps.at(-1)).toBeLessThanOrEqual(640)
  })

  test("are reopened as soon as before after a good minute", () => {
    const dog = streaming("BTC")
    answering(dog, 30_000, "differs")
    for (let at = 30_000; at <= 130_000; at += 2000) {
      dog.at(at, "told BTC")
      dog.say("look")
    }
    const closed = answering(dog, 145_000, "differs").find(([, words]) => words === "Close")
    expect(closed?.[0]).toBe(130_000 + PATIENCE_MS)
  })

  test("in a quiet market are not reopened for a minute", () => {
    const dog = streaming("BTC")
    const [first] = answering(dog, 70_000, "")
    expect(first).toEqual([DEAD_MS, "Close"])
    expect(dog.dog.health(1_059_000)).toMatchObject({ state: "streaming" })
  })

  test("are not reopened for one quiet market while others deliver", () => {
    const dog = streaming("BTC", "ETH")
    for (let at = 250; at < 300_000; at += 250) {
      const done = dog.at(at, "look")
      if (at % 2000 === 0) dog.say("told ETH")
      for (const words of done) {
        expect(words).toBe("Poll BTC")
        dog.say("poll BTC")
        dog.say("polled")
      }
    }
  })

  test("are not reopened while polls fail too", () => {
    const dog = streaming("BTC")
    expect(answering(dog, 59_000, undefined)).toEqual([])
  })
})

test("are polled again after growing pauses of at most 30 s if polls fail", () => {
  const dog = streaming("BTC")
  dog.at(0, "lost 3600000")
  const pauses: Array<number> = []
  for (let round = 1; round < 9; round++) {
    const [first] = dog.until(round * 100_000)
    pauses.push((first?.[0] ?? 0) - (round - 1) * 100_000)
    expect(first?.[1]).toBe("Poll BTC")
    expect(dog.until(round * 100_000)).toEqual([])
    dog.say("unpolled 0")
  }
  expect(pauses.slice(1)).toEqual([2000, 2000, 2000, 4000, 8000, 16_000, 30_000])
  dog.say("unpolled 45000")
  expect(dog.until(844_750)).toEqual([])
  expect(dog.until(845_000)).toEqual([[845_000, "Poll BTC"]])
})

describe("health", () => {
  const state = (dog: Dog, ms: number) => dog.dog.health(1_000_000 + ms).state

  test("is connecting until something is known, and unreachable if that fails", () => {
    const dog = play([[0, "want BTC", "Load"]])
    expect(dog.dog.health(dog.now)).toEqual({ state: "connecting", reason: "", reconnects: 0 })
    dog.at(100, "unloaded 0")
    expect(dog.dog.health(dog.now)).toEqual({ state: "unreachable", reason: "it fails", reconnects: 0 })
  })

  test("is streaming while streams deliver, polling while polls do, unreachable after ten seconds of neither", () => {
    const dog = streaming("BTC")
    expect(state(dog, 9000)).toBe("streaming")
    dog.at(9000, "lost 30000")
    expect(state(dog, 9500)).toBe("polling")
    dog.at(9600, "poll BTC")
    expect(state(dog, 19_500)).toBe("polling")
    expect(state(dog, 19_600)).toBe("unreachable")
    expect(dog.dog.health(1_019_600).reason).toBe("it fails")
  })

  test("is streaming in a quiet market too, and polling if polls contradict the streams", () => {
    const dog = streaming("BTC")
    dog.at(11_000, "poll BTC")
    expect(state(dog, 11_000)).toBe("streaming")
    dog.at(13_000, "poll BTC differs")
    expect(state(dog, 13_000)).toBe("polling")
  })
})
