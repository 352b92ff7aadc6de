import { useSignal } from "@preact/signals"
import { words } from "../../../lib/Language.ts"
import { Page } from "../../../parts/Page.tsx"
import { Bookings } from "./Bookings.tsx"
import { Mappings } from "./Mappings.tsx"
import { Packages } from "./Packages.tsx"
import { Services } from "./Services.tsx"
import "../devices.css"

const t = words({
  en: { title: "Services of devices", back: "All devices" },
  de: { title: "Dienste der Geräte", back: "Alle Geräte" }
})

/** Catalog of services and packages, mappings, and what the own tenant has booked. Only the provider changes them. */
export default () => {
  /** Increases with each change of services and packages, which mappings and bookings name. */
  const turn = useSignal(0)
  const changed = () => turn.value++
  return (
    <Page
      title={t().title}
      actions={
        <a class="button" href="/console/devices">
          {t().back}
        </a>
      }
    >
      <Services changed={changed} />
      <Packages changed={changed} />
      <Mappings key={`mappings ${turn.value}`} />
      <Bookings key={`bookings ${turn.value}`} />
    </Page>
  )
}
