import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import type { CallerInfo } from "#core/auth/Caller.ts"
import type { Account } from "#daemons/mail-watcher/accounts/Account.ts"
import { chooseAccount, parseAccountQuery } from "#daemons/mail-watcher/accounts/AccountChoice.ts"

const account = (id: number, tenant: number, user: number) =>
  ({ id, tenant_id: tenant, user_id: user, address: "a@b.test", kind: "own" }) as Account
const caller = {
  kind: "user",
  tenantId: 7,
  userId: 70,
  role: "user",
  session: "s",
  permissions: new Set()
} as unknown as CallerInfo

describe("choice of the account", () => {
  it("chooses only the caller's own accounts", () => {
    for (const text of [undefined, "a@b.test", "1", "2", "3"]) {
      const found = chooseAccount(caller, parseAccountQuery(text), [
        account(1, 8, 70),
        account(2, 7, 71),
        account(3, 7, 70)
      ])
      expect(Result.isSuccess(found) ? found.success.id : undefined).toBe(text === "1" || text === "2" ? undefined : 3)
    }
  })
})
