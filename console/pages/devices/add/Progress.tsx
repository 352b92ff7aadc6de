import { useEffect } from "preact/hooks"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { featureName } from "../Words.ts"
import type { NewLink } from "./Share.tsx"

const t = words({
  en: {
    waiting: "Waiting for the device …",
    hint: "This page may be closed. The device then appears in the list.",
    ready: "Ready",
    done: (name: string) => `${name} is set up.`,
    gets: (features: string) => `It uses ${features}.`,
    revoked: "The link was revoked.",
    expired: "The link has expired.",
    again: "Add another device"
  },
  de: {
    waiting: "Warten auf das Gerät …",
    hint: "Diese Seite darf geschlossen werden. Das Gerät erscheint dann in der Liste.",
    ready: "Fertig",
    done: (name: string) => `${name} ist eingerichtet.`,
    gets: (features: string) => `Es benutzt ${features}.`,
    revoked: "Der Link wurde widerrufen.",
    expired: "Der Link ist abgelaufen.",
    again: "Weiteres Gerät hinzufügen"
  }
})

/** Poll interval, in case an event does not arrive. Unit: milliseconds. */
const every = 5_000

/** Third step: waits until the link is used, live. */
export const Progress = ({
  again,
  of: { token },
  used
}: {
  readonly of: NewLink
  readonly used: () => void
  readonly again: () => void
}) => {
  const link = useLoad(
    async () => {
      const query = { user_id: token.user_id, limit: 200 }
      const { items } = await call("GET /api/v1/provisioning/client-tokens", { query })
      const found = items.find(({ id }) => id === token.id)
      const device =
        found === undefined || found.device_id === null
          ? undefined
          : await call("GET /api/v1/provisioning/devices/:id", { params: { id: found.device_id } })
      return { state: found?.state ?? "unused", device }
    },
    [token.id],
    { live: ["provisioning.*"], every }
  )
  const isUsed = link.value.value?.state === "used"
  useEffect(() => {
    if (isUsed) used()
  }, [isUsed])
  return (
    <div aria-live="polite">
      <Loading of={link}>
        {({ device, state }) =>
          device !== undefined ? (
            <>
              <p>
                <Badge tone="success">{t().ready}</Badge> {t().done(device.name)}
              </p>
              <p>{t().gets(device.features.map(featureName).join(", "))}</p>
              <button type="button" onClick={again}>
                {t().again}
              </button>
            </>
          ) : state === "revoked" || state === "expired" ? (
            <>
              <p>{t()[state]}</p>
              <button type="button" onClick={again}>
                {t().again}
              </button>
            </>
          ) : (
            <>
              <p>{t().waiting}</p>
              <p class="soft">{t().hint}</p>
            </>
          )
        }
      </Loading>
    </div>
  )
}
