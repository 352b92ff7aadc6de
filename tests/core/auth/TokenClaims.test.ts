/** Owner of a token: a person, or a daemon. Neither may be accepted as the other. */
import { describe, expect, it } from "vitest"
import { type Claims, daemonSession, decode, encode, type TokenType } from "#core/auth/TokenClaims.ts"

const daemons: Claims = {
  type: "mail_access",
  userId: null,
  tenantId: 7,
  session: daemonSession,
  id: "1",
  expires: 2_000_000_000,
  email: "ann@ours.test"
}
const users: Claims = { ...daemons, userId: 70, session: "f3b1" }
const signsIn: Claims = {
  type: "access",
  userId: 70,
  tenantId: 7,
  session: "f3b1",
  id: "1",
  expires: 2_000_000_000,
  role: "user",
  locale: "de-AT",
  zoneinfo: "Europe/Vienna"
}

const changed = (claims: Claims, more: Record<string, unknown>, type: TokenType = claims.type) =>
  decode({ ...encode(claims), ...more }, type)

describe("the claims of a token", () => {
  it("are decoded as they were encoded", () => {
    for (const claims of [daemons, users, signsIn]) expect(decode(encode(claims), claims.type)).toEqual(claims)
    const { zoneinfo, ...without } = signsIn
    expect([encode(signsIn)["zoneinfo"], decode(encode(without), "access")]).toEqual([zoneinfo, without])
    expect(encode(daemons)).toMatchObject({ sub: "daemon", sid: "daemon", aud: "mail" })
  })

  it("identify a daemon only by subject and session together", () => {
    expect(changed(daemons, { sid: "f3b1" })).toBeUndefined()
    expect(changed(daemons, { sub: "70" })).toBeUndefined()
    expect(changed(users, { sub: "daemon" })).toBeUndefined()
    expect(changed(users, { sid: "daemon" })).toBeUndefined()
    for (const sub of ["", "null", "0", "-1", "1.5", "Daemon", "daemon ", null, undefined, 70, ["daemon"]]) {
      expect(changed(users, { sub }), String(sub)).toBeUndefined()
      expect(changed(daemons, { sub }), String(sub)).toBeUndefined()
    }
  })

  it("never give a daemon a role", () => {
    expect(changed(signsIn, { sub: "daemon" })).toBeUndefined()
    expect(changed(signsIn, { sid: "daemon" })).toBeUndefined()
    for (const role of ["user", "admin", undefined]) {
      expect(changed(signsIn, { sub: "daemon", sid: "daemon", role })).toBeUndefined()
      expect(changed(daemons, { role, type: "access" }, "access")).toBeUndefined()
      expect(changed(daemons, { role }, "access")).toBeUndefined()
    }
    // An additional role claim in a mail token has no effect. A mail token without an address is invalid.
    expect(changed(daemons, { role: "admin" })).toEqual(daemons)
    expect(changed(daemons, { email: "" })).toBeUndefined()
    expect(changed(daemons, { email: undefined })).toBeUndefined()
  })
})
