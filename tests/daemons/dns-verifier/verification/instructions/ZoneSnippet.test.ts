import { expect, it } from "vitest"
import { written } from "#daemons/dns-verifier/verification/instructions/ZoneSnippet.ts"

it.each([
  ["MX", "10 mail.example.org", "10 mail.example.org."],
  // A domain that takes no mail, and a service that does not exist.
  ["MX", "0 .", "0 ."],
  ["SRV", "0 0 0 .", "0 0 0 ."],
  ["SRV", "0 1 993 mail.example.org", "0 1 993 mail.example.org."],
  ["A", "192.0.2.1", "192.0.2.1"]
])("%s %s is written as %s", (type, content, expected) => expect(written(type, content)).toBe(expected))
