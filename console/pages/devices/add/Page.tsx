import { useSignal } from "@preact/signals"
import { words } from "../../../lib/Language.ts"
import { Page } from "../../../parts/Page.tsx"
import { Choose } from "./Choose.tsx"
import { Progress } from "./Progress.tsx"
import { type NewLink, Share } from "./Share.tsx"
import "../devices.css"

const t = words({
  en: {
    title: "Add a device",
    back: "All devices",
    choose: "Choose",
    share: "Open the link on the device",
    progress: "Set up",
    later: "Shows here as soon as the link is used.",
    chosen: (who: string) => `For ${who}.`,
    used: "The link is used. It does not work again."
  },
  de: {
    title: "Gerät hinzufügen",
    back: "Alle Geräte",
    choose: "Auswählen",
    share: "Link auf dem Gerät öffnen",
    progress: "Einrichtung",
    later: "Hier erscheint, sobald der Link benutzt ist.",
    chosen: (who: string) => `Für ${who}.`,
    used: "Der Link ist benutzt. Er funktioniert nicht noch einmal."
  }
})

/** Three steps: whom the device is for, the link, and the progress until the link is used. */
export default () => {
  const link = useSignal<NewLink | undefined>(undefined)
  const isUsed = useSignal(false)
  const again = () => {
    link.value = undefined
    isUsed.value = false
  }
  return (
    <Page
      title={t().title}
      actions={
        <a class="button" href="/console/devices">
          {t().back}
        </a>
      }
    >
      <ol class="device-steps">
        <li class="card" aria-current={link.value === undefined ? "step" : undefined}>
          <h2>{t().choose}</h2>
          {link.value === undefined ? (
            <Choose made={(made) => (link.value = made)} />
          ) : (
            <p>{t().chosen(link.value.person)}</p>
          )}
        </li>
        <li
          class={link.value === undefined ? "card later" : "card"}
          aria-current={link.value !== undefined && !isUsed.value ? "step" : undefined}
        >
          <h2>{t().share}</h2>
          {link.value === undefined ? null : isUsed.value ? <p>{t().used}</p> : <Share of={link.value} />}
        </li>
        <li class={link.value === undefined ? "card later" : "card"} aria-current={isUsed.value ? "step" : undefined}>
          <h2>{t().progress}</h2>
          {link.value === undefined ? (
            <p>{t().later}</p>
          ) : (
            <Progress of={link.value} used={() => (isUsed.value = true)} again={again} />
          )}
        </li>
      </ol>
    </Page>
  )
}
