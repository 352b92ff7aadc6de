import { describe, expect, it } from "@effect/vitest"
import type { Account } from "#daemons/mail-watcher/accounts/Account.ts"
import { AccountIndex } from "#daemons/mail-watcher/accounts/AccountIndex.ts"

const account = (id: number, address: string, user: number | null = 70) =>
  ({ id, address, tenant_id: 7, user_id: user }) as Account
const ids = (accounts: ReadonlyArray<Account>) => accounts.map(({ id }) => id)

describe("account index", () => {
  it("finds the latest version by id, address and user", () => {
    const index = new AccountIndex()
    for (const one of [account(1, "a@b.test"), account(2, "a@b.test", null), account(3, "c@b.test")]) index.put(one)
    index.put(account(1, "new@b.test", 71))
    expect([
      ids(index.named({ address: "a@b.test" })),
      ids(index.named({ address: "new@b.test" })),
      ids(index.named({ id: 1 }))
    ]).toEqual([[2], [1], [1]])
    expect([ids(index.ofUser(7, 70)), ids(index.ofUser(7, 71)), ids(index.ofUser(8, 70))]).toEqual([[3], [1], []])
    index.remove(1)
    index.remove(1)
    index.remove(9)
    expect([
      index.named({ id: 1 }),
      index.named({ address: "new@b.test" }),
      index.ofUser(7, 71),
      ids(index.ofUser(7, 70))
    ]).toEqual([[], [], [], [3]])
  })
})
