import { words } from "../../../lib/Language.ts"
import { Page } from "../../../parts/Page.tsx"
import { Bookings } from "./Bookings.tsx"
import { Mappings } from "./Mappings.tsx"
import { Services } from "./Services.tsx"
import "../devices.css"

const t = words({
  en: { title: "Services of devices", back: "All devices" },
  de: { title: "Dienste der Geräte", back: "Alle Geräte" }
})

/** Catalog of services, mappings to bookings, and what the own tenant has booked. Only the provider changes them. */
export default () => (
  <Page
    title={t().title}
    actions={
      <a class="button" href="/console/devices">
        {t().back}
      </a>
    }
  >
    <Services />
    <Mappings />
    <Bookings />
  </Page>
)
