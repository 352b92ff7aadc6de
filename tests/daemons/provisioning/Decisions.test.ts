import { Redacted } from "effect"
import { assert, describe, it } from "vitest"
import type { CallerInfo } from "#core/auth/Caller.ts"
import type { Permission } from "#core/auth/Permissions.ts"
import { permissionsOf, type Role } from "#core/auth/Roles.ts"
import { deviceName } from "#daemons/provisioning/devices/DeviceName.ts"
import { lackedForToken, managedUser, seenUser } from "#daemons/provisioning/tokens/Rights.ts"
import { hashOf, isToken, maxToken, newToken } from "#daemons/provisioning/tokens/Token.ts"
import { stateOf } from "#daemons/provisioning/tokens/TokenState.ts"

describe("tokens", () => {
  it("have the documented form, and differ", () => {
    const made = Array.from({ length: 50 }, newToken)
    for (const { hash, prefix, token } of made) {
      const text = Redacted.value(token)
      assert.match(text, new RegExp(`^[a-z]+_${prefix}_[A-Za-z0-9_-]{64}$`))
      assert.match(prefix, /^[0-9a-f]{8}$/)
      assert.strictEqual(Buffer.from(text.slice(-64), "base64url").length, 48)
      assert.isTrue(isToken(text))
      assert.strictEqual(text.length, maxToken)
      assert.deepStrictEqual(hash, hashOf(text))
      assert.strictEqual(String(token), "<redacted:client token>")
    }
    assert.strictEqual(new Set(made.map(({ token }) => Redacted.value(token))).size, 50)
  })

  it.each(["", "sbp_00000000_", `sbp_0000000g_${"A".repeat(64)}`, `sbp_00000000_${"A".repeat(65)}`, "../x"])(
    "are told from %j",
    (text) => assert.isFalse(isToken(text))
  )

  const at = (minutes: number) => new Date(1_000_000_000_000 + minutes * 60_000)
  it.each([
    ["unused", null, null, 1, "unused"],
    ["expired", null, null, 0, "expired"],
    ["revoked", null, at(-1), 1, "revoked"],
    ["revoked and expired", null, at(-1), -1, "revoked"],
    ["used", at(-2), null, 1, "used"],
    ["used and expired", at(-2), null, -1, "used"]
  ] as const)("are %s", (_name, used_at, revoked_at, expires, expected) => {
    assert.strictEqual(stateOf({ used_at, revoked_at, expires_at: at(expires) }, at(0).getTime()), expected)
  })
})

const user = (userId: number, role: Role): CallerInfo => ({
  kind: "user",
  userId,
  tenantId: 1,
  role,
  session: "s",
  permissions: permissionsOf[role]
})
const service = (...scopes: ReadonlyArray<string>): CallerInfo => ({
  kind: "service",
  tokenId: 1,
  name: "s",
  scopes: new Set(scopes)
})

describe("a link for a user is made by", () => {
  it.each([
    ["the user", user(1, "user"), 1, "user", undefined],
    ["an admin for itself", user(1, "admin"), 1, "admin", undefined],
    ["another user", user(2, "user"), 1, "user", "users.manage"],
    ["a customer, who manages no users", user(2, "customer"), 1, "user", "users.manage"],
    ["a reseller for a user", user(2, "reseller"), 1, "user", undefined],
    ["a reseller for another reseller", user(2, "reseller"), 1, "reseller", undefined],
    ["a reseller for an admin", user(2, "reseller"), 1, "admin", "tenants.read"],
    ["an admin for an admin", user(2, "admin"), 1, "admin", undefined],
    ["the platform for an admin", service("platform"), 1, "admin", undefined],
    ["a limited token", service("provisioning.client_tokens.create"), 1, "user", "users.manage"],
    ["a token that manages users", service("users.manage"), 1, "user", "webmail.use"]
  ] as const)("%s", (_name, caller, user_id, role, expected) => {
    assert.strictEqual(lackedForToken(caller, { user_id, role }), expected as Permission | undefined)
  })

  it("whoever sees and revokes only the own ones, without the permissions about users", () => {
    assert.deepStrictEqual([seenUser(user(7, "user")), managedUser(user(7, "user"))], [7, 7])
    assert.deepStrictEqual([seenUser(user(7, "customer")), managedUser(user(7, "customer"))], [undefined, 7])
    assert.deepStrictEqual([seenUser(user(7, "reseller")), managedUser(user(7, "reseller"))], [undefined, undefined])
    assert.deepStrictEqual([seenUser(service("x")), managedUser(service("x"))], [undefined, undefined])
  })
})

describe("the name of a device", () => {
  it.each([
    ["the label", { label: "Büro", given: "x", userAgent: "y" }, "Büro"],
    ["what it gives", { label: null, given: "  My\nphone ", userAgent: "y" }, "My phone"],
    ["its browser", { label: null, given: " ", userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)" }, "iPhone"],
    [
      "a mail program",
      { label: null, given: undefined, userAgent: "Mozilla/5.0 (X11; Linux) Thunderbird/128" },
      "Thunderbird"
    ],
    [
      "Android before Linux",
      { label: null, given: undefined, userAgent: "Mozilla/5.0 (Linux; Android 15)" },
      "Android"
    ],
    ["a program", { label: null, given: undefined, userAgent: "MyClient/2.1 (x)" }, "MyClient"],
    ["nothing", { label: null, given: undefined, userAgent: undefined }, "Device"]
  ] as const)("comes from %s", (_name, from, expected) => assert.strictEqual(deviceName(from), expected))

  it("is bounded and has no control characters", () => {
    const name = deviceName({ label: null, given: `\u0007${"ä".repeat(500)}`, userAgent: undefined })
    assert.isAtMost(name.length, 100)
    assert.notMatch(name, /\p{Cc}/u)
  })
})
