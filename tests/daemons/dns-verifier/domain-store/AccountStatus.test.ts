/** The dns_status of an unverified domain, by interface document 2 §2.1 and §3.1. */
import { expect, it } from "vitest"
import { accountStatusOf, canWrite } from "#daemons/dns-verifier/domain-store/AccountStatus.ts"

const account = (type: string, has_credentials: boolean) => ({ type, has_credentials })

it("is credentials_missing for a detected provider, also without an adapter, and manual only without one", () => {
  expect(accountStatusOf(null, "provider_a")).toBe("credentials_missing")
  expect(accountStatusOf(null, "provider_c")).toBe("credentials_missing")
  expect(accountStatusOf(null, "GoDaddy")).toBe("credentials_missing")
  expect(accountStatusOf(null, null)).toBe("manual")
})

it("is managed with an account that a person assigned, unless the account stands for no provider", () => {
  for (const type of ["provider_a", "provider_b", "provider_c", "provider_d", "provider_e"])
    for (const detected of [null, "provider_c"])
      for (const has of [true, false])
        expect([type, accountStatusOf(account(type, has), detected)]).toEqual([type, "managed"])
  expect(accountStatusOf(account("manual", false), null)).toBe("manual")
  expect(accountStatusOf(account("manual", false), "provider_a")).toBe("credentials_missing")
})

it("does not decide whether the zone is written: that needs an adapter and credentials", () => {
  expect(canWrite(account("provider_a", true))).toBe(true)
  expect([account("provider_a", false), account("provider_c", true), null].map(canWrite)).toEqual([false, false, false])
})
