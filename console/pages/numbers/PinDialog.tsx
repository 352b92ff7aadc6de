import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Revealed } from "../telephony/Revealed.tsx"

const t = words({
  en: {
    title: (name: string) => `PIN of ${name}`,
    logged: "The audit log records that this PIN was shown.",
    pin: "PIN",
    close: "Close"
  },
  de: {
    title: (name: string) => `PIN von ${name}`,
    logged: "Dass diese PIN gezeigt wurde, steht im Protokoll.",
    pin: "PIN",
    close: "Schließen"
  }
})

/** Shows the PIN of a voicemail box. The PIN is loaded when the dialog opens. */
export const PinDialog = ({
  close,
  id,
  name
}: {
  readonly id: number
  readonly name: string
  readonly close: () => void
}) => {
  const pin = useLoad(() => call("GET /api/v1/sip/voicemail-boxes/:id/pin", { params: { id: String(id) } }))
  return (
    <Dialog title={t().title(name)} close={close}>
      <p class="hint">{t().logged}</p>
      <Loading of={pin}>{(value) => <Revealed secret={value.pin} what={t().pin} />}</Loading>
      <div class="dialog-actions">
        <button type="button" class="primary" onClick={close}>
          {t().close}
        </button>
      </div>
    </Dialog>
  )
}
