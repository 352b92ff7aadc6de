import { assert, describe, it } from "@effect/vitest"
import { Duration, Option, Result } from "effect"
import fc from "fast-check"
import { formatSocket, maxSocketPathBytes, parseEnvironment, parseSocket } from "#protocols/systemd/Environment.ts"

const pid = 4711

describe("parseEnvironment", () => {
  it("is none when nobody listens, whatever else is set", () => {
    assert.deepStrictEqual(parseEnvironment({}, pid), Result.succeed(Option.none()))
    assert.deepStrictEqual(
      parseEnvironment({ NOTIFY_SOCKET: "", WATCHDOG_USEC: "nonsense" }, pid),
      Result.succeed(Option.none())
    )
  })

  it("reads paths and abstract names", () => {
    assert.deepStrictEqual(
      parseSocket("/run/systemd/notify"),
      Result.succeed({ _tag: "Path", path: "/run/systemd/notify" })
    )
    assert.deepStrictEqual(
      parseSocket("@org/freedesktop/notify"),
      Result.succeed({ _tag: "Abstract", name: "org/freedesktop/notify" })
    )
  })

  it("has a watchdog only for the process it is meant for", () => {
    const watchdog = (variables: Record<string, string>) =>
      Result.map(parseEnvironment({ NOTIFY_SOCKET: "/s", ...variables }, pid), (found) =>
        Option.flatMap(found, ({ watchdogTimeout }) => Option.map(watchdogTimeout, Duration.toMillis))
      )
    assert.deepStrictEqual(watchdog({}), Result.succeed(Option.none()))
    assert.deepStrictEqual(watchdog({ WATCHDOG_USEC: "20000000" }), Result.succeed(Option.some(20_000)))
    assert.deepStrictEqual(
      watchdog({ WATCHDOG_USEC: "20000000", WATCHDOG_PID: "4711" }),
      Result.succeed(Option.some(20_000))
    )
    assert.deepStrictEqual(watchdog({ WATCHDOG_USEC: "20000000", WATCHDOG_PID: "1" }), Result.succeed(Option.none()))
  })

  it.each([
    [{ NOTIFY_SOCKET: "relative" }, "NOTIFY_SOCKET"],
    [{ NOTIFY_SOCKET: "@" }, "NOTIFY_SOCKET"],
    [{ NOTIFY_SOCKET: "vsock:2:1234" }, "NOTIFY_SOCKET"],
    [{ NOTIFY_SOCKET: `/${"a".repeat(maxSocketPathBytes)}` }, "NOTIFY_SOCKET"],
    [{ NOTIFY_SOCKET: "/s", WATCHDOG_USEC: "0" }, "WATCHDOG_USEC"],
    [{ NOTIFY_SOCKET: "/s", WATCHDOG_USEC: "-5" }, "WATCHDOG_USEC"],
    [{ NOTIFY_SOCKET: "/s", WATCHDOG_USEC: "1e6" }, "WATCHDOG_USEC"],
    [{ NOTIFY_SOCKET: "/s", WATCHDOG_USEC: "99999999999999999999" }, "WATCHDOG_USEC"],
    [{ NOTIFY_SOCKET: "/s", WATCHDOG_USEC: "5", WATCHDOG_PID: "me" }, "WATCHDOG_PID"]
  ])("refuses %j, naming the variable", (variables, variable) => {
    const parsed = parseEnvironment(variables, pid)
    assert.isTrue(Result.isFailure(parsed))
    if (!Result.isFailure(parsed)) return
    assert.deepInclude(parsed.failure.reason, { _tag: "InvalidEnvironment", variable })
    assert.isFalse(parsed.failure.retryable)
  })

  it("never throws, and what it accepts goes back to the same text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `/${text}`),
          fc.string().map((text) => `@${text}`)
        ),
        (address) => {
          const parsed = parseSocket(address)
          if (Result.isSuccess(parsed)) assert.strictEqual(formatSocket(parsed.success), address)
        }
      )
    )
    fc.assert(
      fc.property(fc.string(), fc.string(), (usec, forPid) => {
        parseEnvironment({ NOTIFY_SOCKET: "/s", WATCHDOG_USEC: usec, WATCHDOG_PID: forPid }, pid)
      })
    )
  })
})
