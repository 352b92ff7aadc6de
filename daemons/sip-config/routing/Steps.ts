/** Steps of a routing decision as data; StepWords turns them into sentences. Pure. */
import type { Refusal, Route } from "./Call.ts"
import type { DestinationType } from "./Rows.ts"
import type { CallFilter, RingGroup } from "./Rows.ts"

/** Stage of routing a call that a step belongs to. */
export type Kind = "context" | "filter" | "number" | "destination" | "line" | "result"

/** Data of each step, by its code. */
interface Facts {
  readonly from_outside: {}
  readonly from_phone: { readonly tenant: number }
  readonly did_is_ours: { readonly number: string; readonly tenant: number }
  readonly did_is_not_ours: {}
  /** The call did not come from a trunk that may bring calls to the number. */
  readonly trunk_is_not_the_numbers: { readonly number: string }
  readonly is_own_voicemail: { readonly number: string }
  readonly is_extension: { readonly number: string; readonly domain: string }
  readonly is_ring_group: { readonly number: string; readonly domain: string }
  readonly is_voicemail_box: { readonly number: string; readonly domain: string }
  readonly is_emergency: { readonly number: string }
  /** The dialled outside number is a DID of the same tenant. */
  readonly stays_within: { readonly number: string }
  readonly is_outside: { readonly number: string }
  readonly no_such_number: {}
  readonly filter_fits: { readonly filter: CallFilter }
  readonly filter_does_not_fit: { readonly filter: CallFilter }
  readonly filter_refuses: { readonly filter: CallFilter }
  /** The tenant has whitelists and the caller is on none of them. `filter`: one of them. */
  readonly on_no_whitelist: { readonly filter: CallFilter }
  /** `name`: readable name of the destination; undefined when it does not exist. */
  readonly did_leads_to: {
    readonly number: string
    readonly type: DestinationType
    readonly id: number
    readonly name: string | undefined
  }
  /** The external number is a DID of the same tenant. */
  readonly external_is_within: { readonly number: string }
  readonly leads_back: {}
  /** `hops`: number of DIDs followed. */
  readonly too_many_hops: { readonly hops: number }
  readonly extension_is_off: { readonly extension: string }
  /** `ringing`: number of enabled extensions of the group. */
  readonly group_rings: { readonly group: RingGroup; readonly ringing: number }
  readonly is_missing: {}
  /** `callerId`: number shown; undefined: the trunk's own default. */
  readonly by_trunk: {
    readonly trunk: number
    readonly name: string | undefined
    readonly callerId: string | undefined
  }
  readonly phone_is_unproven: {}
  readonly no_line: {}
  /** `box`: whether a voicemail box takes the call when nobody answers. */
  readonly extension_is_called: { readonly extension: string; readonly domain: string; readonly box: boolean }
  readonly group_is_called: { readonly name: string; readonly members: ReadonlyArray<string> }
  readonly menu_answers: { readonly name: string }
  readonly box_answers: { readonly box: string; readonly domain: string }
  readonly box_is_heard: { readonly box: string; readonly domain: string }
  /** `trunks`: IDs in the order of attempts. */
  readonly outside_is_called: { readonly number: string; readonly trunks: ReadonlyArray<number> }
  readonly call_is_refused: { readonly status: Refusal }
}

/** Stable code of a step, for programs. */
export type Code = keyof Facts

/** One step of a decision. */
export type Step = { readonly [C in Code]: StepOf<C> }[Code]
export type StepOf<C extends Code> = { readonly code: C } & Facts[C]

export const kindOf: { readonly [C in Code]: Kind } = {
  from_outside: "context",
  from_phone: "context",
  did_is_ours: "number",
  did_is_not_ours: "number",
  trunk_is_not_the_numbers: "number",
  is_own_voicemail: "number",
  is_extension: "number",
  is_ring_group: "number",
  is_voicemail_box: "number",
  is_emergency: "number",
  stays_within: "number",
  is_outside: "number",
  no_such_number: "number",
  filter_fits: "filter",
  filter_does_not_fit: "filter",
  filter_refuses: "filter",
  on_no_whitelist: "filter",
  did_leads_to: "destination",
  external_is_within: "destination",
  leads_back: "destination",
  too_many_hops: "destination",
  extension_is_off: "destination",
  group_rings: "destination",
  is_missing: "destination",
  by_trunk: "line",
  phone_is_unproven: "line",
  no_line: "line",
  extension_is_called: "result",
  group_is_called: "result",
  menu_answers: "result",
  box_answers: "result",
  box_is_heard: "result",
  outside_is_called: "result",
  call_is_refused: "result"
}

/** All codes. */
export const codes = Object.keys(kindOf) as ReadonlyArray<Code>

/** Last step of a decision: the result. */
export const resultOf = (found: Route): Step => {
  switch (found._tag) {
    case "Extension":
      return {
        code: "extension_is_called",
        extension: found.extension.extension,
        domain: found.domain,
        box: found.box !== undefined
      }
    case "RingGroup":
      return { code: "group_is_called", name: found.group.name, members: found.members }
    case "Menu":
      return { code: "menu_answers", name: found.menu.name }
    case "Leave":
      return { code: "box_answers", box: found.box.box, domain: found.domain }
    case "Check":
      return { code: "box_is_heard", box: found.box.box, domain: found.domain }
    case "Outside":
      return { code: "outside_is_called", number: found.number, trunks: found.legs.map(({ trunk }) => trunk) }
    case "Refused":
      return { code: "call_is_refused", status: found.status }
  }
}
