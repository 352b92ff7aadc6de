/**
 * Decides where a call goes. Pure: reads only the telephony data in memory. `told` receives each step, so a dry run
 * shows exactly the decision that the switch gets. Calls from phones have the context `tenant-<id>`, calls from trunks
 * `public`. Calls between tenants always go over the telephone network.
 */
import { isEmergency } from "#protocols/phone-numbers/EmergencyNumbers.ts"
import type { Call, Plan, Refusal, Route } from "./Call.ts"
import { judge } from "./CallFilters.ts"
import { destinationName } from "./DestinationName.ts"
import { dialled } from "./Dialled.ts"
import { type Leg, legsOfDid, legsOfEmergency, legsOfExtension, legsOfTenant } from "./OutsideLegs.ts"
import { mayBring } from "./InboundTrunk.ts"
import { domainOf, own } from "./Own.ts"
import type { DestinationType, Did, Extension, ExternalNumber, RingGroup, SipDomain, VoicemailBox } from "./Rows.ts"
import { resultOf, type Step } from "./Steps.ts"
import type { Telephony } from "./Telephony.ts"

type Tell = ((step: Step) => void) | undefined

/** Maximum number of forwarding hops between DIDs. Reason: intended setups have one or two. */
const maxHops = 5

const refused = (status: Refusal): Route => refusals[status]
const refusals: { readonly [S in Refusal]: Route } = {
  403: { _tag: "Refused", status: 403 },
  404: { _tag: "Refused", status: 404 },
  480: { _tag: "Refused", status: 480 },
  482: { _tag: "Refused", status: 482 },
  503: { _tag: "Refused", status: 503 },
  603: { _tag: "Refused", status: 603 }
}

/** Tenant of a phone context; undefined for other contexts. */
export const tenantOf = (context: string): number | undefined => {
  const digits = /^tenant-([1-9]\d{0,9})$/.exec(context)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Whether the router is responsible for calls in this context; others belong to the switch's own dialplan. */
export const isOurs = (context: string): boolean => context === "public" || tenantOf(context) !== undefined

/** Routes a call; `told` receives every step, the result last. */
export const route = (telephony: Telephony, plan: Plan, call: Call, told?: (step: Step) => void): Route => {
  const tenantId = tenantOf(call.context)
  told?.(tenantId === undefined ? { code: "from_outside" } : { code: "from_phone", tenant: tenantId })
  const found =
    tenantId === undefined ? fromOutside(telephony, plan, call, told) : fromPhone(telephony, plan, call, tenantId, told)
  told?.(resultOf(found))
  return found
}

/** Routes a call and returns its steps, for a dry run. */
export const explain = (
  telephony: Telephony,
  plan: Plan,
  call: Call
): { readonly route: Route; readonly steps: ReadonlyArray<Step> } => {
  const steps: Array<Step> = []
  return { route: route(telephony, plan, call, (step) => steps.push(step)), steps }
}

const fromOutside = (telephony: Telephony, plan: Plan, call: Call, told: Tell): Route => {
  const did = dialled(telephony, plan.country, call.destination).did
  if (did === undefined) {
    told?.({ code: "did_is_not_ours" })
    return refused(404)
  }
  told?.({ code: "did_is_ours", number: did.number, tenant: did.tenant_id })
  if (call.address !== undefined && !mayBring(telephony, did, call.address)) {
    told?.({ code: "trunk_is_not_the_numbers", number: did.number })
    return refused(403)
  }
  const verdict = judge(
    telephony.filtersOf(did.tenant_id),
    call.caller,
    plan.country,
    told && (({ filter, matches }) => told({ code: matches ? "filter_fits" : "filter_does_not_fit", filter }))
  )
  if (!verdict.passes) {
    told?.({ code: verdict.by!.type === "whitelist" ? "on_no_whitelist" : "filter_refuses", filter: verdict.by! })
    return refused(603)
  }
  return follow(telephony, plan, did, told)
}

/** Follows a DID to its destination, also through other DIDs of the same tenant. */
const follow = (telephony: Telephony, plan: Plan, first: Did, told: Tell): Route => {
  let did = first
  for (let hop = 0; hop < maxHops; hop++) {
    const id = did.destination_id
    told?.({
      code: "did_leads_to",
      number: did.number,
      type: did.destination_type,
      id,
      name: destinationName(telephony, did)
    })
    if (did.destination_type !== "external") return inside(telephony, did.tenant_id, did.destination_type, id, told)
    const external = own(telephony.get("external_number", id), did.tenant_id)
    if (external === undefined) return missing(told)
    const next = dialled(telephony, plan.country, external.number)
    if (next.did === undefined || next.did.tenant_id !== did.tenant_id) {
      if (next.did !== undefined && circles(telephony, plan, next.did)) return around(told)
      if (next.outside === undefined) return missing(told)
      return outside(telephony, next.outside, legsOfDid(telephony, did), told)
    }
    told?.({ code: "external_is_within", number: external.number })
    did = next.did
  }
  told?.({ code: "too_many_hops", hops: maxHops })
  return refused(482)
}

/**
 * Whether a chain of DIDs, of any tenants, exceeds the hop limit. Such a call would return over the telephone network
 * without end.
 */
const circles = (telephony: Telephony, plan: Plan, first: Did): boolean => {
  let did: Did | undefined = first
  for (let hop = 0; did?.destination_type === "external"; hop++) {
    if (hop === maxHops) return true
    const external: ExternalNumber | undefined = own(
      telephony.get("external_number", did.destination_id),
      did.tenant_id
    )
    did = external === undefined ? undefined : dialled(telephony, plan.country, external.number).did
  }
  return false
}

const inside = (
  telephony: Telephony,
  tenantId: number,
  type: Exclude<DestinationType, "external">,
  id: number,
  told: Tell
): Route => {
  switch (type) {
    case "extension":
      return toExtension(telephony, own(telephony.get("extension", id), tenantId), told)
    case "ring_group":
      return toGroup(telephony, own(telephony.get("ring_group", id), tenantId), told)
    case "ivr_menu": {
      const menu = own(telephony.get("ivr_menu", id), tenantId)
      const domain = domainOf(telephony, menu)
      return menu === undefined || domain === undefined ? missing(told) : { _tag: "Menu", domain, menu }
    }
    case "voicemail":
      return toBox(telephony, own(telephony.get("voicemail_box", id), tenantId), told)
  }
}

const fromPhone = (telephony: Telephony, plan: Plan, call: Call, tenantId: number, told: Tell): Route => {
  const domains = inTurn(telephony, tenantId, call.domain)
  const from =
    call.user === undefined || domains[0] === undefined || call.domain?.toLowerCase() !== domains[0].domain
      ? undefined
      : telephony.extension(domains[0].id, call.user)
  const caller = from?.enabled === true ? from : undefined
  // Before everything else, so that no object of the tenant can take an emergency call.
  if (isEmergency(call.destination, plan.country)) {
    told?.({ code: "is_emergency", number: call.destination })
    return caller === undefined
      ? unproven(told)
      : outside(telephony, call.destination, legsOfEmergency(telephony, caller), told, true)
  }
  if (call.destination === plan.voicemailNumber) {
    const box = caller === undefined ? undefined : telephony.box(caller.domain_id, caller.extension)
    const domain = domainOf(telephony, box)
    told?.({ code: "is_own_voicemail", number: call.destination })
    return box?.enabled !== true || domain === undefined ? missing(told) : { _tag: "Check", domain, box }
  }
  for (const { domain, id } of domains) {
    const extension = telephony.extension(id, call.destination)
    if (extension !== undefined) {
      told?.({ code: "is_extension", number: call.destination, domain })
      return toExtension(telephony, extension, told)
    }
    const group = telephony.group(id, call.destination)
    if (group !== undefined) {
      told?.({ code: "is_ring_group", number: call.destination, domain })
      return toGroup(telephony, group, told)
    }
    const box = telephony.box(id, call.destination)
    if (box !== undefined) {
      told?.({ code: "is_voicemail_box", number: call.destination, domain })
      return toBox(telephony, box, told)
    }
  }
  return (
    fromMenu(telephony, plan, call.destination, tenantId, told) ??
    outwards(telephony, plan, call, tenantId, caller, told)
  )
}

/** Numbers that only menus dial: `group_<id>` (a ring group without a number) and `external_<id>`. */
const fromMenu = (
  telephony: Telephony,
  plan: Plan,
  destination: string,
  tenantId: number,
  told: Tell
): Route | undefined => {
  const [, kind, id] = /^(group|external)_([1-9]\d{0,9})$/.exec(destination) ?? []
  if (kind === undefined) return undefined
  if (kind === "group") return toGroup(telephony, own(telephony.get("ring_group", Number(id)), tenantId), told)
  const external = own(telephony.get("external_number", Number(id)), tenantId)
  if (external === undefined) return missing(told)
  const { did, outside: number } = dialled(telephony, plan.country, external.number)
  if (did?.tenant_id === tenantId) return follow(telephony, plan, did, told)
  if (did !== undefined && circles(telephony, plan, did)) return around(told)
  return number === undefined ? missing(told) : outside(telephony, number, legsOfTenant(telephony, tenantId), told)
}

/** Routes a number that is no extension, ring group or voicemail box. */
const outwards = (
  telephony: Telephony,
  plan: Plan,
  call: Call,
  tenantId: number,
  caller: Extension | undefined,
  told: Tell
): Route => {
  const { did, outside: number } = dialled(telephony, plan.country, call.destination)
  if (number === undefined) {
    told?.({ code: "no_such_number" })
    return refused(404)
  }
  if (did?.tenant_id === tenantId) {
    told?.({ code: "stays_within", number })
    return follow(telephony, plan, did, told)
  }
  told?.({ code: "is_outside", number })
  if (did !== undefined && circles(telephony, plan, did)) return around(told)
  if (caller === undefined) return unproven(told)
  return outside(telephony, number, legsOfExtension(telephony, caller), told)
}

const outside = (
  telephony: Telephony,
  number: string,
  legs: ReadonlyArray<Leg>,
  told: Tell,
  isEmergency = false
): Route => {
  for (const { callerId, trunk } of legs)
    told?.({ code: "by_trunk", trunk, name: telephony.get("trunk", trunk)?.name, callerId })
  if (legs.length === 0) told?.({ code: "no_line" })
  return legs.length === 0 ? refused(403) : { _tag: "Outside", number, legs, isEmergency }
}

const toExtension = (telephony: Telephony, extension: Extension | undefined, told: Tell): Route => {
  const domain = domainOf(telephony, extension)
  if (extension === undefined || domain === undefined) return missing(told)
  if (!extension.enabled) {
    told?.({ code: "extension_is_off", extension: extension.extension })
    return refused(404)
  }
  const box = telephony.box(extension.domain_id, extension.extension)
  return { _tag: "Extension", domain, extension, box: box?.enabled === true ? box : undefined }
}

const toGroup = (telephony: Telephony, group: RingGroup | undefined, told: Tell): Route => {
  const domain = domainOf(telephony, group)
  if (group === undefined || domain === undefined) return missing(told)
  const members = [...new Set(group.extensions)].flatMap((number) => {
    const extension = telephony.extension(group.domain_id, number)
    return extension?.enabled === true ? [extension.extension] : []
  })
  told?.({ code: "group_rings", group, ringing: members.length })
  return members.length === 0 ? refused(480) : { _tag: "RingGroup", domain, group, members }
}

const toBox = (telephony: Telephony, box: VoicemailBox | undefined, told: Tell): Route => {
  const domain = domainOf(telephony, box)
  return box?.enabled !== true || domain === undefined ? missing(told) : { _tag: "Leave", domain, box }
}

const unproven = (told: Tell): Route => {
  told?.({ code: "phone_is_unproven" })
  return refused(403)
}

const around = (told: Tell): Route => {
  told?.({ code: "leads_back" })
  return refused(482)
}

const missing = (told: Tell): Route => {
  told?.({ code: "is_missing" })
  return refused(404)
}

/** SIP domains of the tenant, the caller's domain first. */
const inTurn = (telephony: Telephony, tenantId: number, name: string | undefined): ReadonlyArray<SipDomain> => {
  const all = telephony.domainsOf(tenantId)
  if (name === undefined || all[0]?.domain === name) return all
  const first = all.find(({ domain }) => domain === name.toLowerCase())
  return first === undefined ? all : [first, ...all.filter((domain) => domain !== first)]
}
