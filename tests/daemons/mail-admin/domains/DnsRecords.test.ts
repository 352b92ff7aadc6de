import { expect, it } from "@effect/vitest"
import { generateKeyPairSync } from "node:crypto"
import { recordsOf } from "#daemons/mail-admin/domains/DnsRecords.ts"

const server = { host: "mx.provider.test", ipv4: "192.0.2.10", ipv6: undefined, report: undefined }

it("equal the five records of the interface document", () => {
  expect(recordsOf("example.test", server, [{ selector: "mail", publicKey: "AAAA" }])).toEqual([
    { type: "MX", name: "@", content: "mx.provider.test", priority: 10 },
    { type: "TXT", name: "@", content: "v=spf1 ip4:192.0.2.10 -all", priority: null },
    {
      type: "TXT",
      name: "_dmarc",
      content: "v=DMARC1; p=quarantine; rua=mailto:postmaster@example.test",
      priority: null
    },
    { type: "TXT", name: "mail._domainkey", content: "v=DKIM1; k=rsa; p=AAAA", priority: null },
    { type: "CNAME", name: "autoconfig", content: "mx.provider.test", priority: null }
  ])
})

it("contain the IPv6 address and the reporting address if set, and every key", () => {
  const records = recordsOf("example.test", { ...server, ipv6: "2001:db8::1", report: "dmarc@reports.test" }, [
    { selector: "mail", publicKey: "AAAA" },
    { selector: "mail2", publicKey: "BBBB" }
  ])
  const content = (name: string, type = "TXT") =>
    records.find((record) => record.name === name && record.type === type)?.content
  expect(content("@")).toBe("v=spf1 ip4:192.0.2.10 ip6:2001:db8::1 -all")
  expect(content("_dmarc")).toBe("v=DMARC1; p=quarantine; rua=mailto:dmarc@reports.test")
  expect(content("mail._domainkey")).toBe("v=DKIM1; k=rsa; p=AAAA")
  expect(content("mail2._domainkey")).toBe("v=DKIM1; k=rsa; p=BBBB")
})

it("contain a 2048-bit key as one text of 410 characters without quotes", () => {
  const publicKey = generateKeyPairSync("rsa", { modulusLength: 2048 })
    .publicKey.export({ type: "spki", format: "der" })
    .toString("base64")
  expect(publicKey).toHaveLength(392)
  const { content } = recordsOf("example.test", server, [{ selector: "mail", publicKey }])[3]!
  expect(content).toHaveLength("v=DKIM1; k=rsa; p=".length + 392)
  expect(content).not.toMatch(/["\\\s](?!k=|p=)/)
})
