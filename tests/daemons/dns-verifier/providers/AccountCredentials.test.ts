import { expect, it } from "vitest"
import { credentialProblems, readCredentials } from "#daemons/dns-verifier/providers/AccountCredentials.ts"
import { type ProviderType, providerTypes, types } from "#daemons/dns-verifier/domain-store/ProviderTypes.ts"

const token = "a1B2".repeat(16)

const good: ReadonlyArray<readonly [ProviderType, Record<string, string>]> = [
  ["provider_a", { api_token: token }],
  ["provider_b", { prefix: "0123abc", secret: "s.e-c_ret" }],
  ["provider_e", { url: "https://dns.example.org/pdns/", api_key: "k" }],
  ["provider_e", { url: "http://10.0.0.1:8081", api_key: "k", server_id: "localhost" }],
  ["provider_c", {}],
  ["manual", {}]
]

it.each(good)("accepts the credentials of %s", (type, given) => {
  expect(credentialProblems(type, given)).toEqual([])
  expect(readCredentials(type, JSON.stringify(given))).toEqual(given)
})

it.each([
  ["provider_a", {}, ["api_token"]],
  ["provider_a", { api_token: "" }, ["api_token"]],
  ["provider_a", { api_token: 5 }, ["api_token"]],
  ["provider_a", { api_token: `${token}\r\nx-evil: 1` }, ["api_token"]],
  ["provider_a", { api_token: "x".repeat(513) }, ["api_token"]],
  // The former interface's.
  ["provider_a", { api_token: "a1B2".repeat(8) }, ["api_token"]],
  ["provider_a", { api_token: token, url: "https://example.org" }, ["url"]],
  ["provider_b", { prefix: "a.b", secret: "c" }, ["prefix"]],
  ["provider_b", { prefix: "a" }, ["secret"]],
  ["provider_c", { api_token: token }, ["api_token"]],
  ["provider_e", { url: "ftp://example.org", api_key: "k" }, ["url"]],
  ["provider_e", { url: "https://user:pw@example.org", api_key: "k" }, ["url"]],
  ["provider_e", { url: "https://example.org/?a=b", api_key: "k" }, ["url"]],
  ["provider_e", { url: "dns.corp.test", api_key: "k" }, ["url"]],
  ["provider_e", { url: "https://example.org", api_key: "k", server_id: "../x" }, ["server_id"]]
] as const)("names the wrong fields of credentials of %s: %j", (type, given, fields) => {
  const problems = credentialProblems(type, given)
  expect(problems.map(({ field }) => field)).toEqual(fields)
  expect(readCredentials(type, JSON.stringify(given))).toBe(undefined)
  for (const value of Object.values(given))
    if (typeof value === "string" && value.length > 5) expect(JSON.stringify(problems)).not.toContain(value)
})

it("returns nothing for a value that is not an object, and for an unknown type", () => {
  for (const text of ["", "null", "[]", "5", "{"]) expect(readCredentials("manual", text)).toBe(undefined)
  expect(readCredentials("provider_z", "{}")).toBe(undefined)
})

it("describes every type, and every field of those with an adapter", () => {
  for (const type of providerTypes) {
    expect(types[type].hasAdapter).toBe(types[type].credentials.length > 0)
    for (const field of types[type].credentials) expect(field.doc).toMatch(/\.$/)
  }
})
