import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { GuardedHost, layer, type Lookup } from "#daemons/mail-watcher/accounts/GuardedHost.ts"
import { normaliseHost } from "#daemons/mail-watcher/accounts/HostName.ts"

const named: Lookup = (host) => {
  const addresses: Record<string, ReadonlyArray<string>> = {
    "imap.example.org": ["2606:4700::1", "192.0.43.8"],
    "inside.example.org": ["93.184.216.34", "10.1.2.3"],
    "ours.example.org": ["10.9.0.1"],
    "none.example.org": []
  }
  const found = addresses[host]
  return found === undefined
    ? Promise.reject(new Error("ENOTFOUND"))
    : Promise.resolve(found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))
}

const dial = (host: string, foreign = true) =>
  GuardedHost.use((guard) => guard.dial({ host, port: 993, foreign })).pipe(
    Effect.match({ onFailure: ({ detail }) => detail, onSuccess: (dialled) => dialled }),
    Effect.provide(layer({ allowCidrs: ["10.9.0.0/16"] }, named))
  )

describe("host guard", () => {
  it.effect("returns a judged address and the certificate's name", () =>
    Effect.gen(function* () {
      expect(yield* dial("imap.example.org")).toEqual({
        host: "2606:4700::1",
        port: 993,
        servername: "imap.example.org"
      })
      expect(yield* dial("93.184.216.34")).toEqual({ host: "93.184.216.34", port: 993, servername: undefined })
      expect(yield* dial("ours.example.org")).toEqual({ host: "10.9.0.1", port: 993, servername: "ours.example.org" })
    })
  )

  it.effect("refuses a host with any private address", () =>
    Effect.gen(function* () {
      for (const host of ["inside.example.org", "127.0.0.1", "::1", "169.254.169.254", "::ffff:10.0.0.1", "10.8.0.1"]) {
        expect(yield* dial(host)).toBe(`${host} is not on the public internet.`)
      }
      expect(yield* dial("none.example.org")).toBe("none.example.org has no address.")
      expect(yield* dial("nowhere.example.org")).toBe("nowhere.example.org cannot be resolved.")
    })
  )

  it.effect("does not judge our own servers", () =>
    Effect.gen(function* () {
      expect(yield* dial("mail.internal", false)).toEqual({
        host: "mail.internal",
        port: 993,
        servername: "mail.internal"
      })
      expect(yield* dial("127.0.0.1", false)).toEqual({ host: "127.0.0.1", port: 993, servername: undefined })
    })
  )
})

describe("host names", () => {
  it("normalises host names", () => {
    expect(normaliseHost(" IMAP.Example.ORG. ")).toBe("imap.example.org")
    expect(normaliseHost("bücher.example")).toBe("xn--bcher-kva.example")
    expect(normaliseHost("FD00::1")).toBe("fd00::1")
    expect(normaliseHost("localhost")).toBe("localhost")
  })

  it("refuses other spellings of addresses", () => {
    for (const typed of [
      "127.1",
      "0x7f000001",
      "a.0x7f",
      "2130706433",
      "fe80::1%eth0",
      "[::1]",
      "a b",
      "a/b",
      "-a.example",
      "a-.example",
      "_imap.example",
      "a..b",
      "",
      "user@host",
      "host:993",
      `${"a".repeat(64)}.example`,
      `${"a.".repeat(127)}example`,
      "a\r\nb"
    ]) {
      expect(normaliseHost(typed), typed).toBeUndefined()
    }
  })
})
