/** Observations for tests, from as little as matters. */
import type { Asked, Observation, Said } from "#daemons/dns-verifier/verification/observe/Observation.ts"

export const ours = "192.0.2.10"
export const oursV6 = "2001:db8::10"

/** What one server says: values, or an outcome without any. */
export type Word = ReadonlyArray<string> | Exclude<Said["outcome"], "answer">

export const said = (word: Word, ttl = 3600): Said =>
  typeof word === "string"
    ? { outcome: word, values: [], ttl: null, chain: [] }
    : { outcome: "answer", values: word, ttl, chain: [] }

/** `authorities`: ns1, ns2 …, in turn. */
export const asked = (
  type: string,
  name: string,
  authorities: ReadonlyArray<Word>,
  resolvers: ReadonlyArray<Word> = [],
  ttl = 3600
): Asked => ({
  type,
  name,
  authorities: authorities.map((word, at) => ({
    server: { name: `ns${at + 1}.example.net`, address: `198.51.100.${at + 1}` },
    said: said(word, ttl)
  })),
  resolvers: resolvers.map((word, at) => ({ server: `203.0.113.${at + 1}`, said: said(word, ttl) }))
})

export const seen = (questions: ReadonlyArray<Asked>, more: Partial<Observation> = {}): Observation => ({
  domain: "example.org",
  at: "2026-01-01T00:00:00.000Z",
  delegation: {
    outcome: "delegated",
    zone: "example.org",
    servers: [
      { name: "ns1.example.net", address: "198.51.100.1" },
      { name: "ns2.example.net", address: "198.51.100.2" }
    ]
  },
  dnssec: "unsigned",
  asked: questions,
  ...more
})

/** All of it as wanted. */
export const good = seen([
  asked("A", "@", [[ours], [ours]], [[ours]]),
  asked("AAAA", "@", [[oursV6], [oursV6]], [[oursV6]]),
  asked("A", "www", [[ours], [ours]], [[ours]])
])

/** A at @ so, the rest as wanted. */
export const withApex = (
  authorities: ReadonlyArray<Word>,
  resolvers: ReadonlyArray<Word> = [],
  more: Partial<Observation> = {}
) => seen([asked("A", "@", authorities, resolvers), ...good.asked.slice(1)], more)

/** Every question answered so. */
export const throughout = (
  authorities: ReadonlyArray<Word>,
  resolvers: ReadonlyArray<Word> = [],
  more: Partial<Observation> = {}
) =>
  seen(
    good.asked.map(({ name, type }) => asked(type, name, authorities, resolvers)),
    more
  )

export const wanted = [
  { type: "A", name: "@", content: ours },
  { type: "A", name: "www", content: ours },
  { type: "AAAA", name: "@", content: oursV6 }
]
export const rules = { ipv4: ours, ipv6: oursV6, errorAfter: 3, isStrict: false }
export const hints = { detected: undefined, mixedLabels: [], beside: [] }
