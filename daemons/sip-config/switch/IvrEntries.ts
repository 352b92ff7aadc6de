/**
 * Parses the entries of a menu and finds their destinations. Pure. Invalid entries and missing destinations are
 * skipped.
 */
import { Schema } from "effect"
import type { IvrMenu, Telephony } from "../routing/Exports.ts"
import { isDialable } from "./Inert.ts"

/** Entry as stored. */
const Entry = Schema.Struct({
  digits: Schema.String,
  destination_type: Schema.Literals(["extension", "ring_group", "ivr_menu", "voicemail", "external"]),
  destination_id: Schema.Int
})

/** Maximum number of keys of one entry. Reason: fits an extension's number. */
const maxDigits = 8

export interface IvrEntry {
  readonly digits: string
  /** Menu action of the switch; undefined when the destination does not exist. */
  readonly target: (telephony: Telephony) => { readonly action: string; readonly param: string } | undefined
}

const isEntry = Schema.is(Entry)

export const entriesOf = ({ entries, tenant_id: tenant }: IvrMenu): ReadonlyArray<IvrEntry> =>
  (Array.isArray(entries) ? entries : [])
    .filter(isEntry)
    .filter(({ digits }) => digits.length <= maxDigits && /^[\d*#]+$/.test(digits))
    .map((entry) => ({ digits: entry.digits, target: (telephony) => target(telephony, tenant, entry) }))

const target = (
  telephony: Telephony,
  tenant: number,
  { destination_id: id, destination_type: type }: typeof Entry.Type
) => {
  const transfer = (number: string | null | undefined) =>
    number === null || number === undefined || !isDialable(number)
      ? undefined
      : { action: "menu-exec-app", param: `transfer ${number} XML tenant-${tenant}` }
  const own = <Row extends { readonly tenant_id: number }>(row: Row | undefined) =>
    row?.tenant_id === tenant ? row : undefined
  switch (type) {
    case "extension":
      return transfer(own(telephony.get("extension", id))?.extension)
    case "ring_group": {
      const group = own(telephony.get("ring_group", id))
      // The router accepts `group_<id>` for groups without a number.
      return group === undefined
        ? undefined
        : group.number === null
          ? transfer(`group_${group.id}`)
          : transfer(group.number)
    }
    case "ivr_menu": {
      const menu = own(telephony.get("ivr_menu", id))
      return menu === undefined ? undefined : { action: "menu-exec-app", param: `ivr menu_${menu.id}` }
    }
    case "voicemail": {
      const box = own(telephony.get("voicemail_box", id))
      const domain = box === undefined ? undefined : own(telephony.get("sip_domain", box.domain_id))?.domain
      return box?.enabled !== true || domain === undefined || !isDialable(box.box) || !isDialable(domain)
        ? undefined
        : { action: "menu-exec-app", param: `voicemail default ${domain} ${box.box}` }
    }
    case "external":
      return own(telephony.get("external_number", id)) === undefined ? undefined : transfer(`external_${id}`)
  }
}
