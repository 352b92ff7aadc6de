/** A plan at a real PowerDNS: what mail needs comes, joins what is there, and goes again without a trace. */
import { it } from "@effect/vitest"
import { Effect, References } from "effect"
import { expect } from "vitest"
import * as AdaptersLive from "#daemons/dns-verifier/providers/Adapters.ts"
import * as MemoryAdapter from "#support/dns/MemoryAdapter.ts"
import * as PowerDns from "#support/dns/PowerDns.ts"
import { frame, until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { atWork, ipv4, queues } from "./ZoneTrial.ts"
import { mailWish } from "./Zones.ts"

const zone = "mail.example"

const key = "A".repeat(392)

describePeers(["powerdns"], "a plan at PowerDNS", () => {
  it.live(
    "merges mail records into a real zone, and removes them again",
    () =>
      Effect.gen(function* () {
        const pdns = yield* PowerDns.make
        yield* Effect.promise(() => pdns.makeZone(zone))
        const theirs = [
          {
            name: `${zone}.`,
            type: "TXT",
            ttl: 333,
            records: ['"v=spf1 include:_spf.elsewhere.example ~all"', '"a " "b; c"']
          },
          { name: `shop.${zone}.`, type: "A", ttl: 60, records: ["203.0.113.1"] }
        ]
        yield* Effect.promise(() =>
          pdns.call("PATCH", `/zones/${zone}.`, {
            rrsets: theirs.map(({ records, ...set }) => ({
              ...set,
              changetype: "REPLACE",
              records: records.map((content) => ({ content, disabled: false }))
            }))
          })
        )
        /** `TYPE name ttl contents`, as PowerDNS has them, without what is its own. */
        const sets = Effect.promise(async () =>
          ((await pdns.call("GET", `/zones/${zone}.`)).json.rrsets as ReadonlyArray<any>)
            .filter(({ type }) => type !== "SOA" && type !== "NS")
            .map(
              ({ name, records, ttl, type }) =>
                `${type} ${name} ${ttl} ${records
                  .map(({ content }: any) => content)
                  .toSorted()
                  .join(" | ")}`
            )
            .toSorted()
        )
        const before = yield* sets

        const provider = {
          ...MemoryAdapter.make(),
          layer: AdaptersLive.layer({
            dnsAllowCidrs: ["127.0.0.0/8"],
            hetznerDnsUrl: undefined,
            ionosDnsUrl: undefined
          })
        }
        const place = yield* Effect.provideContext(
          atWork(provider, { account: { type: "provider_e", credentials: { url: pdns.url, api_key: pdns.apiKey } } }),
          yield* frame({ queues })
        )
        const id = yield* place.domain(zone)
        const records = mailWish(zone, "192.0.2.1", key).records
        yield* place.mail({ domain_id: 1, domain: zone, records })
        yield* place.newest(id, "applied")
        const written = yield* sets
        expect(written).toEqual(
          [
            `A ${zone}. 3600 ${ipv4}`,
            `A shop.${zone}. 60 203.0.113.1`,
            `A www.${zone}. 3600 ${ipv4}`,
            `CNAME autoconfig.${zone}. 3600 mail.platform.example.`,
            `MX ${zone}. 3600 10 mail.platform.example.`,
            `TXT _dmarc.${zone}. 3600 "v=DMARC1; p=quarantine; rua=mailto:postmaster@${zone}"`,
            `TXT mail._domainkey.${zone}. 3600 "v=DKIM1; k=rsa; p=${"A".repeat(237)}" "${"A".repeat(155)}"`,
            `TXT ${zone}. 333 "a " "b; c" | "v=spf1 ip4:192.0.2.1 include:_spf.elsewhere.example ~all"`
          ].toSorted()
        )
        // Read back, it says the same.
        expect((yield* place.plan(id)).steps).toEqual([])

        yield* place.mail({ domain_id: 1, domain: zone, version: 2, state: "deleted", records: [] })
        yield* until(
          "mail to be gone",
          Effect.map(sets, (now) => now.length === before.length + 2),
          30
        )
        expect((yield* sets).filter((line) => !line.endsWith(ipv4))).toEqual(before)
      }).pipe(Effect.provideService(References.MinimumLogLevel, "Fatal")),
    120_000
  )
})
