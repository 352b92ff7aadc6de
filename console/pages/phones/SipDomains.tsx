import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { OwnershipProof } from "../telephony/OwnershipProof.tsx"

const t = words({
  en: {
    what: "Publish this TXT record in the DNS of the SIP domain. Until it is seen there, its phones cannot register.",
    sure: "Really accept? Its phones can register then."
  },
  de: {
    what: "Veröffentlichen Sie diesen TXT-Eintrag im DNS der SIP-Domain. Solange er dort nicht zu sehen ist, können sich ihre Telefone nicht anmelden.",
    sure: "Wirklich annehmen? Ihre Telefone können sich dann anmelden."
  }
})

/** Interval of loading the pending domains again. Unit: milliseconds. */
const every = 20_000

/** Proofs of the SIP domains that are pending. `edition` increases with every change of an extension. */
export const SipDomains = ({ edition }: { readonly edition: number }) => {
  const domains = useLoad(() => call("GET /api/v1/sip/domains", { query: { limit: 200 } }), [edition], { every })
  return (
    <>
      {(domains.value.value?.items ?? []).map(({ domain, id, ownership: { challenge } }) =>
        challenge === null ? null : (
          <OwnershipProof
            key={id}
            name={domain}
            challenge={challenge}
            what={t().what}
            sure={t().sure}
            manage="sip.manage"
            check={() => call("POST /api/v1/sip/domains/:id/ownership/check", { params: { id: String(id) } })}
            assert={() => call("POST /api/v1/sip/domains/:id/assert", { params: { id: String(id) } })}
            changed={domains.reload}
          />
        )
      )}
    </>
  )
}
