import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { type Device, DeviceTable } from "./DeviceTable.tsx"
import { OpenLinks } from "./OpenLinks.tsx"
import { usePeople } from "./People.ts"
import { RevokeDialog } from "./RevokeDialog.tsx"
import "./devices.css"

const t = words({
  en: {
    title: "Devices",
    add: "Add a device",
    catalog: "Services",
    list: "Devices that are set up",
    none: "No device is set up yet. A link or a QR code sets one up within a minute.",
    revoked: (name: string) => `${name} is revoked.`
  },
  de: {
    title: "Geräte",
    add: "Gerät hinzufügen",
    catalog: "Dienste",
    list: "Eingerichtete Geräte",
    none: "Noch ist kein Gerät eingerichtet. Ein Link oder QR-Code richtet eines in einer Minute ein.",
    revoked: (name: string) => `${name} ist widerrufen.`
  }
})

/** Poll interval. Unit: milliseconds. Reason: the use of a device emits no event. */
const every = 30_000

/** Page with unused links and devices: those of the user, or those of all users for a user who may see them. */
export default () => {
  const devices = useLoad(() => call("GET /api/v1/provisioning/devices"), [], { live: ["provisioning.*"], every })
  const people = usePeople()
  const revoking = useSignal<Device | undefined>(undefined)
  const done = useSignal<string | undefined>(undefined)
  const actions = (
    <>
      {may("provisioning.read") ? (
        <a class="button" href="/console/devices/services">
          {t().catalog}
        </a>
      ) : null}
      {may("provisioning.client_tokens.create") ? (
        <a class="button primary" href="/console/devices/add">
          {t().add}
        </a>
      ) : null}
    </>
  )
  return (
    <Page title={t().title} actions={actions}>
      <p role="status" class={done.value === undefined ? "sr" : "soft"}>
        {done.value ?? ""}
      </p>
      <h2 id="devices-list">{t().list}</h2>
      <Loading of={devices}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="soft">{t().none}</p>
          ) : (
            <DeviceTable
              label={t().list}
              of={items}
              people={people.value.value ?? new Map()}
              revoke={(device) => (revoking.value = device)}
            />
          )
        }
      </Loading>
      <OpenLinks people={people.value.value ?? new Map()} />
      {revoking.value === undefined ? null : (
        <RevokeDialog
          device={revoking.value}
          people={people.value.value ?? new Map()}
          shut={() => (revoking.value = undefined)}
          revoked={(name) => {
            revoking.value = undefined
            done.value = t().revoked(name)
            devices.reload()
          }}
        />
      )}
    </Page>
  )
}
