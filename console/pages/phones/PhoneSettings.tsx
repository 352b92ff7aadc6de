import type { Answer } from "../../lib/Endpoints.ts"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Revealed } from "../telephony/Revealed.tsx"

const t = words({
  en: {
    title: (name: string) => `Settings for the phone of ${name}`,
    logged: "The audit log records that these settings were shown.",
    user: "User name",
    password: "Password",
    secret: "password",
    realm: "Realm",
    domain: "SIP domain",
    display: "Display name",
    server: "Server",
    codecs: "Codecs",
    wss: "SIP over WebSocket",
    ice: "ICE gathering",
    seconds: (count: number) => `${count} s at most`,
    stun: "STUN",
    stunNone: "none",
    srtp: {
      off: "no encryption of speech",
      optional: "encryption of speech if the phone can",
      mandatory: "encryption of speech always"
    },
    close: "Close",
    disabled: "This extension is disabled: no phone can sign in."
  },
  de: {
    title: (name: string) => `Einstellungen für das Telefon von ${name}`,
    logged: "Dass diese Einstellungen gezeigt wurden, steht im Protokoll.",
    user: "Benutzername",
    password: "Passwort",
    secret: "Passwort",
    realm: "Realm",
    domain: "SIP-Domain",
    display: "Anzeigename",
    server: "Server",
    codecs: "Codecs",
    wss: "SIP über WebSocket",
    ice: "ICE-Suche",
    seconds: (count: number) => `höchstens ${count} s`,
    stun: "STUN",
    stunNone: "keiner",
    srtp: {
      off: "Sprache unverschlüsselt",
      optional: "Sprache verschlüsselt, wenn das Telefon es kann",
      mandatory: "Sprache immer verschlüsselt"
    },
    close: "Schließen",
    disabled: "Diese Nebenstelle ist abgeschaltet: kein Telefon kann sich anmelden."
  }
})

type Config = Answer<"GET /api/v1/sip/extensions/:id/config">

/** Settings of a phone. They are loaded only when this opens, because each access is logged. */
export const PhoneSettings = ({
  close,
  id,
  name
}: {
  readonly id: number
  readonly name: string
  readonly close: () => void
}) => {
  const config = useLoad(() => call("GET /api/v1/sip/extensions/:id/config", { params: { id: String(id) } }))
  return (
    <Dialog title={t().title(name)} close={close}>
      <p class="hint">{t().logged}</p>
      <Loading of={config}>{(value) => <Facts of={value} />}</Loading>
      <div class="dialog-actions">
        <button type="button" class="primary" onClick={close}>
          {t().close}
        </button>
      </div>
    </Dialog>
  )
}

const Facts = ({ of }: { readonly of: Config }) => (
  <>
    {of.enabled ? null : <p class="remark">{t().disabled}</p>}
    <dl class="facts">
      <dt>{t().user}</dt>
      <dd>
        <code>{of.username}</code>
      </dd>
      <dt>{t().password}</dt>
      <dd>
        <Revealed secret={of.password} what={t().secret} />
      </dd>
      <dt>{t().domain}</dt>
      <dd>{of.domain}</dd>
      <dt>{t().realm}</dt>
      <dd>{of.realm}</dd>
      <dt>{t().display}</dt>
      <dd>{of.display_name}</dd>
      <dt>{t().server}</dt>
      <dd>
        <ul class="plain-list">
          {of.transports.map(({ host, port, srtp, transport }) => (
            <li key={transport}>
              <code>
                {host}:{port}
              </code>{" "}
              {transport.toUpperCase()}
              <small class="block">{t().srtp[srtp]}</small>
            </li>
          ))}
        </ul>
      </dd>
      <dt>{t().wss}</dt>
      <dd>
        <ul class="plain-list">
          <li>
            <code>{of.wss_url}</code>
          </li>
          <li>
            <code>{of.wss_url_443}</code>
          </li>
        </ul>
      </dd>
      <dt>{t().codecs}</dt>
      <dd>{of.codecs.join(", ")}</dd>
      <dt>{t().ice}</dt>
      <dd>{t().seconds(of.ice_gathering_timeout)}</dd>
      <dt>{t().stun}</dt>
      <dd>{of.stun_servers.length === 0 ? t().stunNone : of.stun_servers.join(", ")}</dd>
    </dl>
  </>
)
