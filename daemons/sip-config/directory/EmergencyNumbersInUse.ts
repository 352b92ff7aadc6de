/**
 * Check of `signalbox check`: objects with an emergency number, made by versions that accepted them. Calls to the
 * number never reach them, because the router decides emergency numbers first.
 */
import { Effect } from "effect"
import type { CountryCode } from "libphonenumber-js/min"
import { ok, warn } from "#core/cli/Finding.ts"
import type { DataCheck } from "#core/daemon/DataCheck.ts"
import { isEmergency, isEmergencyAbroad } from "#protocols/phone-numbers/EmergencyNumbers.ts"

const check = "emergency numbers"

interface Held {
  readonly tenant_id: number
  readonly what: string
  readonly id: number
  readonly number: string
}

/** Emergency numbers are at most five digits, or nine characters in E.164. */
const statement = `
  select tenant_id, what, id, number from (
    select tenant_id, 'extension' as what, id, extension as number from sip_config.extension
    union all select tenant_id, 'ring group', id, number from sip_config.ring_group
    union all select tenant_id, 'voicemail box', id, box from sip_config.voicemail_box
    union all select tenant_id, 'DID', id, number from sip_config.did
    union all select tenant_id, 'external number', id, number from sip_config.external_number
    union all select tenant_id, 'trunk', id, caller_id from sip_config.trunk
    union all select m.tenant_id, 'menu', m.id, e->>'digits'
      from sip_config.ivr_menu m, jsonb_array_elements(m.entries) e) held
  where number ~ '^[+]?[0-9 ()/.-]+$' and length(number) <= 9 order by tenant_id, what, id`

export const emergencyNumbersInUse: DataCheck<{ readonly country: CountryCode }> = (read, { country }) =>
  Effect.map(read<Held>(statement), (held) => {
    const found = held.filter(({ number }) =>
      number.startsWith("+") ? isEmergencyAbroad(number) : isEmergency(number, country)
    )
    return found.length === 0
      ? [ok(check, "no object has one")]
      : found.map(({ id, number, tenant_id: tenant, what }) =>
          warn(
            check,
            `the ${what} ${id} of tenant ${tenant} has the emergency number ${number}; calls to it never arrive ` +
              "there: change its number"
          )
        )
  })
