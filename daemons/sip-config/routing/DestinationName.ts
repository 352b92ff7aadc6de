/** Readable name of a DID's destination. Pure. */
import { domainOf, own } from "./Own.ts"
import type { Did } from "./Rows.ts"
import type { Telephony } from "./Telephony.ts"

/**
 * `1001@voice.example.org` for an extension or voicemail box, the name of a ring group or menu, or the external number.
 * Undefined when the destination does not exist in the DID's tenant.
 */
export const destinationName = (
  telephony: Telephony,
  { destination_id: id, destination_type: type, tenant_id: tenant }: Did
): string | undefined => {
  switch (type) {
    case "extension": {
      const extension = own(telephony.get("extension", id), tenant)
      return within(extension?.extension, domainOf(telephony, extension))
    }
    case "voicemail": {
      const box = own(telephony.get("voicemail_box", id), tenant)
      return within(box?.box, domainOf(telephony, box))
    }
    case "ring_group":
      return own(telephony.get("ring_group", id), tenant)?.name
    case "ivr_menu":
      return own(telephony.get("ivr_menu", id), tenant)?.name
    case "external":
      return own(telephony.get("external_number", id), tenant)?.number
  }
}

const within = (number: string | undefined, domain: string | undefined): string | undefined =>
  number === undefined || domain === undefined ? undefined : `${number}@${domain}`
