import type { Answer } from "../../lib/Endpoints.ts"
import { words } from "../../lib/Language.ts"
import { may } from "../../lib/Me.ts"
import { useNow } from "../../parts/Now.ts"
import { When } from "../../parts/When.tsx"
import type { Person } from "./People.ts"
import { featureName } from "./Words.ts"

export type Device = Answer<"GET /api/v1/provisioning/devices">["items"][number]

const t = words({
  en: {
    device: "Device",
    person: "Person",
    services: "Services",
    made: "Set up",
    from: (address: string) => `from ${address}`,
    seen: "Last seen",
    unknown: "not known",
    actions: "Actions",
    revoke: "Revoke"
  },
  de: {
    device: "Gerät",
    person: "Person",
    services: "Dienste",
    made: "Eingerichtet",
    from: (address: string) => `von ${address}`,
    seen: "Zuletzt gesehen",
    unknown: "nicht bekannt",
    actions: "Aktionen",
    revoke: "Widerrufen"
  }
})

/** Table of devices. */
export const DeviceTable = ({
  label,
  of,
  people,
  revoke
}: {
  readonly label: string
  readonly of: ReadonlyArray<Device>
  readonly people: ReadonlyMap<number, Person>
  readonly revoke: (device: Device) => void
}) => {
  const now = useNow(20_000)
  const ofOthers = may("users.read")
  return (
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      <table class="device-table">
        <caption class="sr">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{t().device}</th>
            {ofOthers ? <th scope="col">{t().person}</th> : null}
            <th scope="col">{t().services}</th>
            <th scope="col">{t().made}</th>
            <th scope="col">{t().seen}</th>
            <th scope="col">{t().actions}</th>
          </tr>
        </thead>
        <tbody>
          {of.map((device) => (
            <tr key={device.id}>
              <th scope="row">{device.name}</th>
              {ofOthers ? <td>{people.get(device.user_id)?.name ?? String(device.user_id)}</td> : null}
              <td>{device.features.map(featureName).join(", ")}</td>
              <td>
                <When at={device.created_at} now={now} />
                <small>{t().from(device.client_ip)}</small>
              </td>
              <td>{device.last_seen_at === null ? t().unknown : <When at={device.last_seen_at} now={now} />}</td>
              <td>
                <button type="button" class="small danger" onClick={() => revoke(device)}>
                  {t().revoke}
                  <span class="sr">: {device.name}</span>
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
