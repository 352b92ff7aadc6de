import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { as, callsOf, startTelephony } from "../Telephony.ts"

it.live("without a domain, a ring group goes to the oldest one that has its extensions, and a menu to the oldest", () =>
  Effect.gen(function* () {
    const tenant = callsOf(yield* startTelephony(), as(7))
    const group = (extensions: ReadonlyArray<string>) => tenant.ringGroup("Sales", extensions)
    expect(
      (yield* tenant.post("ring-groups", {
        name: "A",
        strategy: "simultaneous",
        ring_timeout: 20,
        extensions: ["1001"]
      })).json.errors
    ).toEqual([{ field: "payload.domain", message: "is required because the tenant has no SIP domain yet" }])
    yield* tenant.extension("1001", { domain: "voice.a.test" })
    yield* tenant.extension("1002", { domain: "voice.b.test" })
    expect((yield* group(["1001"])).domain).toBe("voice.a.test")
    expect((yield* group(["1002"])).domain).toBe("voice.b.test")
    expect((yield* tenant.menu("Welcome")).domain).toBe("voice.a.test")
  })
)
