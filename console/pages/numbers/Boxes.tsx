import { useSignal } from "@preact/signals"
import type { Answer } from "../../lib/Endpoints.ts"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { may } from "../../lib/Me.ts"
import { Trouble } from "../../parts/Trouble.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { Sure } from "../mail/Sure.tsx"
import { voicemailBoxes } from "../telephony/kinds/VoicemailBoxes.tsx"
import { List } from "../telephony/List.tsx"
import { PinDialog } from "./PinDialog.tsx"

const t = words({
  en: {
    show: "PIN",
    rotate: "New PIN",
    sure: "Really? The old PIN stops working.",
    rotated: (name: string) => `${name} has a new PIN.`,
    of: (what: string, name: string) => `${what}: ${name}`
  },
  de: {
    show: "PIN",
    rotate: "Neue PIN",
    sure: "Wirklich? Die alte PIN gilt dann nicht mehr.",
    rotated: (name: string) => `${name} hat eine neue PIN.`,
    of: (what: string, name: string) => `${what}: ${name}`
  }
})

type Box = Answer<"GET /api/v1/sip/voicemail-boxes">["items"][number]

/** Voicemail boxes and their PINs. */
export const Boxes = () => {
  const shown = useSignal<Box | undefined>(undefined)
  const rotated = useSignal<string | undefined>(undefined)
  const doing = useDoing()
  const rotate = (row: Box) => {
    rotated.value = undefined
    void doing
      .run(() => call("POST /api/v1/sip/voicemail-boxes/:id/pin", { params: { id: String(row.id) } }))
      .then((done) => done && (rotated.value = voicemailBoxes.called(row)))
  }
  return (
    <>
      <Trouble problem={doing.problem.value} />
      <div role="status">{rotated.value === undefined ? null : <p class="done">{t().rotated(rotated.value)}</p>}</div>
      <List
        of={voicemailBoxes}
        actions={(row) => (
          <>
            {may("sip.credentials.read") ? (
              <button
                type="button"
                class="small"
                aria-label={t().of(t().show, voicemailBoxes.called(row))}
                onClick={() => (shown.value = row)}
              >
                {t().show}
              </button>
            ) : null}
            {may("sip.manage") ? (
              <Sure sure={t().sure} disabled={doing.busy.value} onSure={() => rotate(row)}>
                {t().rotate}
                <span class="sr">: {voicemailBoxes.called(row)}</span>
              </Sure>
            ) : null}
          </>
        )}
      />
      {shown.value === undefined ? null : (
        <PinDialog
          id={shown.value.id}
          name={voicemailBoxes.called(shown.value)}
          close={() => (shown.value = undefined)}
        />
      )}
    </>
  )
}
