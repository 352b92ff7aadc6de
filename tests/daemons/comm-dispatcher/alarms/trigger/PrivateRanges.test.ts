import { assert, it } from "@effect/vitest"
import { mayReachPrivate } from "#daemons/comm-dispatcher/alarms/trigger/PrivateRanges.ts"

it("opens private networks to the provider's alarms only", () => {
  const cases = [
    [{ source: { kind: "imap" }, tenant_id: 1 }, true],
    [{ source: { kind: "smtp" }, tenant_id: 1 }, true],
    [{ source: { kind: "imap" }, tenant_id: 2 }, false],
    [{ source: { kind: "api" }, tenant_id: 1 }, false],
    [{ source: { kind: "api" }, tenant_id: 1, platform: false }, false],
    [{ source: { kind: "api" }, tenant_id: 1, platform: true }, true],
    [{ source: { kind: "operator" }, tenant_id: 1 }, false],
    [{ source: { kind: "operator" }, tenant_id: 1, operator: true }, true]
  ] as const
  for (const [origin, may] of cases) assert.strictEqual(mayReachPrivate(origin), may, JSON.stringify(origin))
})
