import { describe, expect, it } from "vitest"
import { detect } from "#daemons/dns-verifier/verification/observe/ProviderDetection.ts"
import { detectionTable } from "#daemons/dns-verifier/verification/observe/ProviderPatterns.ts"
import { isProviderType } from "#daemons/dns-verifier/domain-store/ProviderTypes.ts"

describe("detection of providers", () => {
  it.each([
    ["provider_a", ["hydrogen.ns.hetzner.com", "oxygen.ns.hetzner.com", "helium.ns.hetzner.de"]],
    ["provider_a", ["ns1.first-ns.de", "robotns2.second-ns.de", "robotns3.second-ns.com"]],
    ["provider_a", ["ns1.your-server.de", "ns.second-ns.com", "ns3.second-ns.de"]],
    ["provider_b", ["ns1016.ui-dns.com", "ns1049.ui-dns.org", "ns1089.ui-dns.de", "ns1126.ui-dns.biz"]],
    ["ionos-cloud", ["ns-ic.ui-dns.com", "ns-ic.ui-dns.de"]],
    ["provider_c", ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"]],
    ["provider_d", ["ns-2048.awsdns-64.com", "ns-512.awsdns-00.co.uk"]],
    ["google", ["ns-cloud-a1.googledomains.com", "ns-cloud-a2.googledomains.com"]],
    ["squarespace", ["nsa1.squarespacedns.com"]],
    ["azure", ["ns1-01.azure-dns.com", "ns2-01.azure-dns.net"]],
    ["digitalocean", ["ns1.digitalocean.com", "ns3.digitalocean.com"]],
    ["godaddy", ["ns01.domaincontrol.com"]],
    ["ovh", ["dns10.ovh.net", "ns10.ovh.net"]],
    ["gandi", ["ns-12-a.gandi.net", "ns-30-b.gandi.net"]],
    ["namecheap", ["dns1.registrar-servers.com"]],
    ["inwx", ["ns.inwx.de", "ns2.inwx.de"]],
    ["netcup", ["root-dns.netcup.net", "second-dns.netcup.net", "third-dns.netcup.net"]],
    ["strato", ["docks01.rzone.de", "shades09.rzone.de"]],
    ["desec", ["ns1.desec.io", "ns2.desec.org"]],
    ["porkbun", ["maceio.ns.porkbun.com"]]
  ])("detects %s", (provider, servers) => {
    expect(detect(servers)).toMatchObject({ provider, mixed: false })
    // As it may be written, too.
    expect(detect(servers.map((server) => `${server.toUpperCase()}.`))).toMatchObject({ provider, mixed: false })
  })

  it.each([
    ["ns1.hydrogen.ns.hetzner.com.evil.test"],
    ["ada.ns.cloudflare.com.evil.test"],
    ["evilns-cloud-a1.googledomains.com.test"],
    ["digitalocean.com"],
    ["ns1.example.test"],
    ["xhydrogen.ns.hetzner.com"]
  ])("does not detect %s", (server) =>
    expect(detect([server])).toEqual({
      provider: null,
      title: null,
      mixed: false,
      evidence: [{ nameServer: server, provider: null }]
    })
  )

  it("follows the majority, reports differing servers, and leaves a tie undecided", () => {
    const [hetzner, other] = ["hydrogen.ns.hetzner.com", "ada.ns.cloudflare.com"]
    expect(detect([hetzner, "oxygen.ns.hetzner.com", other])).toMatchObject({
      provider: "provider_a",
      title: "Hetzner",
      mixed: true
    })
    expect(detect([hetzner, other])).toMatchObject({ provider: null, mixed: true })
    expect(detect([hetzner, "ns1.example.test"])).toMatchObject({ provider: "provider_a", mixed: true })
    expect(detect([])).toEqual({ provider: null, title: null, mixed: false, evidence: [] })
    // One server named twice has one vote.
    expect(detect([other, `${other}.`, hetzner]).provider).toBe(null)
    expect(detect([other, hetzner]).evidence).toEqual([
      { nameServer: other, provider: "provider_c" },
      { nameServer: hetzner, provider: "provider_a" }
    ])
  })

  it("has ten providers or more, all of existing types", () => {
    expect(detectionTable.length).toBeGreaterThanOrEqual(10)
    expect(
      detectionTable.filter(({ provider }) => provider.startsWith("provider_") && !isProviderType(provider))
    ).toEqual([])
  })

  it("takes less than a second for hostile names", () => {
    const begun = performance.now()
    detect(Array.from({ length: 50 }, (_, at) => `${"ns-1.".repeat(40)}${"a".repeat(60)}${at}.ui-dns.co`))
    expect(performance.now() - begun).toBeLessThan(1_000)
  })
})
