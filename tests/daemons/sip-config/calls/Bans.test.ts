import { expect, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { registration, websocketAbuse } from "#daemons/sip-config/calls/BanRules.ts"
import { Framing } from "#protocols/event-socket/Framing.ts"
import { decodeEvent } from "#protocols/event-socket/SwitchEvent.ts"
import { until } from "#support/Frame.ts"
import { spoken } from "#support/switch/Capture.ts"
import { switchboard, told } from "./Switchboard.ts"

/** FreeSWITCH's event for a wrong password (capture B77, CUSTOM sofia::register_failure). */
const failure = (address: string, user = "1001") => ({
  "Event-Subclass": "sofia::register_failure",
  "to-user": user,
  "to-host": "a.test",
  "network-ip": address,
  "user-agent": "phone",
  "registration-type": "REGISTER"
})

it("a real switch's registrations: the two that failed, and by whom", () => {
  const events = spoken("B77")
    .flatMap((bytes) => new Framing().push(bytes).messages)
    .filter(({ contentType }) => contentType.startsWith("text/event-"))
    .map((message) => Result.getOrThrow(decodeEvent(message)))
  const found = events.flatMap(({ headers }) => registration(headers) ?? [])
  expect(found.filter(({ failed }) => failed !== undefined)).toEqual([
    { address: "127.0.0.1", failed: "1001@lab.example", scanner: false },
    { address: "127.0.0.1", failed: "1001@lab.example", scanner: false }
  ])
  expect(found.length).toBeGreaterThan(4)
})

it.live("five wrong passwords are one ban, and four are none; loopback is never banned", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { double, sql } = yield* switchboard()
      const bans = told(sql, "security.ban.")
      for (let each = 0; each < 4; each++) yield* double.say("CUSTOM", failure("203.0.113.8"))
      for (let each = 0; each < 9; each++) yield* double.say("CUSTOM", failure("127.0.0.1"))
      for (let each = 0; each < 12; each++) yield* double.say("CUSTOM", failure("203.0.113.9"))
      // Events of clients that only register.
      for (let each = 0; each < 9; each++)
        yield* double.say("CUSTOM", { ...failure("203.0.113.7"), "Event-Subclass": "sofia::pre_register" })
      yield* double.say("CUSTOM", {
        ...failure("2001:db8::7"),
        "Event-Subclass": "sofia::pre_register",
        "user-agent": "friendly-scanner"
      })
      yield* until(
        "two are banned",
        Effect.map(bans, ({ length }) => length >= 2)
      )
      const found = yield* bans
      expect(found.map(({ address, rule }) => [address, rule])).toEqual([
        ["203.0.113.9", "sip-brute-force"],
        ["2001:db8:0:0::/64", "sip-scanner"]
      ])
      const hours = found.map(({ until }) => Math.round((Date.parse(until) - Date.now()) / 3_600_000))
      expect(hours).toEqual([24, 168])
      yield* double.say("CUSTOM", failure("203.0.113.8"))
      yield* until(
        "the fifth is one too many",
        Effect.map(bans, ({ length }) => length >= 3)
      )
      expect((yield* bans).map(({ address }) => address)).toEqual(["203.0.113.9", "2001:db8:0:0::/64", "203.0.113.8"])
      expect(yield* sql`select count(*)::int as n from core.audit where action = 'sip_ban.added'`).toEqual([{ n: 3 }])
    })
  )
)

it.live("who tries many names is a scanner, and who floods the WebSocket is kept off for an hour", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { bans: watch, double, sql } = yield* switchboard()
      for (let each = 0; each < 20; each++) yield* double.say("CUSTOM", failure("203.0.113.9", String(1000 + each)))
      for (let each = 0; each < websocketAbuse.count; each++) watch.offend(websocketAbuse, "203.0.113.10")
      const bans = told(sql, "security.ban.")
      yield* until(
        "three bans",
        Effect.map(bans, ({ length }) => length >= 3)
      )
      expect(new Set((yield* bans).map(({ address, rule }) => `${address} ${rule}`))).toEqual(
        new Set(["203.0.113.9 sip-brute-force", "203.0.113.9 sip-scanner", "203.0.113.10 websocket-abuse"])
      )
    })
  )
)

it.live("an exempt address is not counted", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { bans: watch, sql } = yield* switchboard()
      const flood = (address: string) => {
        for (let each = 0; each < websocketAbuse.count; each++) watch.offend(websocketAbuse, address)
      }
      const banned = Effect.map(
        told(sql, "security.ban."),
        (all) => new Set(all.map(({ address }): string => String(address)))
      )
      flood("198.18.0.0")
      yield* until(
        "an address is banned before the exemption",
        Effect.map(banned, (all) => all.has("198.18.0.0"))
      )
      const data = { address: "198.18.0.0/16", until: new Date(Date.now() + 3_600_000).toISOString() }
      yield* sql`insert into core.event (type, source, data)
        values ('security.exemption.added', 'test', ${JSON.stringify(data)}::text::jsonb)`
      yield* sql`select pg_notify('signalbox', 'event')`
      // Bans are written in the order of the offences, so the marker's ban shows that the other one stays away.
      let round = 0
      const isExempt = Effect.gen(function* () {
        const [address, marker] = [`198.18.1.${++round}`, `198.19.1.${round}`]
        flood(address)
        flood(marker)
        yield* until(
          "the marker is banned",
          Effect.map(banned, (all) => all.has(marker))
        )
        yield* Effect.sleep("200 millis")
        return !(yield* banned).has(address)
      })
      yield* until("an address of the exempt range is not banned", isExempt, 30)
    })
  )
)
