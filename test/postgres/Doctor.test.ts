// The adversary: a Postgres server that works today and loses alerts tomorrow. Every check is met on a real server where
// one can be brought into that state, and fails there; the rest are told to the check.
import { describe, expect } from "bun:test"
import { Clock, Effect, Layer, Redacted } from "effect"
import { postgres } from "../../src/cli/doctor/postgres.ts"
import * as Client from "../../src/postgres/client/Client.ts"
import * as Health from "../../src/postgres/Health.ts"
import { RealTime } from "../../src/services/internal/RealTime.ts"
import { ChangeWatch } from "../../src/sql/client/ChangeWatch.ts"
import { it } from "../lib/effect.ts"
import { administrate, database, fresh, isInstalled } from "../lib/postgres/Database.ts"

/** What the doctor says of a server as it is now: the level and the text by name of the check. */
const said = (health: Health.Health, isServed = false) =>
  Object.fromEntries(postgres(health, isServed).map(({ level, name, text }) => [name, `${level}: ${text}`]))

const health = (url: Redacted.Redacted) =>
  Effect.provide(Health.read, Layer.provide(Client.layer({ url, node: fresh("doctor") }), ChangeWatch.layer))

/** The address of another user of the same database. */
const as = (url: Redacted.Redacted, user: string): Redacted.Redacted => {
  const address = new URL(Redacted.value(url))
  address.username = user
  return Redacted.make(address.href)
}

const scene = Effect.gen(function* () {
  const { name, server, url } = yield* database()
  const run = (statement: string) => Effect.promise(() => administrate(server, statement))
  return { name, run, url, checked: Effect.map(health(url), (found) => said(found)) }
})

const later = (ms: number): Clock.Clock => {
  const clock = Clock.make()
  return Object.create(clock, {
    currentTimeMillis: { value: Effect.map(clock.currentTimeMillis, (now) => now + ms) }
  })
}

describe.skipIf(!isInstalled)("the doctor on Postgres", () => {
  it.live("finds a durable server of today well, for each version that we try", () =>
    Effect.gen(function* () {
      const { url } = yield* scene
      const found = { ...(yield* health(url)), fsync: true, fullPageWrites: true }
      expect(said(found)).toEqual({
        postgres: expect.stringMatching(/^ok: version \d+/),
        durable: "ok: synchronous_commit is on: an answered alert is on disk",
        clocks: "ok: the Postgres server and this machine have the same time",
        connects: expect.stringMatching(/^ok: \d+ connections are left to this user$/),
        rights: "ok: this user may make, read and write tables",
        writes: "ok: the database takes writes"
      })
      expect(said({ ...found, version: 130_012, name: "13.12" })["postgres"]).toBe(
        "FAIL: version 13.12 is older than 14"
      )
      expect(said({ ...found, version: 140_000, name: "14.0" })["postgres"]).toBe("ok: version 14.0")
    })
  )

  it.live("fails where a power cut may damage it, and tells what synchronous_commit means for us", () =>
    Effect.gen(function* () {
      const { checked, name, run, url } = yield* scene
      // The server of these tests runs without both.
      expect((yield* checked)["durable"]).toBe(
        "FAIL: fsync and full_page_writes are off: a power cut may damage the database"
      )
      yield* run(`ALTER DATABASE ${name} SET synchronous_commit = off`)
      const found = { ...(yield* health(url)), fsync: true }
      expect(said(found)["durable"]).toStartWith("FAIL: full_page_writes is off")
      expect(said({ ...found, fullPageWrites: true })["durable"]).toBe(
        "ok: synchronous_commit is off, and on for Signalbox: an answered alert is on disk"
      )
    })
  )

  it.live("warns of clocks that differ, and fails where they differ by seconds", () =>
    Effect.gen(function* () {
      const { url } = yield* scene
      const shifted = (ms: number) =>
        Effect.map(Effect.provideService(health(url), RealTime, later(ms)), (found) => said(found)["clocks"])
      expect(yield* shifted(-2_000)).toMatch(/^warn: the clock of the Postgres server is [12]\.\d s ahead of/)
      expect(yield* shifted(9_000)).toMatch(/^FAIL: the clock of the Postgres server is [89]\.\d s behind/)
    })
  )

  it.live(
    "warns of few connections, unless a server of ours holds them already, and fails where hardly any is left",
    () =>
      Effect.gen(function* () {
        const { name, run, url } = yield* scene
        const limited = Effect.fnUntraced(function* (limit: number, isServed = false) {
          yield* run(`ALTER DATABASE ${name} CONNECTION LIMIT ${limit}`)
          return said(yield* health(url), isServed)["connects"]
        })
        expect(yield* limited(8)).toBe("warn: 7 connections are left to this user")
        expect(yield* limited(8, true)).toBe("ok: 7 connections are left to this user")
        expect(yield* limited(3, true)).toBe("FAIL: 2 connections are left to this user")
        yield* run(`ALTER DATABASE ${name} CONNECTION LIMIT -1`)
        const role = fresh("narrow")
        yield* run(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT 2`)
        expect(said(yield* health(as(url, role)))["connects"]).toBe("FAIL: 1 connection is left to this user")
      })
  )

  it.live("fails for a user who may make no tables, or not write those that are there", () =>
    Effect.gen(function* () {
      const { name, run, url } = yield* scene
      const role = fresh("guest")
      yield* run(`CREATE ROLE ${role} LOGIN`)
      const rights = Effect.map(health(as(url, role)), (found) => said(found)["rights"])
      expect(yield* rights).toBe("FAIL: this user may make no tables in the database")
      yield* run(`ALTER DATABASE ${name} OWNER TO ${role}`)
      expect(yield* rights).toMatch(/^FAIL: this user may not read and write \d\d of the tables$/)
      yield* run(`ALTER DATABASE ${name} OWNER TO signalbox`)
    })
  )

  it.live("fails for a database that takes no writes, and for a server that only follows another", () =>
    Effect.gen(function* () {
      const { name, run, url } = yield* scene
      yield* run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
      const found = yield* health(url)
      expect(said(found)["writes"]).toBe(
        "FAIL: the database takes no writes: default_transaction_read_only is on"
      )
      expect(said({ ...found, follows: true, behindSeconds: 7.4 })["writes"]).toBe(
        "FAIL: the Postgres server only follows another one, 7 s behind it"
      )
      expect(said({ ...found, follows: true })["writes"]).toBe(
        "FAIL: the Postgres server only follows another one"
      )
      expect(said({ ...found, followers: 2, lagSeconds: 61 })["replicas"]).toBe(
        "warn: 2 servers follow this one, the slowest 61 s behind"
      )
      expect(said({ ...found, followers: 1, lagSeconds: 0.25 })["replicas"]).toBe(
        "ok: 1 server follows this one, at most 0.3 s behind"
      )
    })
  )
})
