import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { useDoing } from "../../lib/Doing.ts"
import type { Device } from "./DeviceTable.tsx"
import type { Person } from "./People.ts"
import { Refused } from "./Words.ts"

const t = words({
  en: {
    title: (name: string) => `Revoke ${name}`,
    ends: "The device can no longer sign in, and its app password for mail ends at once.",
    sip: "Its extension gets a new password.",
    affected: "These devices use the same extension and make no calls until they are set up again:",
    none: "No other device is affected.",
    phone: "A desk phone with an address of its own loads the new password by itself when it restarts.",
    revoke: "Revoke",
    cancel: "Cancel"
  },
  de: {
    title: (name: string) => `${name} widerrufen`,
    ends: "Das Gerät kann sich nicht mehr anmelden, und sein App-Passwort für Mail endet sofort.",
    sip: "Seine Nebenstelle bekommt ein neues Passwort.",
    affected:
      "Diese Geräte benutzen dieselbe Nebenstelle und telefonieren erst wieder, wenn sie neu eingerichtet sind:",
    none: "Kein anderes Gerät ist betroffen.",
    phone: "Ein Tischtelefon mit eigener Adresse lädt das neue Passwort beim Neustart selbst.",
    revoke: "Widerrufen",
    cancel: "Abbrechen"
  }
})

/** Dialog that lists what a revocation ends and which other devices it affects. Revokes after confirmation. */
export const RevokeDialog = ({
  device,
  people,
  revoked,
  shut
}: {
  readonly device: Device
  readonly people: ReadonlyMap<number, Person>
  readonly revoked: (name: string) => void
  readonly shut: () => void
}) => {
  const doing = useDoing()
  const affected = device.shares_extension_with
  return (
    <Dialog title={t().title(device.name)} close={shut}>
      <p>{t().ends}</p>
      {device.features.includes("sip") ? <p>{t().sip}</p> : null}
      {affected.length === 0 ? (
        <p class="soft">{t().none}</p>
      ) : (
        <>
          <p>{t().affected}</p>
          <ul>
            {affected.map(({ id, name, user_id: user }) => (
              <li key={id}>
                {name}
                {user === device.user_id ? "" : ` (${people.get(user)?.name ?? user})`}
              </li>
            ))}
          </ul>
          <p class="soft">{t().phone}</p>
        </>
      )}
      <Refused problem={doing.problem.value} />
      <div class="dialog-actions">
        <button
          type="button"
          class="danger"
          disabled={doing.busy.value}
          onClick={() =>
            void doing
              .run(() => call("DELETE /api/v1/provisioning/devices/:id", { params: { id: device.id } }))
              .then((done) => done && revoked(device.name))
          }
        >
          {t().revoke}
        </button>
        <button type="button" onClick={shut}>
          {t().cancel}
        </button>
      </div>
    </Dialog>
  )
}
