import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { FieldsForm } from "../../telephony/FieldsForm.tsx"
import type { Field } from "../../telephony/Kind.ts"
import { told } from "../Refusals.ts"
import { banSeconds, exemptionSeconds, secondsOptions } from "../Seconds.ts"

const t = words({
  en: {
    ban: "Ban an address",
    exempt: "Exempt an address from bans",
    address: "Address or range",
    addressHint: "Such as 203.0.113.7 or 2001:db8::/64",
    banFor: "Banned for",
    exemptFor: "Exempted for",
    reason: "Reason"
  },
  de: {
    ban: "Adresse sperren",
    exempt: "Adresse von Sperren ausnehmen",
    address: "Adresse oder Bereich",
    addressHint: "Etwa 203.0.113.7 oder 2001:db8::/64",
    banFor: "Gesperrt für",
    exemptFor: "Ausgenommen für",
    reason: "Grund"
  }
})

const fieldsOf = (label: () => string, seconds: ReadonlyArray<number>): ReadonlyArray<Field> => [
  { name: "address", label: () => t().address, hint: () => t().addressHint, input: { kind: "text" }, required: true },
  {
    name: "duration_s",
    label,
    input: { kind: "choice", options: secondsOptions(seconds) },
    initial: String(seconds[1])
  },
  { name: "reason", label: () => t().reason, input: { kind: "text" }, required: true }
]

const banFields = fieldsOf(() => t().banFor, banSeconds)
const exemptionFields = fieldsOf(() => t().exemptFor, exemptionSeconds)

interface Props {
  readonly saved: (address: string) => void
  readonly shut: () => void
}

/** The choice of seconds is text in the form. */
const sent = ({ duration_s, ...payload }: Record<string, unknown>) =>
  ({ ...payload, duration_s: Number(duration_s) }) as never

/** Form that bans an address or range. */
export const BanForm = ({ saved, shut }: Props) => (
  <FieldsForm
    title={t().ban}
    fields={banFields}
    row={undefined}
    told={told}
    shut={shut}
    send={(payload) =>
      call("POST /api/v1/security/decisions", { payload: sent(payload) }).then(({ address }) => saved(address))
    }
  />
)

/** Form that exempts an address or range from bans. */
export const ExemptionForm = ({ saved, shut }: Props) => (
  <FieldsForm
    title={t().exempt}
    fields={exemptionFields}
    row={undefined}
    told={told}
    shut={shut}
    send={(payload) =>
      call("POST /api/v1/security/exemptions", { payload: sent(payload) }).then(({ address }) => saved(address))
    }
  />
)
