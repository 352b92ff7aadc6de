/** What a decision looks at on its way, as facts; StepWords says them. Pure. */
import type { Refusal, Route } from "./Call.ts"
import type { DestinationType } from "./Rows.ts"
import type { CallFilter, RingGroup } from "./Rows.ts"

/** Which part of the way a step is about. */
export type Kind = "context" | "filter" | "number" | "destination" | "line" | "result"

/** What there is to tell, and of what. */
interface Facts {
  readonly from_outside: {}
  readonly from_phone: { readonly tenant: number }
  readonly did_is_ours: { readonly number: string; readonly tenant: number }
  readonly did_is_not_ours: {}
  readonly is_own_voicemail: { readonly number: string }
  readonly is_extension: { readonly number: string; readonly domain: string }
  readonly is_ring_group: { readonly number: string; readonly domain: string }
  readonly is_voicemail_box: { readonly number: string; readonly domain: string }
  readonly is_emergency: { readonly number: string }
  /** A number of the same tenant was dialled as if it were outside. */
  readonly stays_within: { readonly number: string }
  readonly is_outside: { readonly number: string }
  readonly no_such_number: {}
  readonly filter_fits: { readonly filter: CallFilter }
  readonly filter_does_not_fit: { readonly filter: CallFilter }
  readonly filter_refuses: { readonly filter: CallFilter }
  /** There are whitelists, `filter` being one of them, and the caller is on none. */
  readonly on_no_whitelist: { readonly filter: CallFilter }
  /** `name`: of what it leads to; undefined: there is no such thing. */
  readonly did_leads_to: {
    readonly number: string
    readonly type: DestinationType
    readonly id: number
    readonly name: string | undefined
  }
  /** An external number turns out to be one of the same tenant. */
  readonly external_is_within: { readonly number: string }
  readonly leads_back: {}
  /** Unit of `hops`: numbers that led to numbers. */
  readonly too_many_hops: { readonly hops: number }
  readonly extension_is_off: { readonly extension: string }
  /** `ringing`: how many of its extensions are there. */
  readonly group_rings: { readonly group: RingGroup; readonly ringing: number }
  readonly is_missing: {}
  /** `callerId`: the number to show; undefined: what the trunk shows by itself. */
  readonly by_trunk: {
    readonly trunk: number
    readonly name: string | undefined
    readonly callerId: string | undefined
  }
  readonly phone_is_unproven: {}
  readonly no_line: {}
  /** `box`: whether a voicemail box answers after it. */
  readonly extension_is_called: { readonly extension: string; readonly domain: string; readonly box: boolean }
  readonly group_is_called: { readonly name: string; readonly members: ReadonlyArray<string> }
  readonly menu_answers: { readonly name: string }
  readonly box_answers: { readonly box: string; readonly domain: string }
  readonly box_is_heard: { readonly box: string; readonly domain: string }
  /** `trunks`: in the order in which they are tried. */
  readonly outside_is_called: { readonly number: string; readonly trunks: ReadonlyArray<number> }
  readonly call_is_refused: { readonly status: Refusal }
}

/** Stable, for programs. */
export type Code = keyof Facts

/** One thing that was looked at on the way. */
export type Step = { readonly [C in Code]: StepOf<C> }[Code]
export type StepOf<C extends Code> = { readonly code: C } & Facts[C]

export const kindOf: { readonly [C in Code]: Kind } = {
  from_outside: "context",
  from_phone: "context",
  did_is_ours: "number",
  did_is_not_ours: "number",
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

/** All there are. */
export const codes = Object.keys(kindOf) as ReadonlyArray<Code>

/** The last step: how it ends. */
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
