import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { AlarmSource } from "#core/contracts/Alarm.ts"
import { judge } from "#daemons/comm-dispatcher/alarms/trigger/JudgeTrigger.ts"
import { type Alignment, check } from "#daemons/comm-dispatcher/alarms/trigger/SenderAuthenticity.ts"
import * as SenderPolicy from "#daemons/comm-dispatcher/alarms/trigger/SenderPolicy.ts"

const authservId = "mx.ok.test"
const outcome = (result: ReturnType<typeof check>) => (Result.isSuccess(result) ? "authentic" : result.failure.reason)
const ask = (header: string | undefined, from: ReadonlyArray<string>, alignment: Alignment = "relaxed") =>
  check({ authservId, alignment }, from, {
    kind: "imap",
    ...(header === undefined ? {} : { authentication_results: header })
  })
const judged = (results: string, from: string = "boss@ok.test", alignment?: Alignment) =>
  outcome(ask(`mx.ok.test; ${results}`, from === "" ? [] : from.split(","), alignment))

describe("a sender is authentic", () => {
  it.each([
    ["dkim=pass header.d=ok.test"],
    ["dkim=pass header.d=OK.Test"],
    ["dkim=pass header.d=ok.test."],
    ['dkim=pass header.d="ok.test"'],
    ["dkim=pass (2048-bit key) header.d=ok.test header.i=@ok.test header.s=mail header.b=aB/c+d="],
    ['dkim=pass reason="good" header.d=ok.test'],
    ["dkim=pass header.d=mail.ok.test"],
    ["dkim=pass header.i=@ok.test"],
    ["dkim=pass header.i=boss@news.ok.test"],
    ["DKIM=PASS HEADER.D=ok.test"],
    ["dkim/1=pass header.d=ok.test"],
    ["dkim=fail header.d=ok.test; dkim=pass header.d=ok.test"],
    ["dkim=pass header.d=evil.test; dkim=pass header.d=ok.test"],
    ["spf=pass smtp.mailfrom=ok.test"],
    ["spf=pass smtp.mailfrom=bounce@lists.ok.test"],
    ['spf=pass smtp.mailfrom="a b"@ok.test'],
    ['spf=pass smtp.mailfrom="a@evil.test"@ok.test'],
    ["spf=fail smtp.mailfrom=evil.test; dkim=pass header.d=ok.test"],
    ["dmarc=pass (p=none) header.from=ok.test"]
  ])("%s", (results) => expect(judged(results)).toBe("authentic"))

  it.each([
    ["boss@bücher.example", "dkim=pass header.d=xn--bcher-kva.example"],
    ["boss@bücher.example", "dkim=pass header.d=BÜCHER.example"],
    ["boss@xn--bcher-kva.example", "dkim=pass header.d=bücher.example"],
    ["boss@sub.ok.test", "dkim=pass header.d=ok.test"],
    ["boss@sub.ok.test", "dkim=pass header.d=other.ok.test"],
    ["boss@sub.example.co.uk", "spf=pass smtp.mailfrom=example.co.uk"],
    ["boss@co.uk", "dkim=pass header.d=co.uk"],
    ["boss@a.github.io", "dkim=pass header.d=mail.a.github.io"],
    ["boss@ok.test,mate@ok.test", "dkim=pass header.d=ok.test"],
    ["boss@ok.test,mate@other.test", "dkim=pass header.d=ok.test; dkim=pass header.d=other.test"]
  ])("%s: %s", (from, results) => {
    // Addresses in the form that the sender lists produce.
    const addresses = Result.getOrThrow(
      SenderPolicy.check(
        Result.getOrThrow(
          SenderPolicy.make({
            allowedSenders: [],
            allowedDomains: from.split(",").map((address) => address.split("@")[1]!)
          })
        ),
        from
      )
    )
    expect(judged(results, addresses.join(","))).toBe("authentic")
  })

  it.each(["MX.OK.TEST", "mx.ok.test.", '"mx.ok.test"', "(ours) mx.ok.test 1"])(
    "by the word of our server, written %s",
    (id) => {
      expect(outcome(ask(`${id}; dkim=pass header.d=ok.test`, ["boss@ok.test"]))).toBe("authentic")
    }
  )

  it("with an id that is no host name, too", () => {
    const rule = { authservId: "Our Server", alignment: "strict" } as const
    expect(
      outcome(
        check(rule, ["a@ok.test"], {
          kind: "imap",
          authentication_results: '"our server"; spf=pass smtp.mailfrom=ok.test'
        })
      )
    ).toBe("authentic")
  })
})

describe("a sender is not authentic", () => {
  it.each([
    ["dkim=fail header.d=ok.test"],
    ["dkim=none"],
    ["dkim=neutral header.d=ok.test"],
    ["dkim=temperror header.d=ok.test"],
    ["dkim=passed header.d=ok.test"],
    ["dkim=pass"],
    ["dkim=pass header.d=evil.test"],
    ["dkim=pass header.d=notok.test"],
    ["dkim=pass header.d=ok.test.evil.test"],
    ["dkim=pass header.d=test"],
    ["dkim=pass header.d=evil.test header.i=@ok.test"],
    ["dkim=pass header.d=ok.test header.d=evil.test"],
    ["dkim=pass header.i=@ok.test header.i=@evil.test"],
    ['dkim=pass header.i="@ok.test"@evil.test'],
    ["dkim=pass header.from=ok.test"],
    ["dkim=pass smtp.mailfrom=ok.test"],
    ["dkim=pass policy.d=ok.test"],
    ["dkim=pass (header.d=ok.test)"],
    ['dkim=pass reason="header.d=ok.test"'],
    ["dkim=pass header.d="],
    ['dkim=pass header.d="ok.test "'],
    ["dkim=pass header.d=ok.test/x"],
    ["dkim/2=pass header.d=ok.test"],
    ["x-dkim=pass header.d=ok.test"],
    ["arc=pass header.d=ok.test"],
    ["auth=pass smtp.auth=boss@ok.test"],
    ["dkim=fail header.d=ok.test; dkim=pass header.d=evil.test"],
    ["dkim=pass header.d=evil.test; spf=fail smtp.mailfrom=ok.test"],
    ["spf=softfail smtp.mailfrom=ok.test"],
    ["spf=pass smtp.mailfrom=boss@evil.test"],
    ['spf=pass smtp.mailfrom="boss@ok.test"@evil.test'],
    ['spf=pass smtp.mailfrom="x; dkim=pass header.d=ok.test"@evil.test'],
    ["spf=pass (x; dkim=pass header.d=ok.test) smtp.mailfrom=evil.test"],
    ["spf=pass smtp.helo=ok.test"],
    ["spf=pass smtp.mailfrom="],
    ["spf=pass header.from=ok.test"],
    ["dmarc=fail header.from=ok.test"],
    ["dmarc=pass header.from=evil.test"],
    ["dmarc=pass header.from=sub.ok.test"],
    ["dmarc=pass header.d=ok.test"],
    ["none"]
  ])("%s", (results) => expect(judged(results)).toBe("NotAligned"))

  it.each([
    ["boss@a.github.io", "dkim=pass header.d=b.github.io"],
    ["boss@a.github.io", "dkim=pass header.d=github.io"],
    ["boss@example.co.uk", "dkim=pass header.d=co.uk"],
    ["boss@co.uk", "dkim=pass header.d=example.co.uk"],
    ["boss@127.0.0.1", "dkim=pass header.d=10.0.0.1"],
    ["boss@xn--bcher-kva.example", "dkim=pass header.d=bucher.example"],
    ["boss@ok.test,mate@other.test", "dkim=pass header.d=ok.test"],
    ["mate@other.test,boss@ok.test", "dkim=pass header.d=ok.test"],
    ["", "dkim=pass header.d=ok.test"]
  ])("%s: %s", (from, results) => expect(judged(results, from)).toBe("NotAligned"))

  it.each([
    [undefined, "NoHeader"],
    ["", "Unreadable"],
    ["dkim=pass header.d=ok.test", "Unreadable"],
    ["mx.ok.test; dkim=pass header.d=ok.test (", "Unreadable"],
    ["mx.ok.test 2; dkim=pass header.d=ok.test", "Unreadable"],
    ["mx.evil.test; dkim=pass header.d=ok.test", "OtherServer"],
    ["xmx.ok.test; dkim=pass header.d=ok.test", "OtherServer"],
    ["ok.test; dkim=pass header.d=ok.test", "OtherServer"],
    ['"mx.ok.test; x"; dkim=pass header.d=ok.test', "OtherServer"],
    ["(mx.ok.test) evil.test; dkim=pass header.d=ok.test", "OtherServer"]
  ])("%j: %s", (header, expected) => expect(outcome(ask(header, ["boss@ok.test"]))).toBe(expected))

  it("and is told why, in one line without the tricks of the mail", () => {
    const message = (header: string | undefined) => {
      const result = ask(header, ["boss@ok.test"])
      return Result.isFailure(result) ? result.failure.message : ""
    }
    expect(message(undefined)).toBe(
      "the sender is not authenticated: the mail has no Authentication-Results header that can be read"
    )
    expect(message("mx.evil.test; none")).toBe(
      "the sender is not authenticated: its topmost Authentication-Results is of “mx.evil.test”, not of “mx.ok.test”"
    )
    expect(message("mx.ok.test; dkim=fail header.d=ok.test; spf=pass smtp.mailfrom=a@evil.test")).toBe(
      "the sender is not authenticated: nothing passed for “ok.test” (dkim=fail ok.test, spf=pass evil.test)"
    )
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (hostile) => {
        const header = `"${hostile.replace(/["\\]/g, "")}"; dkim=${"x".repeat(200)} header.d="${hostile.replace(/["\\]/g, "")}"`
        expect(message(header)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
        expect(message(header).length).toBeLessThan(600)
      })
    )
  })
})

describe("strict alignment", () => {
  it.each([
    ["dkim=pass header.d=ok.test", "authentic"],
    ["spf=pass smtp.mailfrom=x@ok.test", "authentic"],
    ["dkim=pass header.d=mail.ok.test", "NotAligned"],
    ["spf=pass smtp.mailfrom=x@mail.ok.test", "NotAligned"],
    // The server may have used relaxed alignment.
    ["dmarc=pass header.from=ok.test", "NotAligned"]
  ])("%s: %s", (results, expected) => expect(judged(results, "boss@ok.test", "strict")).toBe(expected))
})

describe("whom it concerns", () => {
  const rule = { authservId, alignment: "relaxed" } as const
  const sources: ReadonlyArray<readonly [AlarmSource, string]> = [
    [{ kind: "imap" }, "NoHeader"],
    [{ kind: "smtp" }, "NoHeader"],
    [{ kind: "smtp", authenticated: false }, "NoHeader"],
    [{ kind: "smtp", authenticated: true }, "authentic"],
    // Our mailboxes have no authenticated senders.
    [{ kind: "imap", authenticated: true }, "NoHeader"],
    [{ kind: "api" }, "authentic"],
    [{ kind: "operator" }, "authentic"]
  ]
  it.each(sources)("%j: %s", (source, expected) =>
    expect(outcome(check(rule, ["boss@ok.test"], source))).toBe(expected)
  )

  it("nobody while the option is off", () =>
    expect(outcome(check(undefined, ["boss@ok.test"], { kind: "imap" }))).toBe("authentic"))

  it("the judgement goes by it, after the lists and before the subject", () => {
    const policy = Result.getOrThrow(
      SenderPolicy.make({ allowedSenders: ["boss@ok.test"], allowedDomains: [], authservId })
    )
    const verdict = (from: string, subject: string, source: AlarmSource, operator = false) =>
      judge({ email_subject: subject, email_body: "", email_from: from }, policy, operator, source, 1)
    const alarm = "ALERT:WEBHOOK+https://ok.test/"
    const passed: AlarmSource = { kind: "imap", authentication_results: "mx.ok.test; dkim=pass header.d=ok.test" }
    expect(verdict("boss@ok.test", alarm, passed)._tag).toBe("Accepted")
    expect(verdict("boss@ok.test", "nonsense", passed)._tag).toBe("Malformed")
    expect(verdict("boss@ok.test", alarm, { kind: "imap" })).toMatchObject({
      _tag: "Refused",
      reason: expect.stringMatching(/^the sender is not authenticated: /)
    })
    expect(verdict("boss@ok.test", "nonsense", { kind: "imap" })._tag).toBe("Refused")
    expect(verdict("thief@ok.test", alarm, passed)).toMatchObject({
      _tag: "Refused",
      reason: expect.stringContaining("not among the allowed")
    })
    expect(verdict("boss@ok.test", alarm, { kind: "operator" }, true)._tag).toBe("Accepted")
  })
})
