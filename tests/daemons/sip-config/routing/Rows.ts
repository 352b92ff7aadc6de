/** Rows of a test's own telephony data, with default values. */
import type { Kind, Rows } from "#daemons/sip-config/routing/Rows.ts"
import * as Telephony from "#daemons/sip-config/routing/Telephony.ts"

const whole: { readonly [K in Kind]: Omit<Rows[K], "id" | "xid"> } = {
  sip_domain: { tenant_id: 2, domain: "lab.example" },
  extension: { tenant_id: 2, domain_id: 1, extension: "1001", name: "Anna", password: "", enabled: true },
  trunk: {
    tenant_id: 2,
    name: "First",
    host: "sip.provider.test",
    port: 5060,
    transport: "udp",
    username: null,
    password: null,
    register: false,
    realm: null,
    caller_id: null,
    networks: [],
    confirmed: [],
    enabled: true
  },
  ivr_menu: {
    tenant_id: 2,
    domain_id: 1,
    name: "Main",
    greeting: "hello.wav",
    timeout: 5,
    max_failures: 3,
    entries: []
  },
  voicemail_box: { tenant_id: 2, domain_id: 1, box: "1001", name: "Anna", pin: "", email: null, enabled: true },
  external_number: { tenant_id: 2, number: "+491701234567" },
  ring_group: {
    tenant_id: 2,
    domain_id: 1,
    number: "600",
    name: "Sales",
    strategy: "simultaneous",
    ring_timeout: 20,
    extensions: ["1001"]
  },
  did: { tenant_id: 2, number: "+4930123001", trunk_id: null, destination_type: "extension", destination_id: 1 },
  line: { tenant_id: 2, extension_id: 1, did_id: null, trunk_id: 1, priority: 10 },
  call_filter: { tenant_id: 2, name: "Filter", type: "blacklist", pattern: "+49900*", enabled: true }
}

let written = 0

/** Empty telephony data, and a function that adds rows. */
export const telephony = () => {
  const held = Telephony.make()
  const put = <K extends Kind>(kind: K, id: number, row: Partial<Rows[K]> = {}) =>
    held.put(kind, { ...whole[kind], ...row, id, xid: String(++written) } as Rows[K])
  return { held, put }
}
