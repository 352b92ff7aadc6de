import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { OwnershipProof } from "../telephony/OwnershipProof.tsx"
import type { MailDomain } from "./Kinds.tsx"

const t = words({
  en: {
    what: "Publish this TXT record in the DNS of the domain. Until it is seen there, the mail server does not know the domain.",
    sure: "Really accept? The mail server then serves the domain."
  },
  de: {
    what: "Veröffentlichen Sie diesen TXT-Eintrag im DNS der Domain. Solange er dort nicht zu sehen ist, kennt der Mailserver die Domain nicht.",
    sure: "Wirklich annehmen? Der Mailserver bedient die Domain dann."
  }
})

interface Props {
  readonly domain: MailDomain
  readonly challenge: NonNullable<MailDomain["ownership"]["challenge"]>
  readonly changed: () => void
}

/** Proof of the ownership of a mail domain. */
export const Proof = ({ challenge, changed, domain }: Props) => {
  const params = { id: domain.id }
  return (
    <OwnershipProof
      name={domain.domain}
      challenge={challenge}
      what={t().what}
      sure={t().sure}
      manage="mail.manage"
      check={() => call("POST /api/v1/mail/domains/:id/ownership/check", { params })}
      assert={() => call("POST /api/v1/mail/domains/:id/assert", { params })}
      changed={changed}
    />
  )
}
