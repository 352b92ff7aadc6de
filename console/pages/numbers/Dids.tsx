import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { may, me } from "../../lib/Me.ts"
import { Trouble } from "../../parts/Trouble.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { Sure } from "../mail/Sure.tsx"
import { dids } from "../telephony/kinds/Dids.tsx"
import { List } from "../telephony/List.tsx"

const t = words({
  en: { assign: "Assign", sure: "Really assign? Calls to the number reach the tenant then." },
  de: { assign: "Zuteilen", sure: "Wirklich zuteilen? Anrufe an die Nummer erreichen dann den Mandanten." }
})

/** Tenant of the provider, whose users assign numbers. Source: DESIGN. */
const provider = 1

/** Numbers; the provider's users assign the pending ones. */
export const Dids = () => {
  const doing = useDoing()
  return (
    <>
      <Trouble problem={doing.problem.value} />
      <List
        of={dids}
        actions={({ id, number, state }, reload) =>
          state === "pending" && may("sip.manage") && me.value?.tenant_id === provider ? (
            <Sure
              sure={t().sure}
              disabled={doing.busy.value}
              onSure={() =>
                void doing
                  .run(() => call("POST /api/v1/sip/dids/:id/assign", { params: { id: String(id) } }))
                  .then((done) => done && reload())
              }
            >
              {t().assign}
              <span class="sr">: {number}</span>
            </Sure>
          ) : null
        }
      />
    </>
  )
}
