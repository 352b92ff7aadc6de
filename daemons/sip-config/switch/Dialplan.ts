/**
 * Section `dialplan`: translates a routing decision into applications of the switch. Pure except for the order of
 * random ring groups. Source: shared wire sheet.
 */
import { type Element, element } from "#core/html/Xml.ts"
import { randomInt } from "node:crypto"
import { type Leg, type Route, withheldNumber } from "../routing/Exports.ts"
import { inert, isDialable } from "./Inert.ts"
import { write } from "./Xml.ts"

/** How long an extension rings before its voicemail box answers or the call ends. Unit: seconds. Reason: five rings. */
const ringTime = 25

/** Pause before speech. Unit: milliseconds. Reason: the first word is lost while the audio connection opens. */
const beforeSpeech = 500

/**
 * Hang-up causes after which the next trunk is tried: the trunk failed. After a callee's own answer (busy, declined, no
 * such number) another trunk would only ring the callee again. Source: causes of test calls on a real switch.
 */
const trunkFailures = [
  "GATEWAY_DOWN",
  "INVALID_GATEWAY",
  "NORMAL_TEMPORARY_FAILURE",
  "NETWORK_OUT_OF_ORDER",
  "RECOVERY_ON_TIMER_EXPIRE",
  "SERVICE_UNAVAILABLE",
  "SWITCH_CONGESTION",
  "NORMAL_CIRCUIT_CONGESTION",
  "REQUESTED_CHAN_UNAVAIL",
  "DESTINATION_OUT_OF_ORDER",
  "EXCHANGE_ROUTING_ERROR",
  "PROTOCOL_ERROR",
  "INTERWORKING",
  "MANDATORY_IE_MISSING"
].join(",")

const reasons: Readonly<Record<number, string>> = {
  403: "Forbidden",
  404: "Not Found",
  480: "Temporarily Unavailable",
  482: "Loop Detected",
  503: "Service Unavailable",
  603: "Decline"
}

/** Cache key of the document for a decision; undefined when the document differs each time (random ring groups). */
export const keyOf = (route: Route): string | undefined => {
  switch (route._tag) {
    case "Extension":
      return `e${route.extension.id}`
    case "RingGroup":
      return route.group.strategy === "random" ? undefined : `g${route.group.id}`
    case "Menu":
      return `m${route.menu.id}`
    case "Leave":
      return `l${route.box.id}`
    case "Check":
      return `c${route.box.id}`
    case "Outside": {
      const legs = route.legs.map(({ callerId, trunk }) => `${trunk},${callerId}`).join("|")
      return `${route.isEmergency ? "e" : ""}o${route.number} ${legs}`
    }
    case "Refused":
      return `r${route.status}`
  }
}

/**
 * Document for a call in `context`. The switch ignores a document with another context than it asked for. `hidden`: the
 * caller does not show the number, and the called phone must not either.
 */
export const dialplan = (context: string, route: Route, hidden = false): string =>
  write(
    "dialplan",
    element(
      "context",
      { name: context },
      element(
        "extension",
        { name: nameOf(route) },
        element("condition", {}, ...(hidden ? anonymously(route) : actions(route)))
      )
    )
  )

/** Name of the decision in the switch's log. */
const nameOf = (route: Route): string =>
  route._tag === "Refused"
    ? `refused_${route.status}`
    : route._tag === "RingGroup"
      ? "ring_group"
      : route._tag.toLowerCase()

const action = (application: string, data?: string): Element =>
  element("action", data === undefined ? { application } : { application, data })
const set = (name: string, value: string | number): Element => action("set", `${name}=${value}`)
const refuse = (status: number): ReadonlyArray<Element> => [action("respond", `${status} ${reasons[status]}`)]

/** Applications that the switch runs, in order. */
export const actions = (route: Route): ReadonlyArray<Element> => {
  switch (route._tag) {
    case "Extension": {
      const {
        box,
        domain,
        extension: { extension }
      } = route
      if (!isDialable(extension) || !isDialable(domain)) return refuse(404)
      const ring = [set("hangup_after_bridge", "true"), set("call_timeout", ringTime)]
      const bridge = action("bridge", `user/${extension}@${domain}`)
      return box === undefined
        ? [...ring, bridge]
        : [...ring, set("continue_on_fail", "true"), bridge, ...leave(box.box, domain)]
    }
    case "RingGroup": {
      const {
        domain,
        group: { ring_timeout: timeout, strategy },
        members
      } = route
      const dialable = isDialable(domain) ? members.filter(isDialable) : []
      if (dialable.length === 0) return refuse(480)
      const ring = [set("hangup_after_bridge", "true"), set("ignore_early_media", "true")]
      if (strategy === "simultaneous") {
        return [
          ...ring,
          set("call_timeout", timeout),
          action("bridge", dialable.map((one) => `user/${one}@${domain}`).join(","))
        ]
      }
      const order = strategy === "random" ? shuffled(dialable) : dialable
      return [...ring, action("bridge", order.map((one) => `[leg_timeout=${timeout}]user/${one}@${domain}`).join("|"))]
    }
    case "Menu":
      return [
        action("answer"),
        action("sleep", String(beforeSpeech)),
        set("domain_name", inert(route.domain)),
        action("ivr", `menu_${route.menu.id}`)
      ]
    case "Leave":
      return leave(route.box.box, route.domain)
    case "Check": {
      const {
        box: { box },
        domain
      } = route
      if (!isDialable(box) || !isDialable(domain)) return refuse(404)
      return [
        action("answer"),
        action("sleep", String(beforeSpeech)),
        action("voicemail", `check default ${domain} ${box}`)
      ]
    }
    case "Outside": {
      const bridges = route.legs.map((leg) => outside(leg, route.number))
      const once = set("hangup_after_bridge", "true")
      // An emergency call tries every trunk, whatever the answer.
      if (bridges.length === 1 || route.isEmergency) return [once, action("bridge", bridges.join("|"))]
      return [
        once,
        set("continue_on_fail", trunkFailures),
        ...bridges.map((bridge) => action("bridge", bridge)),
        action("hangup", "${originate_disposition}")
      ]
    }
    case "Refused":
      return refuse(route.status)
  }
}

/** The same applications for a caller who hides the number. */
const anonymously = (route: Route): ReadonlyArray<Element> => [
  set("effective_caller_id_number", withheldNumber),
  set("effective_caller_id_name", withheldNumber),
  ...actions(route)
]

const leave = (box: string, domain: string): ReadonlyArray<Element> =>
  isDialable(box) && isDialable(domain)
    ? [action("answer"), action("sleep", String(beforeSpeech)), action("voicemail", `default ${domain} ${box}`)]
    : refuse(404)

const outside = ({ callerId, trunk }: Leg, number: string): string =>
  `${callerId === undefined ? "" : `[origination_caller_id_number=${callerId}]`}sofia/gateway/trunk_${trunk}/${number}`

/** Unpredictable order. */
const shuffled = (members: ReadonlyArray<string>): ReadonlyArray<string> => {
  const order = [...members]
  for (let last = order.length - 1; last > 0; last--) {
    const other = randomInt(last + 1)
    const held = order[last]!
    order[last] = order[other]!
    order[other] = held
  }
  return order
}
