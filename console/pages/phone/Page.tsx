import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { extension, registration } from "../../softphone/Phone.ts"
import { stateWords } from "../../softphone/StateWords.ts"
import { Contacts } from "./Contacts.tsx"
import { DialPad } from "./DialPad.tsx"
import { Devices } from "./Devices.tsx"
import { Recent } from "./Recent.tsx"
import { SignOn } from "./SignOn.tsx"
import "./phone.css"

const t = words({
  en: {
    none: "You have no extension yet. An administrator assigns one on the page “Phones” (field “Belongs to”); then you can make calls here."
  },
  de: {
    none: "Sie haben noch keine Nebenstelle. Ein Administrator weist Ihnen eine auf der Seite „Telefone“ zu (Feld „Gehört“); dann können Sie hier telefonieren."
  }
})

/** Page of the softphone. */
export default () => {
  const own = useLoad(() => call("GET /api/v1/sip/extensions/mine"))
  const chosen = own.value.value?.items.find(({ id }) => id === extension.value)
  const on = registration.value._tag !== "Off"
  return (
    <Page title={stateWords().phone}>
      <Loading of={own}>
        {({ items }) =>
          items.length === 0 && !on ? (
            <p class="empty">{t().none}</p>
          ) : (
            <div class="phone">
              <div>
                <SignOn extensions={items} />
                <DialPad />
              </div>
              <div>
                <Devices />
                {may("customers.read") ? <Contacts /> : null}
                {may("sip.read") && chosen !== undefined && /^\d+$/.test(chosen.extension) ? (
                  <Recent extension={chosen.extension} />
                ) : null}
              </div>
            </div>
          )
        }
      </Loading>
    </Page>
  )
}
