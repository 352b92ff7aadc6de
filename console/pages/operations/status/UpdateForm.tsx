import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { FieldsForm } from "../../telephony/FieldsForm.tsx"
import { told } from "../Refusals.ts"
import { messageFields, optionalMessageFields, statusField } from "./Fields.tsx"
import { type Incident, titleOf } from "./IncidentWords.ts"

const t = words({
  en: {
    update: (title: string) => `Update of ${title}`,
    resolve: (title: string) => `Resolve ${title}`,
    usual: "Leave empty to use a standard sentence."
  },
  de: {
    update: (title: string) => `Meldung zu ${title}`,
    resolve: (title: string) => `${title} als behoben melden`,
    usual: "Ohne Text steht dort ein Standardsatz."
  }
})

interface Props {
  readonly of: Incident
  readonly saved: () => void
  readonly shut: () => void
}

/** Form for an update, which notifies subscribers. */
export const UpdateForm = ({ of, saved, shut }: Props) => (
  <FieldsForm
    title={t().update(titleOf(of))}
    fields={[statusField(of.status), ...messageFields()]}
    row={undefined}
    told={told}
    shut={shut}
    send={(payload) =>
      call("POST /api/v1/admin/incidents/:id/updates", { params: { id: of.id }, payload: payload as never }).then(saved)
    }
  />
)

/** Form for the last update, which may be sent empty. */
export const ResolveForm = ({ of, saved, shut }: Props) => (
  <FieldsForm
    title={t().resolve(titleOf(of))}
    fields={optionalMessageFields(() => t().usual)}
    row={undefined}
    told={told}
    shut={shut}
    send={(payload) =>
      call("POST /api/v1/admin/incidents/:id/resolve", { params: { id: of.id }, payload: payload as never }).then(saved)
    }
  />
)
