import { expect, it } from "@effect/vitest"
import type { Trunk } from "#daemons/sip-config/routing/Rows.ts"
import { acl, sofia } from "#daemons/sip-config/switch/Configuration.ts"
import { telephony as rows } from "../routing/Rows.ts"

const nothingOpens = { a1: () => undefined, pin: () => undefined, password: () => undefined }

/** The trunk profile and its access list, with trunks of these hosts and networks. */
const written = (...trunks: ReadonlyArray<Pick<Trunk, "host" | "networks"> & Partial<Trunk>>) => {
  const { held: telephony, put } = rows()
  trunks.forEach((trunk, index) => put("trunk", index + 1, { confirmed: trunk.networks, ...trunk }))
  const external = sofia(telephony, nothingOpens, { tls: 5061 }).split('<profile name="external">')[1]!
  return {
    asks: /name="apply-inbound-acl" value="([^"]*)"/.exec(external)?.[1],
    isClosed: acl(telephony).includes('<list name="trunks" default="deny"'),
    admitted: [...acl(telephony).matchAll(/type="allow" cidr="([^"]*)"/g)].map(([, cidr]) => cidr)
  }
}

it("calls come in from the networks of trunks alone: none from a trunk whose networks nobody knows, and none where there is no trunk", () => {
  const closed = { asks: "trunks", isClosed: true }
  expect(written()).toEqual({ ...closed, admitted: [] })
  expect(written({ host: "sip.provider.test", networks: [] })).toEqual({ ...closed, admitted: [] })
  expect(
    written(
      { host: "sip.provider.test", networks: [] },
      { host: "192.0.2.7", networks: [] },
      { host: "sip.other.test", networks: ["198.51.100.0/24", "2001:db8::/32"] }
    )
  ).toEqual({ ...closed, admitted: ["192.0.2.7/32", "198.51.100.0/24", "2001:db8::/32"] })
  expect(written({ host: "192.0.2.7", networks: [], enabled: false })).toEqual({ ...closed, admitted: [] })
})

it("networks that nobody confirmed, and networks as wide as the Internet, admit nobody", () => {
  const networks = ["198.51.100.0/24", "203.0.113.0/24"]
  expect(
    written({ host: "sip.provider.test", networks, confirmed: ["203.0.113.0/24", "10.0.0.0/24"] }).admitted
  ).toEqual(["203.0.113.0/24"])
  expect(
    written({ host: "192.0.2.7", networks: ["0.0.0.0/0", "::/0", "0.0.0.0/1", "2000::/3", "10.0.0.0/12"] }).admitted
  ).toEqual(["10.0.0.0/12"])
})
