import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Badge } from "../../parts/Badge.tsx"
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx"
import { Empty } from "../../parts/Empty.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { RowMenu } from "../../parts/RowMenu.tsx"
import { ShownOnce } from "../../parts/ShownOnce.tsx"
import { At } from "../../parts/When.tsx"
import { told } from "../people/Refusals.ts"
import { shared } from "../people/Words.ts"
import { scopeTitle } from "./Scopes.ts"
import { type CreatedToken, TokenForm } from "./TokenForm.tsx"

type Token = Answer<"GET /api/v1/service-tokens/:id">

const t = words({
  en: {
    title: "Service tokens",
    create: "Create a service token",
    list: "All tokens",
    none: "No tokens yet",
    about: "A program signs in with a service token, in the header x-service-token. Only its name is listed here.",
    scopes: "May",
    more: (count: number) => `and ${count} more`,
    expires: "Expires",
    used: "Last used",
    valid: "valid",
    expired: "expired",
    revoked: "revoked",
    revoke: "Revoke",
    revokeThis: (name: string) => `Revoke ${name}`,
    revokeLoses: "Programs that use the token are refused within a second. A revoked token never becomes valid again.",
    made: (name: string) => `New token: ${name}`,
    secret: "Service token",
    once: "Copy it now: it is shown only once, and only its check sum is stored."
  },
  de: {
    title: "Dienst-Tokens",
    create: "Dienst-Token erzeugen",
    list: "Alle Tokens",
    none: "Noch keine Tokens",
    about: "Ein Programm meldet sich mit einem Dienst-Token an, im Kopf x-service-token. Hier steht nur sein Name.",
    scopes: "Darf",
    more: (count: number) => `und ${count} weitere`,
    expires: "Läuft ab",
    used: "Zuletzt benutzt",
    valid: "gültig",
    expired: "abgelaufen",
    revoked: "widerrufen",
    revoke: "Widerrufen",
    revokeThis: (name: string) => `${name} widerrufen`,
    revokeLoses:
      "Programme mit diesem Token werden binnen einer Sekunde abgewiesen. Ein widerrufenes Token wird nie wieder gültig.",
    made: (name: string) => `Neues Token: ${name}`,
    secret: "Dienst-Token",
    once: "Kopieren Sie es jetzt: Es wird nur einmal gezeigt; gespeichert ist nur seine Prüfsumme."
  }
})

/** Tokens per page. */
const pageSize = 50

/** Scopes that a row shows. */
const shownScopes = 3

const Scopes = ({ scopes }: { readonly scopes: ReadonlyArray<string> }) => (
  <ul class="scopes" title={scopes.join(", ")}>
    {scopes.slice(0, shownScopes).map((scope) => (
      <li key={scope}>{scopeTitle(scope)}</li>
    ))}
    {scopes.length > shownScopes ? <li class="soft">{t().more(scopes.length - shownScopes)}</li> : null}
  </ul>
)

/** Service tokens: create with the secret shown once, and revoke. */
export default () => {
  const trail = useTrail([])
  const before = trail.value.at(-1)
  const found = useLoad(() => call("GET /api/v1/service-tokens", { query: { limit: pageSize, before } }), [before])
  const isCreating = useSignal(false)
  const made = useSignal<CreatedToken | undefined>(undefined)
  const revoking = useSignal<Token | undefined>(undefined)
  const create = (
    <button type="button" class="primary" onClick={() => (isCreating.value = true)}>
      {t().create}
    </button>
  )
  return (
    <Page title={t().title} actions={isCreating.value ? undefined : create}>
      {revoking.value === undefined ? null : (
        <ConfirmDialog
          title={t().revokeThis(revoking.value.name)}
          action={t().revoke}
          told={told}
          work={async () => {
            await call("DELETE /api/v1/service-tokens/:id", { params: { id: revoking.value!.id } })
            found.reload()
          }}
          close={() => (revoking.value = undefined)}
        >
          <p>{t().revokeLoses}</p>
        </ConfirmDialog>
      )}
      {made.value === undefined ? null : (
        <ShownOnce
          title={t().made(made.value.name)}
          label={t().secret}
          secret={made.value.token}
          close={() => (made.value = undefined)}
        >
          <p>{t().once}</p>
        </ShownOnce>
      )}
      {isCreating.value ? (
        <TokenForm
          shut={() => (isCreating.value = false)}
          created={(token) => {
            isCreating.value = false
            made.value = token
            found.reload()
          }}
        />
      ) : null}
      <section class="card" aria-labelledby="tokens">
        <h2 id="tokens">{t().list}</h2>
        <Loading of={found}>
          {({ items, next_before }) => (
            <>
              {items.length === 0 ? (
                <Empty title={t().none} text={t().about}>
                  {create}
                </Empty>
              ) : (
                <div class="scroll" tabIndex={0} role="region" aria-labelledby="tokens">
                  <table>
                    <thead>
                      <tr>
                        <th scope="col">{shared().name}</th>
                        <th scope="col">{shared().state}</th>
                        <th scope="col">{t().scopes}</th>
                        <th scope="col">{shared().created}</th>
                        <th scope="col">{t().expires}</th>
                        <th scope="col">{t().used}</th>
                        <td />
                      </tr>
                    </thead>
                    <tbody>
                      {items.map((token) => (
                        <tr key={token.id}>
                          <th scope="row">{token.name}</th>
                          <td>
                            <Badge tone={token.state === "valid" ? "success" : "quiet"}>{t()[token.state]}</Badge>
                          </td>
                          <td>
                            <Scopes scopes={token.scopes} />
                          </td>
                          <td>
                            <At at={token.created_at} />
                          </td>
                          <td>{token.expires_at === null ? shared().never : <At at={token.expires_at} />}</td>
                          <td>{token.last_used_at === null ? shared().never : <At at={token.last_used_at} />}</td>
                          <td class="number">
                            <RowMenu
                              of={token.name}
                              actions={
                                token.state === "revoked"
                                  ? []
                                  : [{ text: t().revoke, danger: true, act: () => (revoking.value = token) }]
                              }
                            />
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              )}
              <Pager next={next_before} trail={trail} />
            </>
          )}
        </Loading>
      </section>
    </Page>
  )
}
